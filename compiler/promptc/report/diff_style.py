"""The style of the page of a comparison: light, dark, small screens and paper."""

from promptc.report.class_colours import class_hue

_STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --soft: #57606a; --page: #ffffff; --panel: #f6f8fa;
  --line: #d0d7de; --link: #0550ae; --break: #b42318; --tail: #7d4e00; --same: #116329;
  --was: #ffd7d5; --is: #b8f0c4; --at: #1f2328; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9da7b3; --page: #0d1117; --panel: #161b22;
  --line: #30363d; --link: #79c0ff; --break: #ff8077; --tail: #e3b341; --same: #56d364;
  --was: #67201f; --is: #134d27; --at: #ffffff; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--page); color: var(--text);
  font: 15px/1.5 ui-sans-serif, system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 0.4rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.4rem; }
summary h3, summary h4 { display: inline; font-size: 1rem; margin: 0; }
p { margin: 0.4rem 0; }
a { color: var(--link); }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
.soft, figcaption { color: var(--soft); }
.badge { display: inline-block; padding: 0 0.5em; border: 1px solid currentColor; border-radius: 1em;
  font-size: 0.85rem; }
h1 .badge { font-size: 1rem; vertical-align: 0.1em; margin-right: 0.3em; }
.break { color: var(--break); } .tail { color: var(--tail); } .same { color: var(--same); }
.names { display: grid; grid-template-columns: auto 1fr; gap: 0 0.8rem; margin: 0.4rem 0; }
.names dt { color: var(--soft); } .names dd { margin: 0; }
.bar { display: block; overflow: visible; }
.bar rect { stroke: var(--page); stroke-width: 1; }
.lost { opacity: 0.3; }
path.parts { stroke: var(--text); fill: var(--text); stroke-width: 2; }
path.alive { fill: var(--same); }
path.dead { stroke: var(--break); stroke-width: 2; fill: none; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; padding: 0; margin: 0.2rem 0 0.6rem;
  font-size: 0.9rem; }
.key { display: inline-block; width: 0.85em; height: 0.85em; border-radius: 2px; margin-right: 0.35em; }
.sign { display: inline-block; width: 1.1em; } .sign.alive { color: var(--same); } .sign.dead { color: var(--break); }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0 0.7rem; }
details[open] { padding-bottom: 0.5rem; }
summary { cursor: pointer; padding: 0.45rem 0; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.sides { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; }
@media (min-width: 52rem) { .sides { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
figure { margin: 0; } figcaption { font-size: 0.85rem; }
pre { margin: 0; padding: 0.5rem 0.6rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; overflow: hidden; unicode-bidi: isolate; direction: ltr; }
pre.was { border-left: 4px solid var(--break); } pre.is { border-left: 4px solid var(--same); }
pre.hex { white-space: pre; overflow-x: auto; font-size: 12px; }
.lead { color: var(--soft); }
mark { color: inherit; border-radius: 2px; } .was mark { background: var(--was); } .is mark { background: var(--is); }
.at { outline: 2px solid var(--at); border-radius: 2px; }
.end, .none { font-style: italic; font-weight: 400; }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.1rem 0.8rem; margin: 0.6rem 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { padding: 0.2rem 0.6rem 0.2rem 0; text-align: left; border-bottom: 1px solid var(--line); }
td:nth-child(n+3), th:nth-child(n+3) { text-align: right; }
td, thead th { white-space: nowrap; } tbody th { font-weight: 400; min-width: 7rem; }
.tree details { border-width: 0 0 0 2px; border-radius: 0; }
@media print {
  html { font-size: 11px; }
  body { max-width: none; padding: 0 0.7rem; font-size: 1rem; }
  code, pre, pre.hex { font-size: 0.9rem; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  .bar, mark, .key { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  figure, .bar { break-inside: avoid; }
}
"""


def diff_style(groups: int) -> str:
    """The style sheet; nothing moves in it, so there is nothing to reduce.

    Args:
        groups: How many colours the bars need, from what never changes to what always does.
    """
    light = "".join(_colour(index, groups, "55%, 60%") for index in range(groups))
    dark = "".join(_colour(index, groups, "50%, 45%") for index in range(groups))
    return f"{_STYLE}{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _colour(index: int, groups: int, rest: str) -> str:
    colour = f"hsl({class_hue(index, groups)}, {rest})"
    return f".g{index} {{ fill: {colour}; }} .key.g{index} {{ background: {colour}; }}\n"
