"""hippo check."""

from __future__ import annotations

import pytest

from hippo.errors import StoreDamaged, StoreInUse, StoreMissing
from tests.cli.commands import hippo


@pytest.fixture
def store(tmp_path):
    assert hippo("remember", "--lines", folder=tmp_path, stdin="one\ntwo\nthree\n").code == 0
    return tmp_path


def test_a_whole_store_passes(store):
    ran = hippo("check", folder=store)
    assert (ran.code, ran.err) == (0, "")
    assert "every invariant holds" in ran.out
    assert hippo("check", "--json", folder=store).json == {"findings": []}


def test_damage_is_named_and_ends_with_its_code(store):
    index = store / "index"
    raw = bytearray(index.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    index.write_bytes(raw)
    ran = hippo("check", "--json", folder=store)
    assert ran.code == StoreDamaged.exit_code
    assert {finding["file"] for finding in ran.json["findings"]} == {"index"}
    assert "hippo check --repair" in ran.err
    assert "index" in hippo("check", folder=store).out


def test_what_can_be_mended_is_mended(store):
    (store / "index").unlink()
    mended = hippo("check", "--repair", folder=store)
    assert (mended.code, "mended" in mended.out) == (0, True)
    assert hippo("check", folder=store).code == 0


def test_checking_alone_changes_nothing(store):
    (store / "index").unlink()
    before = {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}
    hippo("check", folder=store)
    assert {path: path.read_bytes() for path in store.rglob("*") if path.is_file()} == before


def test_where_there_is_no_store_there_is_nothing_to_check(tmp_path):
    assert hippo("check", folder=tmp_path / "none").code == StoreMissing.exit_code
    assert not (tmp_path / "none").exists()


def test_beside_a_daemon_it_reads_with_a_remark_and_does_not_repair(served):
    folder, _ = served
    hippo("remember", "written while it is checked", folder=folder)
    ran = hippo("check", folder=folder)
    assert ran.code == 0, ran.out
    assert "owns this store" in ran.err
    assert hippo("check", "--repair", folder=folder).code == StoreInUse.exit_code
    assert hippo("stats", folder=folder).code == 0
