"""Test vectors: what a program makes of its samples, as digests that an assembler in any language can be held to."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from promptc.ir.dump import program_digest
from promptc.ir.interpret import assemble
from promptc.ir.interpret_json import compact
from promptc.ir.model import Program

FORMAT = "promptc.vectors/1"


@dataclass(frozen=True, slots=True)
class Sample:
    """Inputs and a conversation to build a request from.

    Attributes:
        name: Unique among the samples of a program.
        inputs: Plain JSON values by name.
        turns: The conversation at each request, in order; the state of one is passed to the next. One request without
            messages when empty.
        model: Only for a program whose model the caller chooses.
    """

    name: str
    inputs: Mapping[str, object]
    turns: tuple[Sequence[Mapping[str, object]], ...] = ()
    model: str | None = None


def vectors(program: Program, samples: Sequence[Sample]) -> bytes:
    """The vectors file of a program.

    Raises:
        InputError: A sample does not fit the program.
    """
    rows = [_row(program, sample) for sample in sorted(samples, key=lambda sample: sample.name)]
    document = {"format": FORMAT, "prompt": program.name, "program": program_digest(program), "samples": rows}
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _row(program: Program, sample: Sample) -> dict[str, object]:
    requests = []
    state = None
    for messages in sample.turns or ((),):
        result = assemble(program, sample.inputs, messages, state, model=sample.model)
        state = result.state
        requests.append(
            {
                "messages": list(messages),
                "bytes": len(result.body),
                "sha256": hashlib.sha256(result.body).hexdigest(),
                "state_sha256": hashlib.sha256(compact(state).encode()).hexdigest(),
            }
        )
    model = {} if sample.model is None else {"model": sample.model}
    return {"name": sample.name, "inputs": dict(sample.inputs), **model, "requests": requests}
