"""Codes PC94x and PC95x: specs from the files of other tools."""

from promptc.diagnostics.codes import Code, error, hint, warning

IMPORTING: tuple[Code, ...] = (
    error("PC940", "unknown-import-format", "Reported when nothing tells which format a file to import has."),
    error("PC941", "unreadable-import", "Reported when a file to import is not what its format asks for."),
    error("PC942", "import-too-large", "Reported when a file to import exceeds a limit of the importer."),
    warning("PC943", "setting-not-carried", "Reported when a setting of an imported file has no place in a spec."),
    warning("PC944", "construct-not-carried", "Reported when a part of an imported template has no form in a body."),
    warning(
        "PC945",
        "computed-by-host",
        "Reported when an expression of an imported template became an input that the host computes.",
    ),
    warning("PC946", "class-guessed", "Reported when the stability class of an imported input is a guess."),
    warning("PC947", "target-guessed", "Reported when the target of an imported prompt is a guess."),
    warning("PC948", "value-altered", "Reported when a value of an imported file is written in another form."),
    warning("PC949", "message-moved", "Reported when a message of an imported prompt stands elsewhere in the spec."),
    warning("PC950", "part-not-found", "Reported when an imported file names another one that cannot be taken in."),
    error("PC951", "import-overwrites", "Reported when an import would replace a file that is there."),
    hint("PC952", "name-changed", "Reported when a name of an imported file is none in a spec and was changed."),
    error("PC953", "import-does-not-check", "Reported when a spec that an import made has errors."),
)
