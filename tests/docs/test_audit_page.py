"""docs/how-to/audit.md: its query runs, and its tables of columns are those of the database."""

import re
from pathlib import Path

from promptc.audit.run import Audit, Options
from promptc.audit.store import Store
from promptc.providers.registry import BUILTIN
from support.checkout import ROOT
from support.code_pages import fences
from support.logs import PLAN, log_lines

PAGE = (ROOT / "docs" / "how-to" / "audit.md").read_text(encoding="utf-8")


def test_the_query_of_the_page_gives_rows(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(log_lines(PLAN))
    query = next(fence.text for fence in fences(PAGE) if fence.language == "sql")
    with Store(None) as store:
        Audit(store, Options(), BUILTIN).run([tmp_path / "log.jsonl"])
        assert len(store.db.execute(query).fetchall()) == 2


def test_every_column_of_the_page_is_there() -> None:
    with Store(None) as store:
        for table, names in re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE):
            columns = {row[1] for row in store.db.execute(f"PRAGMA table_info({table})")}
            assert set(re.findall(r"`(\w+)`", names)) <= columns
