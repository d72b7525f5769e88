"""The bytes of a recording, whatever they are packed in: gzip, zstd, UTF-16. A cut-off file gives what it has."""

import codecs
import gzip
import io
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from promptc.diagnostics.model import Diagnostic

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A frame of zstd may ask for a window of any size; this is the most that its own tool grants without being told to.
_MAX_WINDOW_BYTES = 128 * 1024 * 1024
_CHUNK = 256 * 1024


class _Source(io.RawIOBase):
    """A stream of chunks that ends where no more can be had, and remembers why."""

    def __init__(self, chunk: Callable[[], bytes]) -> None:
        self._chunk = chunk
        self._rest = memoryview(b"")
        self.cut: str | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if not self._rest and self.cut is None:
            self._rest = memoryview(self._next())
        into = memoryview(buffer).cast("B")
        size = min(len(into), len(self._rest))
        into[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def _next(self) -> bytes:
        try:
            return self._chunk()
        except EOFError:
            self.cut = "its packed data ends before its end"
        except (OSError, zlib.error, ValueError) as fault:
            self.cut = f"its data is damaged: {str(fault)[:1].lower()}{str(fault)[1:]}"
        except Exception as fault:
            # The reader of zstd is optional, so its error has no name here; anything else is a bug and goes on.
            if type(fault).__name__ != "ZstdError":
                raise
            self.cut = f"its data is damaged: {fault}"
        return b""


class Opened:
    """A recording as plain bytes.

    Attributes:
        stream: The bytes, without a byte order mark.
        packing: What they were packed in, outermost first.
    """

    def __init__(self, stream: io.BufferedReader, packing: tuple[str, ...], sources: tuple[_Source, ...]) -> None:
        self.stream = stream
        self.packing = packing
        self._sources = sources

    @property
    def cut(self) -> str | None:
        """Why it ended before its end; None where it did not."""
        return next((source.cut for source in self._sources if source.cut is not None), None)


def open_bytes(raw: BinaryIO, name: str) -> tuple[Opened | None, tuple[Diagnostic, ...]]:
    """Unpack a stream; None where what it is packed in cannot be read here.

    Args:
        raw: The file at its start; it need not be seekable.
        name: Its name, for reports.

    Diagnostics:
        PC855.
    """
    packing: list[str] = []
    packed = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(_Source(lambda: raw.read(_CHUNK)))
    head = packed.peek(4)[:4]
    if head.startswith(GZIP):
        unzipped = gzip.GzipFile(fileobj=packed)
        source, packing = _Source(lambda: unzipped.read1(_CHUNK)), ["gzip"]
    elif head == ZSTD:
        chunk = _zstd_chunks(packed)
        if chunk is None:
            return None, (zstd_missing(f"`{name}` is packed with zstd"),)
        source, packing = _Source(chunk), ["zstd"]
    else:
        source = _Source(lambda: packed.read1(_CHUNK))
    stream: io.BufferedReader = io.BufferedReader(source, _CHUNK)
    sources: tuple[_Source, ...] = (source,)
    mark = stream.peek(3)[:3]
    if mark.startswith(_UTF16):
        source = _Source(_utf16_chunks(stream))
        stream, sources = io.BufferedReader(source, _CHUNK), (*sources, source)
        packing.append("UTF-16")
    elif mark == codecs.BOM_UTF8:
        stream.read(3)
    return Opened(stream, tuple(packing), sources), ()


def joined(head: bytes, stream: io.BufferedReader) -> io.BufferedReader:
    """A stream with what was read of it put back."""
    waiting = [head]
    return io.BufferedReader(_Source(lambda: waiting.pop() if waiting else stream.read1(_CHUNK)), _CHUNK)


def zstd_missing(message: str) -> Diagnostic:
    """What to say where data is packed with zstd and its reader is not installed (PC855)."""
    return Diagnostic(
        "PC855",
        message,
        None,
        notes=("the standard library of Python has no reader for it",),
        help="install the extra: `pip install 'promptc-lang[captures]'`, or unpack the file",
    )


def _zstd_chunks(packed: BinaryIO) -> Callable[[], bytes] | None:
    try:
        from zstandard import ZstdDecompressor
    except ImportError:
        return None
    reader = ZstdDecompressor(max_window_size=_MAX_WINDOW_BYTES).stream_reader(packed, read_across_frames=True)
    return lambda: reader.read(_CHUNK)


def _utf16_chunks(stream: io.BufferedReader) -> Callable[[], bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("replace")

    def chunk() -> bytes:
        while data := stream.read1(_CHUNK):
            if text := decoder.decode(data):
                return text.encode()
        return decoder.decode(b"", final=True).encode()

    return chunk
