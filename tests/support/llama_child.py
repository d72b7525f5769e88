"""A child process with llama.cpp's server: requests as lines of JSON on stdin, what it reports on stdout.

Arguments: the model, how many slots, MiB for prompts that lost theirs, and 1 where slots share their memory.
"""

import json
import os
import sys
from typing import Any
from urllib.request import Request, urlopen


def main() -> None:
    """Serve until stdin ends."""
    # Whatever the engine prints is not an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import xllamacpp

    path, slots, shelf, unified, context = sys.argv[1:]
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = int(context)
    params.n_parallel = int(slots)
    params.cache_ram_mib = int(shelf)
    params.kv_unified = unified == "1"
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 2
    params.warmup = False
    params.verbosity = 1
    server = xllamacpp.Server(params)
    print(json.dumps({"version": f"xllamacpp {xllamacpp.__version__}"}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(server.listening_address, json.loads(line))), file=answers, flush=True)


def _answer(address: str, asked: dict[str, Any]) -> dict[str, Any]:
    if "text" in asked:
        return {"tokens": _post(f"{address}/tokenize", {"content": asked["text"], "add_special": False})["tokens"]}
    body = {"prompt": asked["tokens"], "n_predict": asked["answer"], "return_tokens": True, "ignore_eos": True}
    said = _post(f"{address}/completion", body)
    timings = said["timings"]
    return {"cached": timings["cache_n"], "computed": timings["prompt_n"], "tokens": said["tokens"]}


def _post(url: str, body: dict[str, Any]) -> Any:
    request = Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urlopen(request) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
