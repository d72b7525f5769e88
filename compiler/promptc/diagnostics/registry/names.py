"""Codes PC2xx: names, modules, unused."""

from promptc.diagnostics.codes import Code, error, warning

NAMES: tuple[Code, ...] = (
    error("PC201", "unknown-name", "Reported when an expression names no input, gate or variable."),
    error("PC202", "duplicate-declaration", "Reported when a name is declared twice in one namespace."),
    error("PC203", "unknown-record", "Reported when a type names no record and no built-in type."),
    error("PC204", "unknown-class", "Reported when a stability class is not in the chain."),
    error("PC205", "unknown-scope", "Reported when a block names a scope that is not declared."),
    error("PC206", "unknown-section", "Reported when an include names no library section."),
    error("PC207", "unknown-prompt", "Reported when a sample or an extends clause names no prompt."),
    error("PC208", "import-cycle", "Reported when modules use each other in a circle."),
    error("PC209", "unknown-envelope", "Reported when a lane names an envelope that is not declared."),
    error("PC210", "unknown-target", "Reported when a prompt names a target that no provider facts describe."),
    error("PC211", "missing-target", "Reported when a prompt has no target."),
    error("PC212", "section-placed-twice", "Reported when one prompt holds two elements of the same name."),
    error("PC213", "extends-cycle", "Reported when prompts extend each other in a circle."),
    error("PC214", "edit-without-target", "Reported when an edit names nothing in the extended prompt."),
    error("PC215", "definition-cycle", "Reported when gates or included sections need each other in a circle."),
    error("PC216", "unsupported-language-version", "Reported when a module asks for a version this compiler lacks."),
    error("PC217", "misplaced-item", "Reported when an item stands in a lane that cannot hold it."),
    error("PC218", "unknown-limit-subject", "Reported when a limit names nothing that can be measured."),
    warning("PC220", "unused-input", "Reported when no body, gate or order reads an input."),
    warning("PC221", "unused-gate", "Reported when nothing reads a gate."),
    warning("PC222", "unused-section", "Reported when no prompt places a library section."),
    warning("PC223", "unused-declaration", "Reported when nothing uses a record, scope or envelope."),
    warning("PC224", "shadowed-name", "Reported when a loop or set variable hides an input or gate."),
    warning("PC225", "allow-without-finding", "Reported when an allow clause accepts nothing."),
    error("PC226", "reserved-name", "Reported when an input or gate is called by a word of the expression language."),
)
