"""Read the traffic block: every clause there, once, and saying something."""

from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.semantics.facts import Facts, Traffic
from promptc.syntax import traffic_nodes as parts
from promptc.syntax.expressions import Ident, Node

# The cost of a session is added up turn by turn, in whole numbers of any size.
_MOST_TURNS = 10_000
_MOST = 10**12
_SECONDS = {"hour": 3_600, "day": 86_400}
_ONCE: dict[type[parts.TrafficItem], str] = {
    parts.Turns: "turns 25 per session",
    parts.Gaps: "gaps 80% within 5m, 20% within 1h",
    parts.Blocks: "blocks 100% within 6 per turn",
    parts.TurnTokens: "tokens 1_500 per turn",
}


def check_traffic(facts: Facts, sink: Sink) -> None:
    """Check the traffic block, and keep what it says.

    Diagnostics:
        PC204 an unknown class, PC685 a clause that is missing, stands twice or says nothing, PC686 shares that are no
        distribution.
    """
    decl = facts.symbols.traffic
    if decl is None:
        return
    own = Sink()
    _clauses(decl, own)
    sessions = _sessions(facts, decl, own)
    names = {e.name for e in _elements(facts)}
    for item in decl.items:
        if isinstance(item, parts.SizeOf | parts.Present):
            _element(item, names, own)
        elif isinstance(item, parts.Gaps | parts.Blocks):
            _shares(item, own)
    sink.extend(own.sorted())
    if own.sorted():
        return
    by_kind = {type(item): item for item in decl.items}
    turns, gaps, blocks, tokens = (by_kind[kind] for kind in _ONCE)
    assert isinstance(turns, parts.Turns) and isinstance(tokens, parts.TurnTokens)
    assert isinstance(gaps, parts.Gaps) and isinstance(blocks, parts.Blocks)
    facts.traffic = Traffic(
        decl,
        sessions,
        turns.count,
        tuple((share.percent, share.within) for share in gaps.shares),
        tuple((share.percent, share.within) for share in blocks.shares),
        tokens.count,
        {item.name.name: item.tokens for item in decl.items if isinstance(item, parts.SizeOf)},
        {item.name.name: item.percent for item in decl.items if isinstance(item, parts.Present)},
    )


def _faulty(sink: Sink, node: Node, message: str, help: str | None = None, earlier: Node | None = None) -> None:
    secondary = (Label(earlier.span, "first here"),) if earlier is not None else ()
    sink.report(Diagnostic("PC685", message, Label(node.span), secondary, help=help))


def _clauses(decl: parts.TrafficDecl, sink: Sink) -> None:
    first: dict[object, parts.TrafficItem] = {}
    for item in decl.items:
        key: object = type(item)
        what = _word(item)
        if isinstance(item, parts.Sessions):
            key, what = (key, item.cls.name if item.cls else None), "this rate of sessions"
        elif isinstance(item, parts.SizeOf | parts.Present):
            key, what = (key, item.name.name), f"what `{item.name.name}` is told here"
        before = first.setdefault(key, item)
        if before is not item:
            _faulty(sink, item, f"{what} is said a second time", "keep one of them", before)
        if isinstance(item, parts.Turns) and not 1 <= item.count <= _MOST_TURNS:
            _faulty(sink, item, f"a session has 1 to {_MOST_TURNS:,} turns here, not {item.count:,}")
    missing = [example for kind, example in _ONCE.items() if kind not in first]
    if not any(isinstance(item, parts.Sessions) for item in decl.items):
        missing.insert(0, "sessions 600 per hour")
    if missing:
        listed = ", ".join(f"`{example.split()[0]}`" for example in missing)
        place = decl.span
        at = type(place)(place.path, place.start, place.start + len("traffic"))
        help = "add " + ", ".join(f"`{example}`" for example in missing)
        sink.report(Diagnostic("PC685", f"the traffic does not say its {listed}", Label(at), help=help))


def _word(item: parts.TrafficItem) -> str:
    for kind, example in _ONCE.items():
        if isinstance(item, kind):
            return f"`{' '.join(example.split()[:1])}`"
    return "this"


def _sessions(facts: Facts, decl: parts.TrafficDecl, sink: Sink) -> dict[str, tuple[int, int]]:
    chain = facts.symbols.chain
    found: dict[str, tuple[int, int]] = {}
    last: tuple[str, parts.Sessions] | None = None
    rates = [item for item in decl.items if isinstance(item, parts.Sessions)]
    for item in rates:
        if item.cls is not None and item.cls.name not in chain.names:
            near = suggest(item.cls.name, list(chain.names))
            help = f"did you mean `{near}`?" if near else "the chain is " + " < ".join(chain.names)
            sink.report(Diagnostic("PC204", f"there is no class `{item.cls.name}`", Label(item.cls.span), help=help))
            continue
        cls = item.cls.name if item.cls is not None else chain.bottom
        if not chain.is_above(chain.conversation, cls):
            _faulty(sink, item, f"sessions are not counted per `{cls}`: one of them is one session")
            continue
        if not 1 <= item.count <= _MOST:
            _faulty(sink, item, f"a rate is 1 to {_MOST:,} sessions, not {item.count:,}", "name a longer time")
            continue
        found[cls] = (item.count, _SECONDS[item.per])
    counted = [r for r in rates if (r.cls.name if r.cls is not None else chain.bottom) in found]
    for item in sorted(counted, key=lambda r: chain.rank(r.cls.name) if r.cls is not None else 0):
        cls = item.cls.name if item.cls is not None else chain.bottom
        if last is not None:
            (count, seconds), (before, of) = found[cls], found[last[0]]
            if count * of > before * seconds:
                many = "there are" if last[0] == chain.bottom else f"one `{last[0]}`, which holds it"
                _faulty(sink, item, f"one `{cls}` cannot have more sessions than {many}", earlier=last[1])
        last = (cls, item)
    return found


def _elements(facts: Facts) -> Iterator[Ident]:
    for layout in facts.layouts.values():
        for tool in layout.tools:
            yield tool.name
        for section in layout.sections:
            yield Ident(span=section.at, name=section.name)


def _element(item: parts.SizeOf | parts.Present, names: set[str], sink: Sink) -> None:
    if item.name.name not in names:
        near = suggest(item.name.name, sorted(names))
        help = f"did you mean `{near}`?" if near else "name a tool group, a tool or a section of a prompt"
        message = f"no prompt has an element `{item.name.name}`"
        sink.report(Diagnostic("PC685", message, Label(item.name.span), help=help))
    if isinstance(item, parts.Present) and not 0 <= item.percent <= 100:
        _faulty(sink, item, f"{item.percent:,} of a hundred sessions are too many")


def _shares(item: parts.Gaps | parts.Blocks, sink: Sink) -> None:
    word = "gaps" if isinstance(item, parts.Gaps) else "blocks"
    total = sum(share.percent for share in item.shares)
    if total != 100:
        more = "add the rest" if total < 100 else "take the rest away"
        message = f"the shares of `{word}` add up to {total:,}%, not to 100%"
        sink.report(Diagnostic("PC686", message, Label(item.span), help=more))
    bounds = [share.within for share in item.shares]
    for before, share in zip([0, *bounds], item.shares, strict=False):
        if share.within <= before:
            message = f"the bounds of `{word}` do not rise" if before else f"a bound of `{word}` is 0"
            sink.report(Diagnostic("PC686", message, Label(share.span), help="write the smallest bound first"))
            return
