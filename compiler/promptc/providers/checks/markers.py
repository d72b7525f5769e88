"""Where markers may stand, how many, and what they may say."""

from collections.abc import Iterator, Mapping

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, dotted, finding
from promptc.providers.frames import automatic_end
from promptc.providers.model import Marker, model_matches
from promptc.providers.wire.view import Json, Mark, escaped


def over_limit(context: Context) -> Iterator[Diagnostic]:
    """More markers than the provider takes, the automatic one counted."""
    marker = context.provider.marker
    if marker is None or marker.excess != "error":
        return
    marks = counted(context)
    limit = marker.limit.value
    if len(marks) > limit:
        yield finding(
            "PC600",
            f"this is marker {limit + 1} of {len(marks)}, and `{marker.field}` may stand {limit} times",
            marks[limit].pointer,
            notes=context.refusal("breakpoint-limit", found=len(marks)),
            help="keep the markers at the ends of the longest shared prefixes and drop the others",
        )


def counted(context: Context) -> tuple[Mark, ...]:
    """Markers that count toward the limit, in cache order; an automatic one that changes nothing is left out."""
    view = context.view
    automatic = view.request_mark
    if automatic is None:
        return view.marks
    last = automatic_end(context.provider, context.view)
    if last is not None and last.mark is not None:
        return view.marks
    return (*view.marks, automatic)


def beyond_written(context: Context) -> Iterator[Diagnostic]:
    """Markers that are taken but write nothing, since only the latest do."""
    marker, marks = context.provider.marker, context.view.marks
    if marker is None or marker.excess != "latest":
        return
    options = context.view.body.get(str(context.provider.feature("options_field")))
    explicit = isinstance(options, Mapping) and options.get("mode") == "explicit"
    limit = marker.limit.value if explicit else int(context.provider.feature("implicit_limit") or marker.limit.value)
    if len(marks) > limit:
        yield finding(
            "PC601",
            f"only the latest {limit} of {len(marks)} markers write an entry, and this one is not among them",
            marks[0].pointer,
            help="mark the ends that later requests will share",
        )


def only_last_counts(context: Context) -> Iterator[Diagnostic]:
    """Models behind a gateway for which one marker counts."""
    patterns = context.provider.feature("last_marker_only_models")
    marks = context.view.marks
    if patterns and len(marks) > 1 and model_matches(context.model, patterns):
        yield finding(
            "PC618",
            f"only the last of {len(marks)} markers is used for `{context.model}`, and this one is not it",
            marks[0].pointer,
            help="keep the marker at the end of the part that all requests share",
        )


def lifetime_untranslated(context: Context) -> Iterator[Diagnostic]:
    """A lifetime that a gateway drops when it translates the marker."""
    patterns = context.provider.feature("ttl_untranslated_models")
    if not patterns or not model_matches(context.model, patterns):
        return
    for mark in context.view.marks:
        if mark.ttl is not None:
            yield finding(
                "PC619",
                f"the lifetime `{mark.ttl}` is lost when this marker is translated for `{context.model}`",
                f"{mark.at}/ttl",
                help="leave the lifetime out, or send the request to the provider itself",
            )
            return


def on_wrong_block(context: Context) -> Iterator[Diagnostic]:
    """Markers on blocks that cannot carry one."""
    marker = context.provider.marker
    if marker is None:
        return
    for mark in context.view.marks:
        yield from _placement(context, marker, mark)


def _placement(context: Context, marker: Marker, mark: Mark) -> Iterator[Diagnostic]:
    if marker.place == "text-key" and mark.pointer == mark.at:
        yield finding(
            "PC612",
            f"`{marker.field}` is a block of its own here, and this API takes it only as a key inside a text block",
            mark.pointer,
            notes=context.refusal("breakpoint-unsupported-here"),
            help="move it into the text block before it",
        )
    elif mark.nested and not (mark.last_inner and context.provider.feature("inner_marker_last_only")):
        yield finding(
            "PC607",
            f"`{marker.field}` stands on a part inside a block, and only whole blocks can be marked",
            mark.pointer,
            help="mark the block around it",
        )
    elif "thinking" in mark.kind or "reasoning" in mark.kind:
        yield finding(
            "PC605",
            f"`{marker.field}` stands on a `{mark.kind}` block, which cannot carry one",
            mark.pointer,
            notes=context.refusal("breakpoint-on-thinking", path=f"{dotted(mark.pointer)}.{mark.kind}.{marker.field}"),
            help="mark the nearest block that is not thinking",
        )
    elif mark.pointer.startswith(f"/{context.provider.feature('unmarkable_field')}"):
        yield finding(
            "PC611",
            f"`{marker.field}` stands on the instructions, where it marks nothing",
            mark.pointer,
            help="send the text as a developer message and mark that",
        )
    elif mark.kind in marker.must_not_carry.value or mark.lane not in marker.lanes.value:
        yield finding(
            "PC609",
            f"`{marker.field}` stands on a `{mark.kind}` block, which cannot carry one",
            mark.pointer,
            help="mark the nearest block before it that can",
        )


def on_empty_block(context: Context) -> Iterator[Diagnostic]:
    """Markers on blocks without text."""
    for block in context.view.blocks(context.provider.prefix_order.value):
        if block.mark is not None and block.kind in ("text", "input_text") and not (block.text or "").strip():
            yield finding(
                "PC606",
                "the marked block has no text, and an empty block cannot be marked",
                block.pointer,
                notes=context.refusal("breakpoint-on-empty-block"),
                help="leave the block out and mark the one before it",
            )


def on_cleared_message(context: Context) -> Iterator[Diagnostic]:
    """Markers on a system message that the server clears by itself."""
    for turn in context.view.turns:
        raw = turn.raw if isinstance(turn.raw, Mapping) else {}
        cleared = raw.get("clear_at") is not None
        for block in turn.blocks:
            cleared_here = cleared or (isinstance(block.raw, Mapping) and block.raw.get("clear_at") is not None)
            if block.mark is not None and cleared_here and turn.role == "system":
                yield finding(
                    "PC608",
                    "the marked message is cleared at the next user message, so it cannot carry a marker",
                    block.pointer,
                    help="mark the user turn before it",
                )


def request_level(context: Context) -> Iterator[Diagnostic]:
    """The request's own marker on a platform that does not take it."""
    marker, mark = context.provider.marker, context.view.request_mark
    if marker is not None and mark is not None and not marker.request_level.value:
        yield finding(
            "PC604",
            f"`{marker.field}` at the top of the request is not taken on {context.provider.platform}",
            mark.pointer,
            help="mark the last block itself",
        )


def in_thread(context: Context) -> Iterator[Diagnostic]:
    """Markers in a request that continues a thread kept by the server."""
    name = context.provider.feature("thread_field")
    if name is None or context.view.body.get(name) is None:
        return
    marks = (*context.view.marks, *((context.view.request_mark,) if context.view.request_mark else ()))
    if marks:
        yield finding(
            "PC617",
            f"a request with `{name}` takes no cache markers",
            marks[0].pointer,
            help="drop the markers, or send the whole conversation without the thread",
        )


def foreign(context: Context) -> Iterator[Diagnostic]:
    """Marker fields of other formats, and markers for models that take none."""
    seen: set[str] = set()
    own = context.provider.marker
    for pointer, name in context.view.foreign:
        if name in seen:
            continue
        seen.add(name)
        expected = f"markers here are called `{own.field}`" if own else "there are no markers here"
        yield finding(
            "PC612",
            f"`{name}` is no field of a request to {context.provider.title}",
            pointer,
            notes=(expected, *context.refusal("breakpoint-unsupported-here")),
            help="lower the marker for this target, or drop it",
        )
    if own is not None and context.model and context.view.marks and not context.provider.takes_markers(context.model):
        yield finding(
            "PC612",
            f"`{context.model}` takes no cache markers on {context.provider.platform}",
            context.view.marks[0].pointer,
            notes=context.refusal("breakpoint-unsupported-here"),
            help="drop the markers for this model",
        )


def fields(context: Context) -> Iterator[Diagnostic]:
    """What a marker says: its type, its lifetime, and nothing else."""
    marker = context.provider.marker
    if marker is None:
        return
    request = (context.view.request_mark,) if context.view.request_mark else ()
    for mark in (*context.view.marks, *request):
        yield from _fields(marker, mark)
    private = set(marker.private_fields.value) if marker.private_fields else set()
    for pointer, name in _private(context.view.body, "", private):
        yield finding(
            "PC613",
            f"`{name}` is no field of the public API",
            pointer,
            notes=("it has been seen only in traffic of the vendor's own client",),
            help="drop it",
        )


def _fields(marker: Marker, mark: Mark) -> Iterator[Diagnostic]:
    if not isinstance(mark.value, Mapping):
        yield finding(
            "PC613", f"`{marker.field}` is not an object", mark.at, help=f'write `{{"{marker.type_key}": …}}`'
        )
        return
    types = marker.types.value
    if mark.value.get(marker.type_key) not in types:
        known = ", ".join(f"`{name}`" for name in types)
        yield finding("PC613", f"`{marker.type_key}` of a marker must be {known}", mark.at, help=f"write {known} in it")
    allowed = {marker.type_key, "ttl", *marker.extra_fields}
    for name in mark.value:
        if name not in allowed:
            yield finding(
                "PC613",
                f"`{name}` is no public field of `{marker.field}`",
                f"{mark.at}/{escaped(str(name))}",
                help="drop it",
            )
    ttl = mark.value.get("ttl")
    if ttl is not None and ttl not in marker.ttls.value:
        known = ", ".join(f"`{name}`" for name in marker.ttls.value)
        yield finding(
            "PC614", f"a marker here cannot live for `{ttl}`", f"{mark.at}/ttl", help=f"choose one of {known}"
        )


def _private(value: Json, pointer: str, names: set[str]) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            here = f"{pointer}/{escaped(str(key))}"
            # `scope` alone is an ordinary word; inside a marker the marker's own check sees it.
            if key in names and str(key).startswith("cache_"):
                yield here, str(key)
            elif key not in ("input", "input_schema"):
                yield from _private(item, here, names)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _private(item, f"{pointer}/{index}", names)


RULES: tuple[Rule, ...] = (
    over_limit,
    beyond_written,
    only_last_counts,
    lifetime_untranslated,
    on_wrong_block,
    on_empty_block,
    on_cleared_message,
    request_level,
    in_thread,
    foreign,
    fields,
)
