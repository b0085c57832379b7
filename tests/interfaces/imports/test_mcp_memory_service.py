"""The SQLite store of mcp-memory-service, as the service itself wrote it."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hippo import limits
from hippo.errors import SourceUnreadable
from hippo.interfaces.imports.mcp_memory_service import is_one, read
from hippo.interfaces.imports.rows import BadRow, MemoryRow, SkippedRow

FIXTURE = Path(__file__).parent / "fixtures" / "mcp-memory-service.db.gz"
OLDEST = "CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL)"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "sqlite_vec.db"
    path.write_bytes(gzip.decompress(FIXTURE.read_bytes()))
    return path


@contextmanager
def changing(path: Path) -> Iterator[sqlite3.Connection]:
    """The store, to be changed without the triggers that only the service can run."""
    with closing(sqlite3.connect(path)) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        yield database
        database.commit()


def test_memories_come_with_kind_tags_time_and_salience(store: Path) -> None:
    rows = list(read(store))
    assert [(row.where, row.remember.text, row.remember.kind, row.remember.tags, row.remember.salience) for row in rows
            if isinstance(row, MemoryRow)] == [
        ("memory 1", "Ada prefers tea over coffee", "observation", ["preference", "ada"], 0.9),
        ("memory 2", "We decided to keep SQLite: \"no server\" wins", "decision", ["architecture", "db- storage"], None),
        ("memory 3", "二階の会議室は予約が必要 🗼", "observation", ["東京"], None),
        ("memory 4", "A plain memory without tags", "note", [], None),
        ("memory 7", "The deploy key is rotated every Tuesday", "note", ["ops"], pytest.approx(0.45))]
    assert isinstance(rows[0], MemoryRow)
    assert rows[0].remember.created_at == 1796040060251
    assert [row for row in rows if not isinstance(row, MemoryRow)] == [
        SkippedRow("memory 5", "A newer version superseded it there."), SkippedRow("memory 6", "It was deleted there.")]


def test_the_store_is_left_as_it_was(store: Path) -> None:
    before = store.read_bytes()
    list(read(store))
    assert list(read(store.parent)) == list(read(store))
    assert store.read_bytes() == before
    assert [path.name for path in store.parent.iterdir()] == ["sqlite_vec.db"]


def test_what_waits_in_its_log_is_read_too(store: Path) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as writer:
        for (name,) in writer.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            writer.execute(f"DROP TRIGGER {name}")
        writer.execute("INSERT INTO memories (content_hash, content) VALUES ('h', 'said just now')")
        assert store.with_name("sqlite_vec.db-wal").stat().st_size
        assert [row.remember.text for row in read(store) if isinstance(row, MemoryRow)][-1] == "said just now"


def test_what_is_wrong_with_a_row_ends_with_it(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_column_bytes_max", 1_000_000)
    with changing(store) as database:
        database.execute("UPDATE memories SET created_at = 1e18 WHERE id = 1")
        database.execute("UPDATE memories SET content = CAST(x'ff00' AS TEXT) WHERE id = 2")
        database.execute("UPDATE memories SET content = x'ff00' WHERE id = 3")
        database.execute("UPDATE memories SET content = ? WHERE id = 4", ("x" * 1_500_000,))
        database.execute("UPDATE memories SET metadata = 'no json', tags = '[\"a\", \"b, c\"]', created_at = NULL, "
                         "store = 'work' WHERE id = 7")
    rows = list(read(store))
    bad = {row.where: row.why for row in rows if isinstance(row, BadRow)}
    assert list(bad) == ["memory 1", "memory 2", "memory 3", "memory 4"]
    assert bad["memory 1"] == "1e+18 is not an instant in time."
    assert bad["memory 2"].startswith("It is not UTF-8 text")
    assert bad["memory 4"] == "It is damaged: string or blob too big."
    last = rows[-1]
    assert isinstance(last, MemoryRow)
    assert (last.remember.tags, last.remember.scope, last.remember.salience) == (["a", "b, c"], "work", None)
    assert last.remember.created_at == 1796040060431  # of created_at_iso


@pytest.mark.parametrize(("metadata", "salience"), [
    ('{"importance": 1}', 1.0), ('{"importance": 1.5}', None), ('{"importance": true}', None), ('{"importance": "high"}', None),
    ('{"importance_score": 2, "importance": 0.2}', 0.2), ('{"importance_score": 1}', 0.3), ("[1]", None), (None, None)])
def test_salience_is_a_share_or_left_out(metadata: str | None, salience: float | None, store: Path) -> None:
    with changing(store) as database:
        database.execute("UPDATE memories SET metadata = ? WHERE id = 1", (metadata,))
    first = next(read(store))
    assert isinstance(first, MemoryRow)
    assert first.remember.salience == pytest.approx(salience)


def test_an_old_store_with_fewer_columns_is_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as database:
        database.execute(OLDEST)
        database.execute("INSERT INTO memories VALUES (1, 'h', 'kept')")
        database.commit()
    assert is_one(tmp_path / "old.db")
    assert [row.remember.text for row in read(tmp_path / "old.db") if isinstance(row, MemoryRow)] == ["kept"]


def test_a_schema_that_lies_is_not_believed(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "view.db")) as database:
        database.execute("CREATE VIEW memories AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                         "SELECT i AS content_hash, 'x' AS content FROM n")
    assert not is_one(tmp_path / "view.db")
    with pytest.raises(SourceUnreadable, match="no table of memories"):
        list(read(tmp_path / "view.db"))


def test_what_lies_before_a_damaged_page_is_kept(store: Path) -> None:
    with changing(store) as database:
        database.executemany("INSERT INTO memories (content_hash, content) VALUES (?, ?)",
                             [(str(n), f"memory number {n} " + "x" * 500) for n in range(200)])
    raw = bytearray(store.read_bytes())
    page = raw.index(b"memory number 150 ") // 4096 * 4096
    raw[page:page + 4096] = bytes(4096)
    store.write_bytes(raw)
    rows = list(read(store))
    kept = [row.remember.text for row in rows if isinstance(row, MemoryRow)]
    assert any(text.startswith("memory number 100 ") for text in kept)
    assert rows[-1] == BadRow("the rest", "The database is damaged: database disk image is malformed.")


def test_a_damaged_or_foreign_file_is_named(store: Path) -> None:
    whole = store.read_bytes()
    store.write_bytes(whole[:50])
    with pytest.raises(SourceUnreadable, match=r"sqlite_vec\.db cannot be read: (file is not|disk I/O|database)"):
        list(read(store))
    (store.parent / "a.txt").write_text("x", "utf-8")
    with pytest.raises(SourceUnreadable, match="no SQLite database"):
        list(read(store.parent / "a.txt"))
    with pytest.raises(SourceUnreadable, match="No such file"):
        list(read(store.parent / "missing.db"))
