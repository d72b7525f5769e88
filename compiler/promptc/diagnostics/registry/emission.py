"""Codes PC9xx emission and internal."""

from promptc.diagnostics.codes import Code, error, warning

EMISSION: tuple[Code, ...] = (
    error(
        "PC901", "internal-error", "Reported when promptc itself fails; the fault is in the compiler, not in the spec."
    ),
    error("PC903", "output-name-taken", "Reported when two prompts of a build would write the same files."),
    error(
        "PC902",
        "unsupported-request-format",
        "Reported when an assembler is to be written for a request format that its target cannot write.",
    ),
    error(
        "PC905", "marker-lane-not-taken", "Reported when a prompt places a cache marker where its target takes none."
    ),
    warning(
        "PC906",
        "lifetime-not-asked-for",
        "Reported when a prompt names a lifetime for a target that caches by itself, for as long as it pleases.",
    ),
    error(
        "PC907", "model-takes-no-markers", "Reported when a prompt places cache markers for a model that takes none."
    ),
    error(
        "PC904", "deferral-not-taken", "Reported when a prompt defers tools on a target that always sends them whole."
    ),
    error("PC908", "key-not-taken", "Reported when a prompt has a cache key and its target has no place for one."),
    error("PC909", "key-per-request", "Reported when a cache key depends on what differs from request to request."),
    error(
        "PC910",
        "inputs-not-an-object",
        "Reported when the inputs of a prompt are given as something other than an object.",
    ),
    error("PC911", "unknown-input", "Reported when a value is given for an input that the prompt does not declare."),
    error("PC912", "missing-input", "Reported when an input without a default is not given."),
    error("PC913", "unfit-input", "Reported when a given value does not fit the declaration of its input."),
    error(
        "PC920", "vector-mismatch", "Reported when an assembler builds another request than its test vectors record."
    ),
    error(
        "PC921",
        "assembler-failed",
        "Reported when an assembler under verification cannot be loaded or does not finish.",
    ),
)
