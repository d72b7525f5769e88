"""The page of a comparison: what it shows, that it stays one page, and that no text gets out of its place."""

import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from promptc.cli.diff_views import view_of_prompt
from promptc.compare.diff import compare_streams
from promptc.compare.prompts import compare_prompts
from promptc.providers.registry import provider
from promptc.report.diff_html import DiffView, diff_html
from promptc.report.diff_style import diff_style
from promptc.report.prefix_bar import parts_of
from promptc.report.variant_tree import VariantFate
from promptc.streams.model import PrefixStream
from promptc.streams.plain_text import text_stream
from promptc.streams.read import read_pair
from promptc.streams.result import Comparison, Finding, ParamChange, ScopeAmount, SpecPlace
from promptc.streams.rules import UNKNOWN_TARGET, cache_rules
from support.hostile import HOSTILE, request_with
from support.manifests import GOLDEN as MANIFESTS
from support.manifests import manifest_of
from support.pages import read_page

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "diff"
TAGS = frozenset(
    {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "main",
        "nav",
        "section",
        "h1",
        "h2",
        "h3",
        "h4",
        "p",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "a",
        "code",
        "pre",
        "span",
        "strong",
        "b",
        "mark",
        "div",
        "figure",
        "figcaption",
        "details",
        "summary",
        "svg",
        "rect",
        "path",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
)
ATTRIBUTES = frozenset(
    {
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
        "id",
        "href",
        "role",
        "aria-label",
        "aria-hidden",
        "tabindex",
        "open",
        "scope",
        "x",
        "y",
        "width",
        "height",
        "d",
        "overflow",
    }
)
CLASS = re.compile(
    r"(badge|break|tail|same|soft|names|facts|bar|g\d+|kept|lost|alive|dead|parts|legend|key|sign|sides|was|is|lead|at|"
    r"end|none|hex|wide|tree| )+"
)


def text_view(a: str, b: str) -> DiffView:
    first, second = text_stream(a, "a.txt"), text_stream(b, "b.txt")
    made = compare_streams(first, second)
    return DiffView(first, second, made, made.verdict)


def request_view(a: bytes, b: bytes, suffix: str = ".json") -> DiffView:
    first, second, _ = read_pair((a, f"a{suffix}"), (b, f"b{suffix}"))
    assert isinstance(first, PrefixStream)
    assert isinstance(second, PrefixStream)
    rules = UNKNOWN_TARGET if first.target is None else cache_rules(provider(first.target))
    made = compare_streams(first, second, rules)
    return DiffView(first, second, made, made.verdict)


def spec_view() -> DiffView:
    spec = (MANIFESTS / "agent.promptc").read_text(encoding="utf-8")
    old, new = manifest_of(spec), manifest_of(spec.replace("Directory: ", "Folder: "))
    return view_of_prompt(compare_prompts(old, new, "before", "after"))


def assert_is_harmless(text: str) -> None:
    page = read_page(text)
    assert page.unclosed == []
    assert page.comments == 0
    assert {name for name, _ in page.elements} <= TAGS
    assert [name for name, _ in page.elements].count("style") == 1
    for name, attributes in page.elements:
        assert attributes.keys() <= ATTRIBUTES, name
        assert CLASS.fullmatch(attributes.get("class") or "lost"), attributes
        assert re.fullmatch(r"#prompt-\d+", attributes.get("href") or "#prompt-1")
        if name == "meta":
            assert attributes.get("http-equiv") in (None, "Content-Security-Policy")
    assert all(character == "\n" or character.isprintable() for character in text)


@pytest.mark.parametrize("name", ["clock-and-respelled-result", "plain-text"])
def test_page_is_as_recorded(name: str, update: bool) -> None:
    (a,), (b,) = (GOLDEN / name).glob("a.*"), (GOLDEN / name).glob("b.*")
    text = diff_html([request_view(a.read_bytes(), b.read_bytes(), a.suffix)])
    golden = GOLDEN / name / "report.html"
    if update:
        golden.write_bytes(text.encode())
    assert golden.read_bytes().decode() == text


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_requests_stay_text(hostile: str) -> None:
    a, b = request_with(hostile, "one"), request_with(hostile, "two")
    assert_is_harmless(diff_html([request_view(a, b)]))
    assert_is_harmless(diff_html([request_view(request_with("x", ""), request_with(hostile, ""))]))
    assert_is_harmless(diff_html([request_view(request_with(hostile, ""), request_with("x", ""))]))


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_stay_text(hostile: str) -> None:
    for a, b in (("", hostile), (hostile, ""), (hostile + "a", hostile + "b"), ("a" + hostile, "b" + hostile)):
        assert_is_harmless(diff_html([text_view(a, b)]))


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_stay_text_in_every_field_of_the_result(hostile: str) -> None:
    """Whatever the comparison may say one day, no field of it is markup."""
    view = text_view(f"{hostile}a", f"{hostile}b")
    found = Finding(
        pointer_a=hostile,
        pointer_b=hostile + hostile,
        byte_offset=None,
        char_offset=None,
        line=1,
        column=1,
        rest_a=hostile,
        rest_b=hostile,
        change_class="mixed",
        text_class=None,
        cause=hostile,
        section=hostile,
        span=SpecPlace(path=hostile, line=1, column=2),
    )
    param = ParamChange(pointer=hostile, name=hostile, was=hostile, now=hostile, loses=(hostile,), certainty=hostile)
    changes: dict[str, Any] = {
        "a": view.comparison.a.model_copy(update={"name": hostile, "target": hostile, "order": (hostile, hostile)}),
        "b": view.comparison.b.model_copy(update={"name": hostile, "format": hostile}),
        "findings": (found, *view.comparison.findings),
        "param_changes": (param,),
        "breakpoints_surviving": (hostile, ""),
        "breakpoints_lost": (hostile,),
        "common_prefix_through": hostile,
        "cache_read_through": hostile,
        "limits": (hostile,),
        "notes": (hostile,),
        "prefix": view.comparison.prefix.model_copy(
            update={
                "scopes": (ScopeAmount(scope=hostile, kept=1, lost=2),),
                "tokens": view.comparison.prefix.tokens.model_copy(update={"method": hostile}),
            }
        ),
    }
    result: Comparison = view.comparison.model_copy(update=changes)
    prompt = spec_view()
    fates = (VariantFate(((hostile, True), ("x", False)), result), VariantFate(((hostile, False),), result))
    views = [
        DiffView(view.a, view.b, result, "break", prompt=hostile, variants=fates),
        DiffView(
            prompt.a,
            prompt.b,
            prompt.comparison,
            "break",
            prompt=hostile,
            chain=(hostile, *prompt.chain),
            classes=dict.fromkeys(prompt.classes, hostile),
        ),
    ]
    assert_is_harmless(diff_html(views, added=[hostile], removed=[hostile]))


def test_a_check_that_sees_nothing_would_be_no_check() -> None:
    page = diff_html([text_view("a", "b")])
    for broken in (
        page.replace("</main>", "<script>1</script></main>"),
        page.replace("<main>", "<main onclick='x'>"),
        page.replace("</header>", ""),
        page.replace("</main>", "\u202e</main>"),
    ):
        with pytest.raises(AssertionError):
            assert_is_harmless(broken)


def test_the_policy_admits_the_one_style_and_nothing_else() -> None:
    text = diff_html([text_view("a", "b")])
    style = text[text.index("<style>") + 7 : text.index("</style>")]
    policy = next(attributes["content"] for name, attributes in read_page(text).elements if "http-equiv" in attributes)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert "@import" not in style


def test_the_same_comparison_gives_the_same_page() -> None:
    assert diff_html([spec_view()]) == diff_html([spec_view()])


def test_the_exact_byte_is_marked_on_both_sides() -> None:
    text = diff_html([text_view("one é two", "one è two")])
    assert '<span class="lead">one </span><mark><b class="at">é</b></mark>' in text
    assert '<span class="lead">one </span><mark><b class="at">è</b></mark>' in text
    # Both letters begin with C3: the bytes part inside them.
    assert 'c3 <b class="at">a9</b>' in text
    assert 'c3 <b class="at">a8</b>' in text
    assert "was, byte 5" in text


def test_a_later_place_is_found_in_the_second_text_too() -> None:
    lines = [f"line {n} stays" for n in range(40)]
    old = "\n".join(["first", *lines, "last is a"])
    new = "\n".join(["first, longer than before", *lines, "last is b"])
    text = diff_html([text_view(old, new)])
    assert f"was, byte {len(old) - 1}<" in text
    assert f"is, byte {len(new) - 1}<" in text


def test_the_end_of_a_text_is_said() -> None:
    text = read_page(diff_html([text_view("one\ntwo", "one\ntwo too")])).text
    assert "end of the text" in text


def test_what_cannot_be_seen_is_shown() -> None:
    text = read_page(diff_html([text_view("a\u200bb\r\n", "ab\n")])).text
    assert "<U+200B>" in text
    assert "␍↵" in text
    assert "a·b" in read_page(diff_html([text_view("a b", "a  b")])).text


def test_parts_fill_the_bar_and_carry_their_class() -> None:
    view = spec_view()
    parts = parts_of(view.a, view.classes)
    assert parts[0].start == 0
    assert all(one.start + one.size == two.start for one, two in pairwise(parts))
    assert sum(part.size for part in parts) == sum(element.size for element in view.a.elements)
    assert {part.group for part in parts} <= set(view.groups)
    assert {"static", "session"} <= {part.group for part in parts}


def test_many_small_parts_are_drawn_together() -> None:
    body = b'{"messages": [' + b",".join(b'{"role": "user", "content": "x"}' for _ in range(5000)) + b"]}"
    view = request_view(body, body.replace(b'"x"', b'"y"', 1))
    parts = parts_of(view.a, {})
    assert len(parts) < 600
    assert sum(part.count for part in parts) == 5000


def test_variants_are_a_tree_with_the_worst_first() -> None:
    view = spec_view()
    assert len(view.variants) > 2
    text = diff_html([view])
    tree = text[text.index('<div class="tree">') :]
    found = re.findall(r'<strong class="badge (\w+)">', tree)
    assert found[0] == max((fate.comparison.verdict for fate in view.variants), key=["same", "tail", "break"].index)
    assert tree.count("bytes kept</li>") >= len(view.variants)


def test_a_request_that_continues_the_first_breaks_nothing() -> None:
    message = b'{"role": "user", "content": "x"}'
    body = b'{"model": "claude-sonnet-4-5", "max_tokens": 1, "messages": [%s]}'
    text = diff_html([request_view(body % message, body % (message + b", " + message))])
    assert "The second continues the first; nothing that is cached breaks" in read_page(text).text
    assert 'class="parts"' not in text
    assert "sign parts" not in text


def test_headings_go_down_one_level_at_a_time() -> None:
    for view in (spec_view(), text_view("a", "b")):
        levels = [int(n) for n in re.findall(r"<h(\d)>", diff_html([view]))]
        assert levels[0] == 1
        assert all(two <= one + 1 for one, two in pairwise(levels))


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_texts_can_be_read_on_their_grounds_in_light_and_dark() -> None:
    """Contrast of at least 4.5 (WCAG 2.2, 1.4.3)."""
    schemes = re.findall(r":root \{(.*?)\}", diff_style(3), re.DOTALL)
    assert len(schemes) == 2
    for scheme in schemes:
        colours = dict(re.findall(r"--(\w+): (#\w{6})", scheme))
        for front, ground in (
            *((name, ground) for name in ("text", "soft") for ground in ("page", "panel")),
            *((name, "page") for name in ("link", "break", "tail", "same")),
            *(("text", ground) for ground in ("was", "is")),
        ):
            one, two = sorted((_luminance(colours[front]), _luminance(colours[ground])), reverse=True)
            assert (one + 0.05) / (two + 0.05) >= 4.5, (front, ground)
