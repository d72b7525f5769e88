"""Hold an assembler to its vectors: `python -m promptc.runtime.verify MODULE.py VECTORS.json`.

Also run as a plain script by `promptc verify`, so that an assembler is checked in a process of its own. Prints one
JSON object a line for every request that differs: sample, request number, what differs, expected and found.
"""

import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def load(path: Path) -> Any:
    """Import a module from a file."""
    spec = importlib.util.spec_from_file_location("assembler_under_test", path)
    if spec is None or spec.loader is None:
        raise ImportError("not a Python module")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def differences(module: Any, document: Any) -> Iterator[dict[str, object]]:
    """Every request of the vectors that the module builds differently."""
    for sample in document["samples"]:
        state = module.State()
        more = {"model": sample["model"]} if "model" in sample else {}
        for number, expected in enumerate(sample["requests"], start=1):
            place = {"sample": sample["name"], "request": number}
            try:
                inputs = module.inputs_from_json(sample["inputs"])
                request = module.assemble(inputs, expected["messages"], state, **more)
            except Exception as error:
                # Whatever an assembler raises is a finding about it, not a fault of this check.
                yield {**place, "what": "error", "expected": "a request", "found": f"{type(error).__name__}: {error}"}
                break
            state = request.state
            found = {
                "bytes": len(request.body),
                "sha256": hashlib.sha256(request.body).hexdigest(),
                "state_sha256": hashlib.sha256(state.to_json().encode()).hexdigest(),
            }
            for what, value in found.items():
                if value != expected[what]:
                    yield {**place, "what": what, "expected": expected[what], "found": value}
                    break


def main(arguments: list[str]) -> int:
    """Compare and print; 0 when everything is the same, 1 when not."""
    module = load(Path(arguments[0]))
    document = json.loads(Path(arguments[1]).read_bytes())
    found = list(differences(module, document))
    for difference in found:
        sys.stdout.write(json.dumps(difference) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
