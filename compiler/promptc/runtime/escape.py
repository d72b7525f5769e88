"""Turn texts into the inside of JSON string literals, as UTF-8 bytes.

Escaped are the quote, the backslash and the 32 control characters, the latter in their short form where JSON has one
and as `\\u00xx` with lower-case digits where it has none. Everything else stays as it is.
"""

from json.encoder import encode_basestring

_CONTROLS = bytes(range(32))
# Below this many characters one call of the C encoder beats five passes over bytes; measured, not critical.
_SHORT = 96


def escape(text: str) -> bytes:
    """The bytes between the quotes of a text's JSON literal.

    Raises:
        UnicodeEncodeError: The text holds a lone surrogate.
    """
    if len(text) < _SHORT:
        return encode_basestring(text)[1:-1].encode()
    data = text.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n").replace(b"\t", b"\\t")
    if len(data.translate(None, _CONTROLS)) != len(data):
        return encode_basestring(text)[1:-1].encode()
    return data


def quoted(text: str) -> bytes:
    """The bytes of a text's JSON literal, quotes included."""
    if len(text) < _SHORT:
        return encode_basestring(text).encode()
    return b'"' + escape(text) + b'"'


def escape_joined(pieces: list[bytes], controls: int) -> bytes | None:
    """The escaped form of some UTF-8 texts and control characters between them, in one pass over all of them.

    The control characters that the caller put between the texts stay as they are.

    Args:
        pieces: Texts and separators, in order.
        controls: How many control characters the separators have.

    Returns:
        None when a text holds a control character other than LF and tab; such a one takes the long way.
    """
    data = b"".join(pieces).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n").replace(b"\t", b"\\t")
    return data if len(data) - len(data.translate(None, _CONTROLS)) == controls else None
