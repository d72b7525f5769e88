"""Codes PC8xx comparison."""

from promptc.diagnostics.codes import Code, error, hint, warning

COMPARISON: tuple[Code, ...] = (
    error("PC801", "capture-not-json", "Reported when a file that looks like a captured request cannot be decoded."),
    error("PC802", "capture-too-deep", "Reported when JSON is nested deeper than any request can be."),
    error("PC803", "capture-not-utf8", "Reported when a file to compare holds bytes that are not UTF-8."),
    warning("PC804", "duplicate-json-key", "Reported when an object of a captured request has a key twice."),
    warning(
        "PC805", "malformed-request-part", "Reported when a part of a request has not the form that its place has."
    ),
    hint("PC806", "not-a-request", "Reported when a file is JSON but no request, and is compared as text."),
)
