"""Exports as archives, folders and files; hostile archives among them."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from hippo import limits
from hippo.errors import SourceUnreadable
from hippo.interfaces.imports.bundle import Bundle


def archive(path: Path, files: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as made:
        for name, raw in files.items():
            made.writestr(name, raw)
    return path


def read(bundle: Bundle, name: str) -> bytes:
    with bundle.open(name) as stream:
        return b"".join(iter(lambda: stream.read(1 << 20), b""))


def test_an_archive_a_folder_and_a_file_give_their_files(tmp_path: Path) -> None:
    files = {"conversations.json": b"[]", "projects/a.json": b"{}"}
    with Bundle(archive(tmp_path / "export.zip", files)) as bundle:
        assert bundle.names == sorted(files)
        assert read(bundle, "projects/a.json") == b"{}"
    folder = tmp_path / "export"
    for name, raw in (files | {"other/deep.json": b"[]"}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)
    (folder / "link.json").symlink_to(folder / "conversations.json")
    with Bundle(folder) as bundle:
        assert bundle.names == sorted(files)
        assert read(bundle, "conversations.json") == b"[]"
    with Bundle(folder / "conversations.json") as bundle:
        assert bundle.names == ["conversations.json"]
        assert read(bundle, "conversations.json") == b"[]"


def test_names_that_would_reach_outside_reach_nothing(tmp_path: Path) -> None:
    hostile = {"/etc/conversations.json": b"[1]", "../../conversations.json": b"[2]"}
    with Bundle(archive(tmp_path / "a.zip", hostile)) as bundle:
        assert {read(bundle, name) for name in bundle.names} == {b"[1]", b"[2]"}
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_what_an_archive_unpacks_to_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_unpacked_bytes_max", 5_000_000)
    bomb = archive(tmp_path / "bomb.zip", {f"{n}.json": bytes(3_000_000) for n in range(2)})
    assert bomb.stat().st_size < 20_000
    with Bundle(bomb) as bundle:
        assert len(read(bundle, "0.json")) == 3_000_000
        with pytest.raises(OSError, match="more than 5000000 bytes"):
            read(bundle, "1.json")


def test_the_directory_of_an_archive_is_measured_before_it_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "import_directory_bytes_max", 1_000)
    many = archive(tmp_path / "many.zip", {f"{n}.json": b"" for n in range(30)})
    with pytest.raises(SourceUnreadable, match="directory has more than 1000 bytes: unpack it and give the folder"):
        Bundle(many)
    # The same in the records of a large archive, which count where they are there.
    raw = archive(tmp_path / "few.zip", {"a.json": b"[]"}).read_bytes()
    start = raw.rindex(b"PK\x05\x06")
    size, offset = struct.unpack_from("<LL", raw, start + 12)
    large = (struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 1 << 40, offset)
             + struct.pack("<4sLQL", b"PK\x06\x07", 0, start, 1))
    assert size < 1_000
    (tmp_path / "large.zip").write_bytes(raw[:start] + large + raw[start:])
    with pytest.raises(SourceUnreadable, match="directory has more"):
        Bundle(tmp_path / "large.zip")


def test_an_archive_that_is_damaged_or_closed_is_named(tmp_path: Path) -> None:
    whole = archive(tmp_path / "a.zip", {"conversations.json": b"[]" * 100}).read_bytes()
    (tmp_path / "torn.zip").write_bytes(whole[:60])
    with pytest.raises(SourceUnreadable, match=r"torn\.zip cannot be read"):
        Bundle(tmp_path / "torn.zip")
    at = whole.rindex(b"PK\x01\x02")
    (tmp_path / "closed.zip").write_bytes(whole[:at + 8] + b"\x01" + whole[at + 9:])
    with Bundle(tmp_path / "closed.zip") as bundle, pytest.raises(SourceUnreadable, match="encrypted"):
        read(bundle, "conversations.json")
    lzma = archive(tmp_path / "lzma.zip", {"conversations.json": b"[]"}, zipfile.ZIP_LZMA)
    with Bundle(lzma) as bundle, pytest.raises(SourceUnreadable, match="packed in a way that exports are not"):
        read(bundle, "conversations.json")


def test_a_flipped_bit_in_an_archive_is_found(tmp_path: Path) -> None:
    raw = bytearray(archive(tmp_path / "a.zip", {"a.json": b"[1, 2, 3]"}, zipfile.ZIP_STORED).read_bytes())
    raw[raw.index(b"2, 3")] ^= 1
    (tmp_path / "b.zip").write_bytes(raw)
    with Bundle(tmp_path / "b.zip") as bundle, pytest.raises(zipfile.BadZipFile):
        read(bundle, "a.json")
