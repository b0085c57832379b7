"""The default embedder: wordllama's table of 32,000 tokens by 256 numbers, read directly from its wheel's files.

1. A document is the plain mean of its tokens; the table's own lengths already keep frequent words small.
2. A cue is pooled with the inverse document frequency of the agent's own memories: weights learned elsewhere are worse
   than none.
3. The package is never imported: it looks for its tokenizer in the wrong folder, and sets up logging for everybody.
4. The table stays float16 in a memory map: pages that no text needed are never read, and several daemons share them.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from hippo import limits
from hippo.embed.embedder import BuiltIn, Calibration, Embedded, rarity, unit_rows
from hippo.errors import EmbedderFailed

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_PACKAGE = "wordllama"
_TABLE = Path("weights") / "l2_supercat_256.safetensors"
_TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"


class _Files(NamedTuple):
    table: NDArray[np.float16]
    tokenizer: Tokenizer


def _package_folder() -> Path:
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise EmbedderFailed(why=f"the package {_PACKAGE} is not installed")
    return Path(found.submodule_search_locations[0])


def read_table(path: Path, rows: int, columns: int) -> NDArray[np.float16]:
    """The tensor of a safetensors file with one float16 table, as a memory map.

    The file starts with the length of its header as an unsigned 64-bit little-endian number, then comes a JSON header
    that gives dtype, shape and byte range (counted from the header's end) of each tensor.

    Args:
        path: The file.
        rows: The rows it must have.
        columns: The columns it must have.

    Raises:
        EmbedderFailed: The file cannot be read or holds something else.
    """
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > limits.table_header_bytes_max:
                raise ValueError("its header is too long")
            tensor = json.loads(file.read(length))[_TENSOR]
        first, end = tensor["data_offsets"]
        if (tensor["dtype"], tensor["shape"], end - first) != ("F16", [rows, columns], rows * columns * 2):
            raise ValueError("it holds another table")
        return np.memmap(path, dtype="<f2", mode="r", offset=8 + length + first, shape=(rows, columns))
    except (OSError, ValueError, KeyError, TypeError) as failure:
        raise EmbedderFailed(why=f"{path.name} cannot be read: {failure}") from failure


def _readable(text: str) -> str:
    """The text as the table knows words: NFKC, a text in capitals only in small letters (its words are other tokens),
    without lone surrogates (the tokenizer refuses them)."""
    if not text.isascii():
        text = normalize("NFKC", text).encode("utf-8", "replace").decode()
    return text.lower() if text.isupper() else text


class StaticEmbedder(BuiltIn):
    """Means of token vectors; see the rules of this module. Everything is read at the first use."""

    name = "wordllama"
    dimensions = 256
    vocabulary = 32_000

    def __init__(self) -> None:
        self._files: _Files | None = None

    def _opened(self) -> _Files:
        if self._files is None:
            folder = _package_folder()
            table = read_table(folder / _TABLE, self.vocabulary, self.dimensions)
            try:
                from tokenizers import Tokenizer

                tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
            except Exception as failure:  # the Rust side raises plain Exception
                raise EmbedderFailed(why=f"{_TOKENIZER.name} cannot be read: {failure}") from failure
            tokenizer.no_padding()
            tokenizer.no_truncation()
            # This model cuts no words before it merges, so its cache would keep whole texts: 57 MB after 100,000.
            tokenizer.model._resize_cache(0)
            self._files = _Files(table, tokenizer)
        return self._files

    def embed(self, texts: Sequence[str]) -> Embedded:
        """See `Embedder`."""
        table, tokenizer = self._opened()
        whole = [_readable(text) for text in texts]
        vectors = np.zeros((len(whole), self.dimensions), np.float32)
        tokens: list[NDArray[np.uint16]] = []
        for row, encoding in enumerate(tokenizer.encode_batch_fast(whole, add_special_tokens=False)):
            numbers = np.array(encoding.ids, np.uint16)
            tokens.append(numbers)
            if numbers.size:
                table[numbers].sum(axis=0, dtype=np.float32, out=vectors[row])
        return Embedded(unit_rows(vectors), tokens)

    def pool(self, tokens: NDArray[np.uint16], document_frequency: NDArray[np.uint32],
             documents: int) -> NDArray[np.float32]:
        """See `Embedder`."""
        weights = rarity(document_frequency[tokens], documents)
        cue: NDArray[np.float32] = unit_rows((weights @ self._opened().table[tokens].astype(np.float32))[None])[0]
        return cue

    def calibrate(self, cosine: NDArray[np.float32]) -> NDArray[np.float32]:
        """See `Embedder`."""
        return _CALIBRATION(cosine)


# Least squares over pairs.json: mean absolute error 0.07.
_CALIBRATION = Calibration(
    (-0.15, 0.0), (0.0, 0.04), (0.2, 0.32), (0.5, 0.55), (0.8, 0.84), (0.92, 0.87), (1.0, 1.0))
