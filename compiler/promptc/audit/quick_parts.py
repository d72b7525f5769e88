"""Weighs the messages that agents send most without building their values: texts, calls, and results that are text.

What comes out is what the reader of the shape and `lineage.digest_and_size` give, which a property test holds it to.
Whatever is out of the ordinary gives None: other members, another order of them, a key twice, other blocks.
"""

from collections.abc import Callable
from hashlib import blake2b
from json.encoder import encode_basestring
from typing import Any

from promptc.compare.lineage import DIGEST_BYTES, Digest
from promptc.streams.json_decode import decode_json
from promptc.streams.json_value import encode

Weighed = tuple[tuple[Digest, ...], str, int]
_TEXT_FORM = repr([("type", "text"), "text"])
_ROLES = ("user", "assistant")


def quick_reader() -> Callable[[bytes], Weighed | None]:
    """A function that weighs one message of the Messages shape: digests of its elements, letters of roles, bytes."""
    import msgspec

    define: Any = msgspec.defstruct
    raw: Any = msgspec.Raw
    strict = {"forbid_unknown_fields": True, "gc": False}
    decoder: Any = msgspec.json.Decoder
    message = decoder(define("Message", [("role", str), ("content", str | list[raw])], **strict)).decode
    text = decoder(define("Text", [("type", str), ("text", str)], **strict)).decode
    result_fields = [("type", str), ("tool_use_id", str), ("content", str)]
    result = decoder(define("Result", result_fields, **strict)).decode
    call = decoder(define("Call", [("type", str), ("id", str), ("name", str), ("input", raw)], **strict)).decode

    def block(data: bytes) -> tuple[str, str] | None:
        """Form and text of one block."""
        if data.startswith(_TEXT_STARTS):
            said = text(data).text
            whole = _is_written(data, '{"type":"text","text":', said) or _once(data, b'"type"', b'"text"', 2)
            return (_TEXT_FORM, said) if whole else None
        if data.startswith(_RESULT_STARTS):
            found = result(data)
            head = f'{{"type":"tool_result","tool_use_id":{encode_basestring(found.tool_use_id)},"content":'
            if not _is_written(data, head, found.content) and not (
                _once(data, b'"type"', b'"content"', 1) and data.count(b'"tool_use_id"') == 1
            ):
                return None
            return "", f"{head}{encode_basestring(found.content)}}}"
        if data.startswith(_CALL_STARTS):
            found = call(data)
            given = bytes(found.input)
            front = data[: len(data) - len(given) - 1]
            last = front.endswith((b'"input":', b'"input": ')) and data[len(front) : -1] == given
            if not last or any(front.count(name) != 1 for name in (b'"type"', b'"input"', b'"name"', b'"id"')):
                return None
            value, problems = decode_json(given, "input")
            if problems:
                return None
            head = f'{{"type":"tool_use","id":{encode_basestring(found.id)},"name":{encode_basestring(found.name)},'
            return "", f'{head}"input":{encode(value)}}}'
        return None

    def weigh(data: bytes) -> Weighed | None:
        if b"\\ud" in data or b"\\uD" in data:
            return None
        try:
            found = message(data)
            if found.role not in _ROLES:
                return None
            if isinstance(found.content, str):
                raws = []
                blocks: list[tuple[str, str] | None] = [("text", found.content)]
            else:
                raws = [bytes(item) for item in found.content]
                blocks = [block(item) for item in raws]
        except msgspec.DecodeError:
            return None
        if not _holds(data, found.role, raws) and (
            data.count(b'"role"') != 1 or data.count(b'"content"') != 1 + sum(raw.count(b'"content"') for raw in raws)
        ):
            return None
        own: list[Digest] = []
        size = 0
        for one in blocks:
            if one is None:
                return None
            form, said = one
            told = said.encode("utf-8")
            digest = blake2b(f"content {found.role} {form} ".encode(), digest_size=DIGEST_BYTES)
            digest.update(told)
            own.append(digest.digest())
            size += len(told)
        return tuple(own), found.role[0] * len(own), size

    return weigh


def _starts(kind: str, following: str) -> tuple[bytes, bytes]:
    """How a block begins with its type and a certain member after it, in the two usual spellings."""
    return f'{{"type":"{kind}","{following}":'.encode(), f'{{"type": "{kind}", "{following}":'.encode()


_TEXT_STARTS = _starts("text", "text")
_RESULT_STARTS = _starts("tool_result", "tool_use_id")
_CALL_STARTS = _starts("tool_use", "id")


def _is_written(data: bytes, head: str, last: str) -> bool:
    """Whether a block is written as its members are in one of the two usual spellings, so that no key stands twice."""
    end = (encode_basestring(last) + "}").encode()
    if not data.endswith(end):
        return False
    return data[: len(data) - len(end)] in (head.encode(), head.replace('":', '": ').replace(',"', ', "').encode())


def _once(data: bytes, type_key: bytes, key: bytes, count: int) -> bool:
    """Whether no key can stand twice; of `key` there are so many, as a key and as a type."""
    return data.count(type_key) == 1 and data.count(key) == count


def _holds(data: bytes, role: str, raws: list[bytes]) -> bool:
    """Whether a message is nothing but its role and its blocks, in one of the two usual spellings."""
    if not raws:
        return False
    tight = b'{"role":"' + role.encode() + b'","content":[' + b",".join(raws) + b"]}"
    return data == tight or data == b'{"role": "' + role.encode() + b'", "content": [' + b", ".join(raws) + b"]}"
