"""An imported Jinja2 template says what Jinja2 says, white space included."""

import os

import jinja2
from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.importing.jinja import JinjaOptions
from promptc.importing.run import Options
from support.imports import imported, system_text

_EXAMPLES = 2_000 if os.environ.get("PROMPTC_NIGHTLY") else 40
_VALUES = {
    "on": True,
    "off": False,
    "name": "Ines",
    "blank": "",
    "rows": [{"title": "one"}, {"title": "two\nlines"}],
    "none_left": [],
}

_literal = st.text(
    st.sampled_from(["a", "B", ".", " ", "\n", "\n", "\t", "{", "}", "#", "%", '"']), min_size=1, max_size=6
).filter(lambda text: not any(mark in text for mark in ("{{", "{%", "{#")) and not text.endswith("{"))
_tag = st.tuples(st.sampled_from(["", "", "-"]), st.sampled_from(["", "", "-"]))


@st.composite
def _templates(draw: st.DrawFn, depth: int = 0, inside: bool = False) -> str:
    out: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(
            st.sampled_from(
                ["text", "text", "out", "if", "else", "for", "comment", "raw"] if depth < 2 else ["text", "out"]
            )
        )
        (a, b), (c, d), (e, f) = draw(_tag), draw(_tag), draw(_tag)
        if kind == "text":
            out.append(draw(_literal))
        elif kind == "out":
            value = draw(st.sampled_from(["name", "blank or 'none'", "'x' if on else 'y'", "name | upper"]))
            out.append(f"{{{{{a} {'row.title' if inside and draw(st.booleans()) else value} {b}}}}}")
        elif kind == "comment":
            out.append(f"{{#{a} why {b}#}}")
        elif kind == "raw":
            out.append(f"{{%{a} raw {b}%}}{{{{ name }}}}{{%{c} endraw {d}%}}")
        elif kind == "for":
            rows = draw(st.sampled_from(["rows", "none_left"]))
            out.append(
                f"{{%{a} for row in {rows} {b}%}}{{{{ row.title }}}}{draw(_templates(depth + 1, True))}{{%{c} endfor {d}%}}"
            )
        else:
            test = draw(st.sampled_from(["on", "off", "name == 'Ines'", "not off and on", "blank != ''"]))
            other = f"{{%{e} else {f}%}}{draw(_templates(depth + 1, inside))}" if kind == "else" else ""
            out.append(f"{{%{a} if {test} {b}%}}{draw(_templates(depth + 1, inside))}{other}{{%{c} endif {d}%}}")
    return "".join(out)


@given(_templates(), st.booleans(), st.booleans())
@settings(max_examples=_EXAMPLES)
def test_an_imported_template_says_what_jinja2_says(template: str, trim: bool, lstrip: bool) -> None:
    environment = jinja2.Environment(trim_blocks=trim, lstrip_blocks=lstrip, autoescape=False)
    expected = environment.from_string(template).render(_VALUES)
    found = imported("system.j2", template, options=Options(jinja=JinjaOptions(trim, lstrip)))
    if found.spec is None:
        # Nothing is left to import of a template without text.
        assert "PC941" in {d.code for d in found.diagnostics}
        assert "has no text" in " ".join(d.message for d in found.diagnostics)
        return
    # White space at both ends of a message belongs to the seams.
    assert system_text(found.spec.dsl, _VALUES).strip(" \t\n") == expected.strip(" \t\n"), found.spec.dsl
