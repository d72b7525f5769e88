"""The result of a comparison: the published form `promptc.diff/1`, as values that every renderer takes."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Relation = Literal["identical", "extends", "truncates", "diverges"]
ChangeClass = Literal["edit", "insert", "remove", "reorder", "key_order", "shape", "mixed"]
TextClass = Literal[
    "value",
    "whitespace",
    "line_endings",
    "unicode_normalisation",
    "lines_added",
    "lines_removed",
    "line_reorder",
    "json_respelled",
]
Certainty = Literal["documented", "measured", "derived", "contested", "provider_dependent"]
Verdict = Literal["same", "tail", "break"]


def _with_whole_characters(text: object) -> object:
    """Half a surrogate pair has no form in UTF-8; it is shown as its escape."""
    return text.encode("utf-8", "backslashreplace").decode() if isinstance(text, str) else text


Text: TypeAlias = Annotated[str, BeforeValidator(_with_whole_characters)]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SpecPlace(_Value):
    """A place in a spec; line and column count from 1."""

    path: Text
    line: int | None = None
    column: int | None = None


class Finding(_Value):
    """One independent divergence.

    Attributes:
        pointer_a: JSON pointer of the place in the first request; None where that request has nothing there.
        pointer_b: The same for the second.
        byte_offset: First differing byte in the text at the pointer, from 0; None where no text is compared.
        char_offset: The same in code points.
        line: Line of that place in the first text, from 1.
        column: Column in code points, from 1.
        rest_a: Excerpt of the first text from the divergence on; None where there is nothing.
        rest_b: Excerpt of the second.
        change_class: What happened to the element.
        text_class: What happened to its text; None where the change is not one of a text.
        cause: A sentence.
        section: Section of a spec that wrote the place, where known.
        span: Its place in the spec, where known.
        certainty: How sure it is that this change costs the cached prefix.
        by: How the section is known, where it is a captured request that was attributed to built prompts.
        inserted: Whether the place is a value in the section's text rather than text of the spec.
        char_offset_b: The same place in the second text, in code points. Not in the published form, which names the
            place in the first.
    """

    pointer_a: Text | None
    pointer_b: Text | None
    byte_offset: int | None
    char_offset: int | None
    line: int | None
    column: int | None
    rest_a: Text | None
    rest_b: Text | None
    change_class: ChangeClass
    text_class: TextClass | None
    cause: Text
    section: Text | None = None
    span: SpecPlace | None = None
    certainty: Certainty = "documented"
    by: Text | None = Field(default=None, exclude=True)
    inserted: bool = Field(default=False, exclude=True)
    char_offset_b: int | None = Field(default=None, exclude=True, repr=False)


class ParamChange(_Value):
    """An attribute that keys the cache and differs.

    Attributes:
        pointer: JSON pointer of the exact place.
        name: Neutral name of the attribute.
        was: JSON text in the first request, None when left out.
        now: JSON text in the second.
        loses: Lanes that are lost by it.
        certainty: How sure that is; the words of the provider's facts.
    """

    pointer: Text
    name: Text
    was: Text | None
    now: Text | None
    loses: tuple[Text, ...]
    certainty: Text


class Amount(_Value):
    """How much of the first request's prefix is still there, in bytes."""

    kept: int
    lost: int


class TokenAmount(_Value):
    """The same in tokens, with how they were counted."""

    method: Text
    kept: int
    lost: int


class ScopeAmount(_Value):
    """The prefix of one scope of a spec, in bytes."""

    scope: Text
    kept: int
    lost: int


class Prefix(_Value):
    """What the change does to the bytes of the first request."""

    bytes: Amount
    tokens: TokenAmount
    scopes: tuple[ScopeAmount, ...] = ()


class Side(_Value):
    """One of the two things compared.

    Attributes:
        name: File or source.
        format: Shape that was detected or given.
        target: Provider whose rules were applied, None when unknown.
        order: Lanes in the cache order that was assumed.
        elements: Number of elements.
    """

    name: Text
    format: Text
    target: Text | None
    order: tuple[Text, ...]
    elements: int


class Comparison(_Value):
    """Two prefix streams compared; the keys are those of `promptc.diff/1`.

    Attributes:
        findings: In stream order; the first one is where the bytes part.
        findings_left_out: How many more there are when the list was cut.
        common_prefix_through: Pointer of the last element that is the same on both sides.
        cache_read_through: Pointer of the last element that the second request reads by structure alone.
        notes: Facts beside the comparison that cost nothing.
    """

    format: Literal["promptc.diff/1"] = "promptc.diff/1"
    a: Side
    b: Side
    relation: Relation
    verdict: Verdict
    findings: tuple[Finding, ...]
    findings_left_out: int = 0
    common_prefix_through: Text | None
    params_changed: tuple[Text, ...]
    param_changes: tuple[ParamChange, ...] = ()
    breakpoints_surviving: tuple[Text, ...]
    breakpoints_lost: tuple[Text, ...]
    cache_read_through: Text | None
    prefix: Prefix
    limits: tuple[Text, ...] = ()
    notes: tuple[Text, ...] = ()
