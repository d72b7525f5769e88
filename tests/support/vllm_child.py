"""A child process with vLLM: requests as lines of JSON on stdin, what it reports on stdout.

Arguments: a folder with the configuration of a model, tokens in a block, and the longest prompt.
"""

import json
import os
import sys

# Nothing is fetched, nothing is reported, and everything happens in this process.
os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
}


def main() -> None:
    """Serve until stdin ends."""
    # Whatever the engine prints is not an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import vllm

    folder, block, context = sys.argv[1:]
    engine = vllm.LLM(
        model=folder,
        skip_tokenizer_init=True,
        load_format="dummy",
        dtype="float32",
        enforce_eager=True,
        enable_prefix_caching=True,
        block_size=int(block),
        max_model_len=int(context),
        max_num_seqs=1,
    )
    print(json.dumps({"version": f"vllm {vllm.__version__}"}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        # This engine draws at least one token.
        drawn = max(1, asked["answer"])
        how = vllm.SamplingParams(max_tokens=drawn, temperature=0, ignore_eos=True, detokenize=False)
        (said,) = engine.generate([{"prompt_token_ids": asked["tokens"]}], how, use_tqdm=False)
        cached = said.num_cached_tokens or 0
        found = {"cached": cached, "computed": len(asked["tokens"]) - cached, "tokens": list(said.outputs[0].token_ids)}
        print(json.dumps(found), file=answers, flush=True)


if __name__ == "__main__":
    main()
