"""A language model of a few thousand random weights, and a small tokenizer, both made here and the same every time."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

# Begins every block of a prompt: the whole of our chat template.
BLOCK = "<|block|>"
_SPECIAL = ("<|end|>", BLOCK)
_MERGES = 800
_WIDTH, _HEADS, _HIDDEN = 32, 2, 64
CONTEXT = 32_768


def make_tokenizer(texts: Iterable[str]) -> bytes:
    """A `tokenizer.json`: bytes, and the commonest pairs of some texts joined one after the other."""
    import tokenizers

    split = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    words = Counter(word for text in texts for word, _ in split.pre_tokenize_str(text))
    merges = _merges({tuple(word): count for word, count in words.items()})
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    names = [*_SPECIAL, *alphabet, *("".join(pair) for pair in merges)]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab={n: i for i, n in enumerate(names)}, merges=merges))
    tokenizer.pre_tokenizer = split
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.add_special_tokens(list(_SPECIAL))
    return str(tokenizer.to_str()).encode()


def _merges(words: dict[tuple[str, ...], int]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    while len(found) < _MERGES:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in words.items():
            for pair in pairwise(word):
                pairs[pair] += count
        # Two ways to the same token would be one entry of the vocabulary with two merges.
        taken = {"".join(pair) for pair in found}
        best = max((p for p in pairs if "".join(p) not in taken), key=lambda pair: (pairs[pair], pair))
        found.append(best)
        words = {_joined(word, best): count for word, count in words.items()}
    return found


def _joined(word: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    out: list[str] = []
    at = 0
    while at < len(word):
        if word[at : at + 2] == pair:
            out.append(word[at] + word[at + 1])
            at += 2
        else:
            out.append(word[at])
            at += 1
    return tuple(out)


def write_config(folder: Path, tokenizer: dict[str, Any]) -> None:
    """The configuration of the same model for engines that make up weights themselves."""
    folder.mkdir()
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": _WIDTH * 2,
        "intermediate_size": _HIDDEN,
        "num_hidden_layers": 1,
        "num_attention_heads": _HEADS,
        "num_key_value_heads": _HEADS,
        "vocab_size": len(tokenizer["model"]["vocab"]),
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": 1e-5,
        "hidden_act": "silu",
        "eos_token_id": 0,
        "bos_token_id": 0,
        "torch_dtype": "float32",
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def write_gguf(path: Path, tokenizer: dict[str, Any], seed: int) -> None:
    """A Llama of one layer in llama.cpp's format, with the vocabulary of a tokenizer.

    Args:
        tokenizer: A decoded `tokenizer.json` of `make_tokenizer`.
        seed: Of the weights.
    """
    import gguf
    import numpy as np

    vocabulary = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].__getitem__)
    special = {entry["content"] for entry in tokenizer["added_tokens"]}
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(_HIDDEN)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(len(vocabulary))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(vocabulary)
    writer.add_token_types(
        [gguf.TokenType.CONTROL if name in special else gguf.TokenType.NORMAL for name in vocabulary]
    )
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_eos_token_id(0)
    writer.add_add_bos_token(False)
    random = np.random.default_rng(seed)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(f"{name}.weight", (random.standard_normal(shape) * 0.1).astype(np.float32))

    add("token_embd", len(vocabulary), _WIDTH)
    add("output", len(vocabulary), _WIDTH)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.0.{name}", _WIDTH, _WIDTH)
    add("blk.0.ffn_gate", _HIDDEN, _WIDTH)
    add("blk.0.ffn_up", _HIDDEN, _WIDTH)
    add("blk.0.ffn_down", _WIDTH, _HIDDEN)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(_WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
