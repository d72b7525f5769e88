"""Codes PC0xx: project and files."""

from promptc.diagnostics.codes import Code, error, hint

PROJECT: tuple[Code, ...] = (
    error("PC001", "file-not-found", "Reported when a file that is named does not exist."),
    error("PC002", "not-text", "Reported when a source is not UTF-8 text."),
    error("PC003", "outside-project", "Reported when a path leaves the project."),
    error("PC004", "file-too-large", "Reported when a source is larger than promptc reads."),
    error("PC005", "not-a-file", "Reported when a path names a folder, a device or a loop of links."),
    hint("PC006", "normalised-line-ends", "Reported when a source has CRLF line ends or a byte order mark."),
    error("PC007", "no-specs", "Reported when there is nothing to compile."),
    error("PC008", "cannot-write", "Reported when an output cannot be written."),
    error("PC009", "out-of-date", "Reported when files on disk differ from what the sources give."),
    error("PC010", "cannot-read", "Reported when a file exists but cannot be read."),
    error("PC011", "configuration-fault", "Reported when promptc.toml has an unknown key or a wrong value."),
    error("PC012", "request-data-fault", "Reported when input data for a request cannot be read."),
    error("PC013", "empty-spec", "Reported when a module declares nothing."),
)
