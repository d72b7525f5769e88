"""Codes PC85x: recordings of requests."""

from promptc.diagnostics.codes import Code, error, warning

RECORDINGS: tuple[Code, ...] = (
    warning("PC850", "unreadable-record", "Reported when records of a recording cannot be decoded."),
    warning("PC851", "recording-cut-off", "Reported when a recording ends before its end."),
    error("PC852", "unknown-recording", "Reported when a file is a recording of no known format."),
    error("PC853", "recording-without-requests", "Reported when a recording holds no request at all."),
    warning("PC854", "unknown-body", "Reported when a record of a recording holds something else than a request."),
    error("PC855", "zstd-without-reader", "Reported when data is packed with zstd and its reader is not installed."),
    error("PC856", "request-not-recorded", "Reported when a request is asked for that a recording does not have."),
    warning("PC857", "doubtful-json", "Reported when servers may read recorded requests differently from promptc."),
    error("PC859", "recording-without-pairs", "Reported when no request of a recording continues another one."),
)
