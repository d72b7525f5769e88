"""A tokenizer of three words, as the file that a model would bring."""

import json

WORDS = json.dumps(
    {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {"?": 0, "one": 1, "two": 2, "three": 3}, "unk_token": "?"},
    }
).encode()
