"""One side of `promptc diff`: a body, a text, or a request of a recording, told apart by what is in the file."""

import io
from pathlib import Path

from promptc.cli.files import read_file
from promptc.cli.recordings import announce, numbered, open_file, refuse, the_request
from promptc.diagnostics.model import Diagnostic
from promptc.providers.registry import Registry
from promptc.streams.json_decode import decode_json
from promptc.streams.json_pair import MIN_BYTES
from promptc.streams.model import PrefixStream
from promptc.streams.plain_text import FORMAT as TEXT
from promptc.streams.read import TEXT_SUFFIXES, Reading, read_pair, read_stream, stream_of_body
from promptc.streams.sources.read import open_recording

_CUT_LINE = 1 << 20


def side(path: Path, target: str | None, order: tuple[str, ...] | None, registry: Registry) -> Reading:
    """How the stream of one side is read.

    Args:
        path: A file, `-`, or a file with the number of a request behind `#`.
        target: Provider, as in `read_stream`.
        order: Lanes in cache order, as in `read_stream`.
        registry: What is known about providers.
    """
    file, number = numbered(path)
    if number is None and file.name.endswith(TEXT_SUFFIXES):
        text = read_file(file)
        return lambda format: read_stream(text, file.name, target, order, format, registry)
    data = read_file(file) if str(file) == "-" else None
    with io.BytesIO(data) if data is not None else open_file(file) as raw:
        recording, found = open_recording(raw, file.name)
        if recording is not None and not (number is None and recording.bare and not recording.packing):
            capture = the_request(recording, number)
            announce(recording)
            name = f"{file.name}#{capture.index}"
            return lambda format: stream_of_body(capture.body, name, target, order, format, registry)
        if recording is not None:
            # A file of one bare body is read as it always was: what is wrong with its bytes is said in full.
            the_request(recording, None)
    whole = read_file(file) if data is None else data
    if recording is None and (number is not None or found[0].code != "PC852" or _are_lines(whole)):
        refuse(found)
    return lambda format: read_stream(whole, file.name, target, order, format, registry)


def large_pair(
    a: Path, b: Path, target: str | None, order: tuple[str, ...] | None, registry: Registry
) -> tuple[PrefixStream, PrefixStream, tuple[Diagnostic, ...]] | None:
    """The streams of two large files of one body each, decoded together; None for any others, which `side` reads."""
    places = [path for path in (a, b) if path.suffix == ".json" and path.is_file()]
    if len(places) < 2 or min(path.stat().st_size for path in places) < MIN_BYTES:
        return None
    first, second, found = read_pair((read_file(a), a.name), (read_file(b), b.name), target, order, registry)
    if first is None or second is None or TEXT in (first.format, second.format):
        return None
    return first, second, found


def _are_lines(data: bytes) -> bool:
    """Whether the first line is a JSON object by itself and more lines follow."""
    first, _, rest = data[:_CUT_LINE].partition(b"\n")
    return bool(rest.strip()) and first.startswith(b"{") and decode_json(first, "record")[0] is not None
