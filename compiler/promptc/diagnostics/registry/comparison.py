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
    warning(
        "PC807",
        "manifest-fits-nothing",
        "Reported when a captured request fits none of the manifests that it is to be attributed to.",
    ),
    error("PC808", "folder-without-manifests", "Reported when a place that is to hold built manifests has none."),
    error(
        "PC810",
        "global-prefix-changed",
        "Reported when a prefix that every request shares has other bytes than in the baseline.",
    ),
    error(
        "PC811",
        "org-prefix-changed",
        "Reported when a prefix that an organisation or a user shares has other bytes than in the baseline.",
    ),
    error(
        "PC812",
        "session-prefix-changed",
        "Reported when a prefix that one conversation shares has other bytes than in the baseline.",
    ),
    hint("PC813", "tail-changed", "Reported when only bytes behind the last cached prefix differ from the baseline."),
    error(
        "PC814", "prefix-tools-changed", "Reported when a tool in front of a cached prefix differs from the baseline."
    ),
    error(
        "PC815", "marker-removed", "Reported when a prefix of the baseline has its bytes and no cache marker any more."
    ),
    error("PC816", "scope-demoted", "Reported when a prefix of the baseline has its bytes and is shared by fewer."),
    error(
        "PC817", "prompt-model-changed", "Reported when a prompt names its model in another way than in the baseline."
    ),
    error(
        "PC818",
        "prompt-target-changed",
        "Reported when a prompt goes to another provider, or in another form, than in the baseline.",
    ),
    error("PC819", "prompt-removed", "Reported when the baseline has a prompt that is there no more."),
    hint("PC820", "variants-added", "Reported when a prefix has more variants than in the baseline."),
    hint("PC821", "prefix-ttl-changed", "Reported when a cached prefix has another lifetime than in the baseline."),
    hint("PC822", "input-added", "Reported when a prompt has an input that it does not have in the baseline."),
    hint("PC823", "input-removed", "Reported when a prompt of the baseline has an input that is there no more."),
    hint("PC824", "input-type-changed", "Reported when an input has another type than in the baseline."),
    hint("PC825", "input-class-changed", "Reported when an input is bound at another time than in the baseline."),
    error("PC830", "baseline-missing", "Reported when the baseline of a comparison is not there."),
    error("PC831", "baseline-malformed", "Reported when a baseline is named in a way that names none."),
    error("PC832", "nothing-compared", "Reported when no prompt is on both sides of a comparison."),
    error("PC833", "baseline-broken", "Reported when the specs of the baseline do not compile."),
    warning("PC834", "ignore-without-finding", "Reported when an ignore of promptc.toml matches no finding."),
    warning("PC835", "stale-acceptance", "Reported when an accepted break is not the one that is there now."),
    error("PC836", "unknown-rule", "Reported when an ignore of promptc.toml names a rule that does not exist."),
)
