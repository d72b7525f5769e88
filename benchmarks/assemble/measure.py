"""Time an emitted assembler beside its peers: every variant in short blocks in turn, so that noise hits all alike."""

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def load(path: Path, name: str) -> Any:
    """Import a module from a file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def expected(reference: dict[str, Any], max_tokens: int) -> bytes:
    """The reference of a context as this assembler writes it: its own key order and none of the keys it has not."""
    # Canonical order of the keys of a schema; everything else keeps the reference's order.
    tools = [{**tool, "input_schema": ordered(tool["input_schema"])} for tool in reference["tools"]]
    body = {"model": reference["model"], "max_tokens": max_tokens, "tools": tools}
    body |= {"system": reference["system"], "messages": reference["messages"]}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def ordered(value: Any) -> Any:
    """A JSON value with its keys in code point order."""
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value)}
    return [ordered(item) for item in value] if isinstance(value, list) else value


def variants(workload: dict[str, Any], module: Any, common: Any) -> dict[str, Callable[[Any], bytes]]:
    """What is timed: context in, body out."""
    raw = [module.Tool(**tool) for tool in workload["tools"]]
    # What does not change is written once, by the caller, as it would be in an agent.
    encoded = [module.Tool(**{**t, "input_schema": module.json_text(t["input_schema"])}) for t in workload["tools"]]
    inputs, messages_of = {}, {}

    def arguments(context: Any) -> dict[str, Any]:
        flags = {f"flag_{name}": value for name, value in context["flags"].items()}
        return flags | {f"var_{name}": value for name, value in context["vars"].items()}

    names = {cls: list(cls.__dataclass_fields__) for cls in (module.SessionInputs, module.TurnInputs)}
    bound = {}
    for context in workload["contexts"]:
        own = {name: context[name] for name in ("model", "model_family", "provider")}
        inputs[id(context)] = own | arguments(context)
        messages_of[id(context)] = context["messages"]
        everything = {**inputs[id(context)], "tools": encoded}
        bound[id(context)] = (
            module.bind_session(module.SessionInputs(**{n: everything[n] for n in names[module.SessionInputs]})),
            {n: everything[n] for n in names[module.TurnInputs]},
        )

    def conversation(context: Any) -> list[dict[str, object]]:
        return [{"role": m["role"], "content": common.msg_text(m)} for m in context["messages"]]

    def one_shot(tools: list[Any]) -> Callable[[Any], bytes]:
        def run(context: Any) -> bytes:
            return module.assemble(module.Inputs(tools=tools, **inputs[id(context)]), conversation(context)).body

        return run

    def staged(context: Any) -> bytes:
        stage, turn = bound[id(context)]
        return stage.assemble(module.TurnInputs(**turn), conversation(context)).body

    ready = {id(c): conversation(c) for c in workload["contexts"]}

    def staged_ready(context: Any) -> bytes:
        stage, turn = bound[id(context)]
        return stage.assemble(module.TurnInputs(**turn), ready[id(context)]).body

    written = {id(c): [module.Written(**message) for message in ready[id(c)]] for c in workload["contexts"]}

    def staged_written(context: Any) -> bytes:
        stage, turn = bound[id(context)]
        return stage.assemble(module.TurnInputs(**turn), written[id(context)]).body

    bodies = {id(c): memoryview(staged(c)) for c in workload["contexts"]}
    return {
        "promptc one-shot, schemas as dicts": one_shot(raw),
        "promptc one-shot, schemas written once": one_shot(encoded),
        "promptc staged": staged,
        "promptc staged, message texts at hand": staged_ready,
        "promptc staged, messages written once": staged_written,
        "memcpy": lambda context: bodies[id(context)].tobytes(),
    }


def main(folder: str, path: str, seconds: str) -> int:
    """Check the bytes of all contexts, then time and print."""
    sys.path[:0] = [folder, str(Path(folder) / "peers")]
    import common

    workload = common.load()
    for context in workload["contexts"]:
        context["max_tokens"] = 8192
    functions = variants(workload, load(Path(path), "workload_assembler"), common)
    for name, function in functions.items():
        for context in workload["contexts"]:
            if function(context) != expected(common.reference(workload, context), 8192):
                print(f"{name}: other bytes than the reference")
                return 1
    import minijinja_  # type: ignore[import-not-found]
    import plain

    peers = plain.setup(workload)
    functions = {
        "f-strings + orjson (baseline)": peers["orjson"],
        "minijinja + orjson": minijinja_.setup(workload),
        "orjson of a ready dict": peers["limit:orjson_prebuilt_dict"],
        **functions,
    }
    timed = common.time_interleaved(functions, workload["contexts"], float(seconds))
    base = timed["f-strings + orjson (baseline)"]["median"]
    copy = timed["memcpy"]["median"]
    print(f"{'variant':42} {'best us':>9} {'median us':>10} {'x baseline':>11} {'x memcpy':>9}")
    for name, row in sorted(timed.items(), key=lambda item: item[1]["median"]):
        ratios = f"{row['median'] / base:>11.2f} {row['median'] / copy:>9.0f}"
        print(f"{name:42} {row['min'] * 1e6:>9.1f} {row['median'] * 1e6:>10.1f} {ratios}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
