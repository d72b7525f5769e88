"""The database of an audit: what was read so far, a row for each request and each break, conversations that wait.

It is a file of SQLite, so that it can be asked anything that the reports do not say.
"""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from promptc.audit.facts import Place
from promptc.compare.lineage import DIGEST_BYTES, Conversation, Digest, Ending, Trail

FORMAT = "promptc.audit-state/1"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS inputs (
  input INTEGER PRIMARY KEY, name TEXT NOT NULL, format TEXT NOT NULL, identity TEXT NOT NULL, offset INTEGER NOT NULL,
  lines INTEGER NOT NULL, requests INTEGER NOT NULL, unreadable INTEGER NOT NULL, unknown INTEGER NOT NULL,
  without INTEGER NOT NULL, doubtful INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS requests (
  number INTEGER PRIMARY KEY, input INTEGER NOT NULL, line INTEGER NOT NULL, offset INTEGER, length INTEGER NOT NULL,
  part INTEGER NOT NULL, at TEXT, day TEXT, session TEXT, model TEXT, target TEXT, parent INTEGER, relation TEXT,
  verdict TEXT, bytes INTEGER NOT NULL, kept INTEGER, read INTEGER, written INTEGER, uncached INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS breaks (
  number INTEGER PRIMARY KEY, parent INTEGER NOT NULL, lane TEXT NOT NULL, pointer TEXT, byte INTEGER, place TEXT NOT NULL,
  kind TEXT NOT NULL, change_class TEXT, text_class TEXT, cause TEXT NOT NULL, was TEXT, "is" TEXT, section TEXT,
  spec TEXT, spec_line INTEGER, places INTEGER NOT NULL, bytes_lost INTEGER NOT NULL, tokens_lost INTEGER NOT NULL,
  cost REAL NOT NULL, counted INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS conversations (
  name INTEGER PRIMARY KEY, key TEXT, model TEXT, first BLOB, second BLOB, parts BLOB NOT NULL, roles TEXT NOT NULL,
  front BLOB NOT NULL, size INTEGER NOT NULL, number INTEGER NOT NULL, endings TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS alike ON conversations (first, key, number);
CREATE INDEX IF NOT EXISTS seconds ON conversations (second, key, number) WHERE second IS NOT NULL;
CREATE INDEX IF NOT EXISTS keys ON conversations (key, model, number) WHERE key IS NOT NULL;
"""
_COLUMNS = "name, key, model, parts, roles, front, size, number, endings"


class StateProblem(Exception):
    """A file that cannot be the state of this audit."""


class Store:
    """The database, open. Everything since the last `commit` is undone when the work stops.

    Without a path it is a file that SQLite makes and removes itself, so that memory does not grow with it.

    Attributes:
        db: The connection, for reports.
    """

    def __init__(self, path: Path | None) -> None:
        try:
            self.db = sqlite3.connect("" if path is None else path, isolation_level=None)
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = NORMAL")
            self.db.execute("PRAGMA cache_size = -16384")
            self.db.executescript(_SCHEMA)
            self.db.execute("BEGIN")
        except sqlite3.Error as fault:
            raise StateProblem(str(fault)) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.db.close()

    def commit(self) -> None:
        """Keep what was written."""
        self.db.execute("COMMIT")
        self.db.execute("BEGIN")

    def meta(self, key: str) -> str | None:
        """A value about the whole audit."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Set a value about the whole audit."""
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def roll_back(self) -> None:
        """Undo what was written since the last `commit`."""
        self.db.execute("ROLLBACK")
        self.db.execute("BEGIN")

    def input(self, input: int) -> tuple[str, str, int, int, int] | None:
        """Format, identity, offset, lines and requests of a log that was read, in part or whole (offset below 0)."""
        asked = "SELECT format, identity, offset, lines, requests FROM inputs WHERE input = ?"
        row: tuple[str, str, int, int, int] | None = self.db.execute(asked, (input,)).fetchone()
        return row

    def save_input(self, row: tuple[object, ...]) -> None:
        """Keep how far a log was read. Counts of what could not be read add up over runs."""
        added = ", ".join(
            f"{name} = {name} + excluded.{name}" for name in ("unreadable", "unknown", "without", "doubtful")
        )
        kept = ", ".join(f"{name} = excluded.{name}" for name in ("format", "identity", "offset", "lines", "requests"))
        sql = f"INSERT INTO inputs VALUES ({', '.join('?' * 11)}) ON CONFLICT (input) DO UPDATE SET {kept}, {added}"
        self.db.execute(sql, row)

    def last_number(self) -> int:
        """Number of the latest request."""
        return int(self.db.execute("SELECT COALESCE(MAX(number), 0) FROM requests").fetchone()[0])

    def add_requests(self, rows: Iterable[tuple[object, ...]]) -> None:
        """Add rows of requests, in the order of the columns."""
        self.db.executemany(f"INSERT INTO requests VALUES ({', '.join('?' * 19)})", rows)

    def add_breaks(self, rows: Iterable[tuple[object, ...]]) -> None:
        """Add rows of breaks, in the order of the columns."""
        self.db.executemany(f"INSERT INTO breaks VALUES ({', '.join('?' * 20)})", rows)

    def place(self, number: int) -> Place | None:
        """Where a request is."""
        row = self.db.execute(
            "SELECT input, line, offset, length, part FROM requests WHERE number = ?", (number,)
        ).fetchone()
        return None if row is None else Place(*row)

    def put(self, name: int, conversation: Conversation) -> None:
        """Store a conversation."""
        trail = conversation.trail
        endings = [[size, e.number, e.front.hex(), e.size] for size, e in conversation.endings.items()]
        first = trail.parts[0] if trail.parts else None
        second = b"".join(trail.parts[1:3]) if len(trail.parts) >= 3 else None
        values = (
            name,
            trail.key,
            trail.model,
            first,
            second,
            b"".join(trail.parts),
            trail.roles,
            trail.front,
            trail.size,
        )
        row = (*values, conversation.number, json.dumps(endings, separators=(",", ":")))
        self.db.execute(f"INSERT OR REPLACE INTO conversations VALUES ({', '.join('?' * 11)})", row)

    def alike(self, key: str | None, first: Digest, most: int) -> list[tuple[int, Conversation]]:
        """Take the latest that begin with a part, the latest first."""
        return self._take("first = ? AND key IS ?", (first, key), most)

    def second(self, key: str | None, second: Digest, third: Digest) -> tuple[int, Conversation] | None:
        """Take the latest with a second and a third part."""
        return next(iter(self._take("second = ? AND key IS ?", (second + third, key), 1)), None)

    def latest(self, key: str, model: str | None) -> tuple[int, Conversation] | None:
        """Take the latest of a session and model."""
        return next(iter(self._take("key = ? AND model IS ?", (key, model), 1)), None)

    def _take(self, where: str, values: tuple[object, ...], most: int) -> list[tuple[int, Conversation]]:
        asked = f"SELECT {_COLUMNS} FROM conversations WHERE {where} ORDER BY number DESC LIMIT ?"
        found = [_conversation(row) for row in self.db.execute(asked, (*values, most)).fetchall()]
        self.db.executemany("DELETE FROM conversations WHERE name = ?", [(name,) for name, _ in found])
        return found


def _conversation(
    row: tuple[int, str | None, str | None, bytes, str, bytes, int, int, str],
) -> tuple[int, Conversation]:
    name, key, model, parts, roles, front, size, number, endings = row
    split = tuple(parts[at : at + DIGEST_BYTES] for at in range(0, len(parts), DIGEST_BYTES))
    ends = {length: Ending(n, bytes.fromhex(f), bytes_) for length, n, f, bytes_ in json.loads(endings)}
    return name, Conversation(Trail(key, model, split, roles, front, size), number, ends)
