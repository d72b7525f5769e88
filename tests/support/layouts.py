"""Small prompts to play scenarios with."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from promptc.diagnostics.sink import Sink
from promptc.emit.python import emit_python
from promptc.emit.target import locator
from promptc.lowering.samples import samples_of
from promptc.providers.registry import resolve
from promptc.report.simulation import Played
from promptc.runtime.request import Request
from promptc.runtime.state import State
from promptc.source import Source
from promptc.traffic.read_scenario import read_scenario
from promptc.traffic.run import Layout, play
from promptc.traffic.scenario import Scenario
from support.specs import compile_text

RULES = "Rule: " + "always look before you leap. " * 150

# Everything that events are about: a directory, a date, tools that come and go, a mode, a model.
AGENT = f"""language 1

scope everybody holds static ttl 1h
scope session holds session ttl 5m

record Tool {{
  server : text
  name : text
  description : text
  input_schema : json
}}

input model_id : "claude-opus-5-5" | "claude-sonnet-5-5" @static = "claude-opus-5-5"
input tools : list[Tool] @session = []
input cwd : text @session
input today : text @session = "2026-01-01"
input answers : "english" | "german" @session = "english"
input level : int @turn = 1
input plan_mode : bool @turn = false

prompt agent {{
  target anthropic
  model model_id
  max_tokens 1_000

  tools {{
    group connected @session from tools order by server, name
  }}
  system {{
    cache everybody fallback session {{
      section rules @static "{RULES}"
    }}
    cache session {{
      section place @session "You work in {{{{ cwd }}}}. Answer in {{{{ answers }}}}."
      section date @session "The session began on {{{{ today }}}}."
    }}
  }}
  conversation {{
    history transcript
    cache last message ttl 5m
  }}
  tail in note {{
    section mode @turn deliver delta {{
      first when plan_mode "Plan mode is on."
      changed "Plan mode is on."
      gone "Plan mode is off."
    }}
    section depth @turn deliver delta {{
      first "Level {{{{ level }}}}."
      changed "Level {{{{ level }}}} now."
      gone "No level."
    }}
  }}
}}

envelope note {{ open "<note>" close "</note>" }}

sample first for agent {{ cwd = "/srv/a" }}
"""

# A prompt that leaves its model to the caller.
OPEN_MODEL = f"""language 1

scope everybody holds static ttl 5m

prompt open {{
  target anthropic
  max_tokens 1_000

  system {{
    cache everybody {{
      section rules @static "{RULES}"
    }}
  }}
  conversation {{
    history transcript
    cache last message ttl 5m
  }}
}}

sample first for open {{ }}
"""


@cache
def layout(text: str = AGENT, target: str | None = None) -> Layout:
    """The one prompt of a module with its first sample, in front of the cache of a provider."""
    compilation = compile_text(text)
    assert [d for d in compilation.diagnostics if d.code != "PC006"] == [], compilation.diagnostics
    (program,) = compilation.programs.values()
    module: dict[str, Any] = {"__name__": "assembler"}
    artifact = emit_python(program, locator(compilation.sources))
    exec(compile(artifact.data, artifact.path, "exec"), module)

    def assemble(
        inputs: Mapping[str, object], messages: Sequence[Mapping[str, object]], state: State, model: str
    ) -> Request:
        extra = {} if program.model is not None else {"model": model}
        request: Request = module["assemble"](module["inputs_from_json"](dict(inputs)), list(messages), state, **extra)
        return request

    inputs = samples_of(compilation.facts, program)[0].inputs
    return Layout(program, assemble, inputs, partial(resolve, program.target), partial(resolve, target or "anthropic"))


def scenario(text: str) -> Scenario:
    """A scenario that is right."""
    sink = Sink()
    found, _ = read_scenario(Source("scenario.yaml", text), sink)
    assert found is not None, [d.message for d in sink.sorted()]
    return found


def played(text: str, module: str = AGENT, target: str | None = None) -> tuple[Played, ...]:
    """The requests of a scenario."""
    return play(scenario(text), layout(module, target))
