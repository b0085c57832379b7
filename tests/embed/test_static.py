from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hippo.embed.static import StaticEmbedder, read_table
from hippo.errors import EmbedderFailed

TENSOR: dict[str, object] = {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}


def table_file(folder: Path, tensor: dict[str, object], content: bytes) -> Path:
    header = json.dumps({"embedding.weight": tensor}).encode()
    path = folder / "table.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + content)
    return path


def test_opening_reads_nothing_and_the_package_is_never_imported() -> None:
    program = (
        "import sys; from hippo.embed.embedder import open_embedder; e = open_embedder('wordllama'); "
        "assert 'tokenizers' not in sys.modules; e.embed(['hello']); "
        "assert 'tokenizers' in sys.modules and 'wordllama' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_the_table_stays_a_memory_map_of_half_floats() -> None:
    embedder = StaticEmbedder()
    embedder.embed(["hello"])
    table = embedder._opened().table
    assert isinstance(table, np.memmap)
    assert table.dtype == np.float16


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbedderFailed, match="wordllama is not installed"):
        StaticEmbedder().embed(["hello"])


def test_a_failure_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = StaticEmbedder()
    with monkeypatch.context() as broken:
        broken.setattr(importlib.util, "find_spec", lambda name: None)
        with pytest.raises(EmbedderFailed):
            embedder.embed(["hello"])
    assert embedder.embed(["hello"]).vectors.any()


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    numbers = np.arange(6, dtype="<f2").reshape(2, 3)
    np.testing.assert_array_equal(read_table(table_file(tmp_path, TENSOR, numbers.tobytes()), 2, 3), numbers)


@pytest.mark.parametrize("tensor", [
    TENSOR | {"dtype": "F32"}, TENSOR | {"shape": [3, 2]}, TENSOR | {"data_offsets": [0, 6]}, {}])
def test_another_table_is_refused_by_the_name_of_its_file(tmp_path: Path, tensor: dict[str, object]) -> None:
    with pytest.raises(EmbedderFailed, match=r"table\.safetensors cannot be read"):
        read_table(table_file(tmp_path, tensor, bytes(12)), 2, 3)


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 64, (1 << 60).to_bytes(8, "little") + b"{}"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.safetensors"
    path.write_bytes(content)
    with pytest.raises(EmbedderFailed, match=r"table\.safetensors cannot be read"):
        read_table(path, 2, 3)


def test_a_table_cut_short_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderFailed, match=r"table\.safetensors cannot be read"):
        read_table(table_file(tmp_path, TENSOR, bytes(5)), 2, 3)


def test_shouting_full_width_and_decomposed_letters_mean_the_same() -> None:
    calm, loud, wide, twin, single = StaticEmbedder().embed(
        ["call anna", "CALL ANNA", "\uff43\uff41\uff4c\uff4c anna", "cafe\u0301", "caf\u00e9"]).vectors
    np.testing.assert_array_equal(calm, loud)
    np.testing.assert_array_equal(calm, wide)
    np.testing.assert_array_equal(twin, single)
