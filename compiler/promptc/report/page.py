"""A page that needs nothing but itself: no script, no request, one style that its own policy admits by digest."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape

from promptc.report.visible import visible


def page(title: str, style: str, body: Iterable[str]) -> str:
    """The whole document.

    Args:
        title: Any text; made visible and escaped here.
        style: Style sheet of promptc's own; nothing of what is compared may stand in it.
        body: Lines of markup, escaped already.
    """
    digest = b64encode(sha256(style.encode()).digest()).decode()
    head = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        # Even markup that got through would fetch nothing, run nothing and send nothing.
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{safe(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
    ]
    return "\n".join([*head, *body, "</body>", "</html>"]) + "\n"


def safe(text: str, limit: int | None = None) -> str:
    """Hostile text as text: cut, what cannot be seen made visible, markup escaped.

    Args:
        limit: Code points of the text that are shown.
    """
    cut = text if limit is None or len(text) <= limit else text[:limit] + "…"
    return escape(visible(cut))
