"""Pages of comparisons in a real browser: nothing runs, nothing is fetched, and a phone shows them without scrolling."""

import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from promptc.cli.diff_views import view_of_prompt
from promptc.compare.diff import compare_streams
from promptc.compare.prompts import compare_prompts
from promptc.report.diff_html import DiffView, diff_html
from promptc.streams.read import read_pair
from support.hostile import HOSTILE, request_with
from support.manifests import GOLDEN, manifest_of

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--virtual-time-budget=4000",
]
PHONE = 390
# Opens everything that folds in a page as wide as a phone, and says how wide the page would like to be.
FRAME = f"""<!doctype html><title>none</title><iframe src="/page.html" width="{PHONE}" height="800" style="border:0"
onload="const d = this.contentDocument; d.querySelectorAll('details').forEach(e => e.open = true);
document.title = 'width ' + d.documentElement.scrollWidth;"></iframe>"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")]


class Site(HTTPServer):
    """A few pages on a loopback port, and what was asked of it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Site)
        # A browser asks for the icon of a site whatever its page says.
        if self.path != "/favicon.ico":
            self.server.asked.append(self.path)
        data = self.server.pages.get(self.path, "").encode()
        self.send_response(200 if data else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


@pytest.fixture
def site() -> Iterator[Site]:
    """A running site without pages."""
    server = Site()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def seen(site: Site, path: str, folder: Path) -> str:
    """The document as the browser has it once everything that would load or run has done so."""
    assert CHROMIUM is not None
    command = [CHROMIUM, *QUIET, f"--user-data-dir={folder}", "--dump-dom", f"{site.address}{path}"]
    return subprocess.run(command, capture_output=True, check=True, timeout=90).stdout.decode()


def title(document: str) -> str:
    found = re.search(r"<title>(.*?)</title>", document, re.DOTALL)
    assert found is not None
    return found[1]


def hostile_pages(site: Site) -> list[str]:
    def aimed(text: str) -> str:
        return text.replace("http://127.0.0.1:9", f"{site.address}/owned").replace(
            "src=x ", f"src={site.address}/owned "
        )

    views: list[DiffView] = []
    for text in map(aimed, HOSTILE):
        a, b, _ = read_pair((request_with(text, "one"), text), (request_with(text, "two"), text))
        assert a is not None
        assert b is not None
        made = compare_streams(a, b)
        views.append(DiffView(a, b, made, made.verdict, prompt=text))
    return [diff_html([view], [view.prompt or ""], [view.prompt or ""]) for view in views] + [diff_html(views)]


def test_the_browser_would_notice_what_runs_and_what_is_fetched(site: Site, tmp_path: Path) -> None:
    site.pages["/page.html"] = "<title>calm</title><script>document.title='owned'</script><img src=/owned>"
    assert title(seen(site, "/page.html", tmp_path)) == "owned"
    assert "/owned" in site.asked
    site.pages["/page.html"] = "<body style='margin: 0'><details><pre style='width: 900px'>x</pre></details>"
    site.pages["/frame.html"] = FRAME
    assert title(seen(site, "/frame.html", tmp_path)) == "width 900"


def test_hostile_text_runs_nothing_and_fetches_nothing(site: Site, tmp_path: Path) -> None:
    site.pages["/page.html"] = hostile_pages(site)[-1]
    document = seen(site, "/page.html", tmp_path)
    assert title(document).startswith("promptc diff: ")
    assert "<script" not in document
    assert site.asked == ["/page.html"]


def test_markup_that_got_through_would_still_run_nothing_and_fetch_nothing(site: Site, tmp_path: Path) -> None:
    """The policy of the page alone holds, if escaping ever fails."""
    page = hostile_pages(site)[-1]
    markup = (
        "<script>document.title='owned'</script><img src=/owned onerror=\"document.title='owned'\">"
        "<link rel=stylesheet href=/owned><iframe src=/owned></iframe><style>@import '/owned';</style>"
        "<div style=\"background: url('/owned')\">x</div>"
    )
    site.pages["/page.html"] = page.replace("<main>", f"<main>{markup}")
    assert title(seen(site, "/page.html", tmp_path)).startswith("promptc diff: ")
    assert site.asked == ["/page.html"]


@pytest.mark.parametrize("kind", ["requests", "spec"])
def test_nothing_is_wider_than_a_phone_even_when_all_is_unfolded(site: Site, tmp_path: Path, kind: str) -> None:
    if kind == "requests":
        site.pages["/page.html"] = hostile_pages(site)[-1]
    else:
        spec = (GOLDEN / "agent.promptc").read_text(encoding="utf-8")
        old, new = manifest_of(spec), manifest_of(spec.replace("Directory: ", "Folder: "))
        site.pages["/page.html"] = diff_html([view_of_prompt(compare_prompts(old, new, "before", "after"))])
    site.pages["/frame.html"] = FRAME
    assert title(seen(site, "/frame.html", tmp_path)) == f"width {PHONE}"
