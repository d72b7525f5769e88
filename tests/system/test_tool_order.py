"""Tools are in an order that the host cannot change, absent values included."""

import itertools
import json
from typing import Any

import pytest

from promptc.emit.python import emit_python
from promptc.emit.target import locator
from promptc.ir.interpret import assemble
from promptc.pipeline import compile_root
from promptc.project import Config, Project, Reader
from support.checkout import ROOT

SPEC = """language 1
scope session holds session
record Tool {
  name : text
  description : text
  input_schema : json
  server : text?
  rank : int?
}
input tools : list[Tool] @session
prompt p {
  target anthropic
  model "m"
  tools { group g @session from tools order by server, rank, name }
  system { cache session { section a @session "{{ tools | length }} tools" } }
}
"""
TOOLS = [
    {"name": "d", "server": None, "rank": None},
    {"name": "c", "server": None, "rank": 2},
    {"name": "b", "server": "y", "rank": None},
    {"name": "a", "server": "y", "rank": 0},
    {"name": "e", "server": "y", "rank": 0},
]


@pytest.mark.parametrize("order", list(itertools.permutations(range(5)))[::7])
def test_every_order_of_the_host_gives_the_same_bytes(order: tuple[int, ...]) -> None:
    compilation = compile_root("p.promptc", Reader(Project(ROOT, Config()), {"p.promptc": SPEC}))
    program = compilation.programs["p"]
    tools = [{**TOOLS[i], "description": "A tool.", "input_schema": {"type": "object"}} for i in order]
    messages = [{"role": "user", "content": "Hi."}]
    module: dict[str, Any] = {"__name__": "p"}
    exec(emit_python(program, locator(compilation.sources)).data, module)

    interpreted = assemble(program, {"tools": tools}, messages).body
    emitted = module["assemble"](module["inputs_from_json"]({"tools": tools}), messages).body

    assert interpreted == emitted
    assert [t["name"] for t in json.loads(emitted)["tools"]] == ["d", "c", "b", "a", "e"]
