"""The text of one HTTP body, out of the content encoding that it was sent in."""

import gzip
import io
import zlib

# What unpacks to more than any provider takes is not unpacked to its end.
MAX_BODY_BYTES = 256 * 1024 * 1024


def decoded(data: bytes, encoding: str | None = None) -> str | None:
    """The text of a body; None where it cannot be had: damaged, no UTF-8, or in an encoding without a reader here.

    Args:
        data: The bytes as recorded.
        encoding: The content encoding that the recording names. Recorders often unpack without taking the name away,
            so the first bytes decide where they can.
    """
    try:
        return _unpacked(data, (encoding or "").strip().lower()).decode("utf-8")
    except (EOFError, OSError, zlib.error, ValueError):
        return None


def _unpacked(data: bytes, encoding: str) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unzipped:
            return unzipped.read(MAX_BODY_BYTES)
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        return _from_zstd(data)
    if encoding == "deflate" and data[:1] not in (b"{", b"["):
        # Both forms are in use: with the frame that the name stands for, and without.
        return zlib.decompressobj(zlib.MAX_WBITS if data[:1] == b"\x78" else -zlib.MAX_WBITS).decompress(
            data, MAX_BODY_BYTES
        )
    return data


def _from_zstd(data: bytes) -> bytes:
    try:
        from zstandard import ZstdDecompressor, ZstdError
    except ImportError:
        raise ValueError("no reader for zstd") from None
    try:
        unpacked: bytes = ZstdDecompressor().stream_reader(data).read(MAX_BODY_BYTES)
    except ZstdError as fault:
        raise ValueError(str(fault)) from None
    return unpacked
