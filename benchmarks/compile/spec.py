"""Specs of any size for the compile benchmark: half static, a fifth conditional, the rest with values, a loop in each tenth."""

import random

WORDS = [
    "branch",
    "run",
    "diff",
    "retry",
    "policy",
    "verify",
    "agent",
    "token",
    "user",
    "search",
    "command",
    "result",
    "queue",
    "tests",
    "permission",
    "output",
    "plan",
    "review",
    "build",
    "network",
    "edit",
    "session",
    "file",
    "change",
    "always",
    "before",
    "small",
    "write",
    "context",
    "prefer",
    "note",
    "explain",
    "limit",
]
INPUTS = 40


def spec_text(sections: int) -> str:
    """A module with one prompt of that many sections, about one kilobyte each; the same text for the same number."""
    rng = random.Random(sections)
    lines = ["language 1", "", "scope global  holds static   ttl 1h", "scope session holds session  ttl 5m", ""]
    lines += ["record Item {", "  name : text", "  size : int", "  live : bool", "}", ""]
    lines += [f"input flag_{i:02} : bool @static" for i in range(INPUTS)]
    lines += [f"input value_{i:02} : text @session" for i in range(INPUTS)]
    lines += ["input items : list[Item] @session", "", "prompt large {", "  target anthropic", "  system {"]
    static = [i for i in range(sections) if i % 10 < 7]
    session = [i for i in range(sections) if i % 10 >= 7]
    lines.append("    cache global {")
    for index in static:
        when = f" when flag_{index % INPUTS:02}" if index % 10 >= 5 else ""
        lines += [f'      section part_{index:05} @static{when} """', *_paragraph(rng, 9, ""), '        """']
    lines += ["    }", "    cache session {"]
    for index in session:
        value = f"value_{index % INPUTS:02}"
        lines.append(f'      section part_{index:05} @session """')
        lines += _paragraph(rng, 7, f" {{{{ {value} }}}}")
        if index % 10 == 9:
            lines += [
                "        {% for item in items if item.live %}",
                "        - {{ loop.index }}. {{ item.name }}{% if item.size > 3 %} (large){% endif %}",
                "        {% endfor %}",
            ]
        lines.append('        """')
    lines += ["    }", "  }", "}", ""]
    return "\n".join(lines)


def _paragraph(rng: random.Random, count: int, insert: str) -> list[str]:
    out = []
    for number in range(count):
        words = " ".join(rng.choice(WORDS) for _ in range(16))
        out.append(f"        {words.capitalize()}{insert if number % 3 == 1 else ''}.")
    return out


def bodies(text: str) -> list[str]:
    """The template bodies of such a module, as Jinja2 would be given them."""
    return [part for index, part in enumerate(text.split('"""')) if index % 2]
