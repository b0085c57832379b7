"""The reading side: texts at their places, checked.

1. A text is returned only if its frame or block is intact, is that of the memory asked for, and its tag is that
   memory's.
2. Packs are immutable and frames are never moved, so that reading needs no lock. A file that is gone was replaced by
   another: the graph knows the new place.
3. Decoded blocks are kept as long as they fit; the one that was not used for the longest time goes first. A row
   becomes a text when it is asked for: what is wrong with one costs no other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from hippo.codec.block import Held, block_at, block_bytes, decode_block, ordinals_of
from hippo.codec.identity import id_of
from hippo.codec.record import FRAME_BYTES, Damaged, UnknownKind, decode_change, frame_at, salt_of, text_tag
from hippo.errors import MemoryDamaged, Relocated
from hippo.limits import block_cache_bytes, block_read_bytes
from hippo.model.batch import Places
from hippo.model.change import Remembered, Revised
from hippo.store.disk import Disk
from hippo.store.journal import segment_name
from hippo.store.location import Location
from hippo.store.originals import original
from hippo.store.packs import Dictionaries, pack_name, text_of

_WINDOW_BYTES = 64 * 1024
_GUESS_BYTES = 8 * 1024
Rows = dict[int, Held]


class Texts:
    """Reads texts. Not for two threads at once; any number of them may read the same disk.

    Args:
        seed: of the store.
    """

    def __init__(self, disk: Disk, seed: int) -> None:
        self._disk = disk
        self._seed = seed
        self._salt = salt_of(seed)
        self._dictionaries = Dictionaries(disk)
        self._blocks: OrderedDict[tuple[int, int], tuple[Rows, int]] = OrderedDict()
        self.kept_bytes = 0
        self._is_pack: dict[int, bool] = {}
        self._window: tuple[int, int, bytes] = (0, 0, b"")

    def are_at_hand(self, places: Sequence[Location]) -> bool:
        """Whether these texts lie in blocks that are kept: reading them waits for no disk."""
        return all((place.file, place.offset) in self._blocks for place in places)

    def read(self, wanted: Sequence[tuple[Location, int, int]]) -> list[str | MemoryDamaged]:
        """The texts of memories, in the order asked for.

        Args:
            wanted: (location, ordinal, tag) of each.

        Returns:
            Each text, or why it cannot be reconstructed.

        Raises:
            Relocated: a file is gone.
        """
        texts: list[str | MemoryDamaged] = [""] * len(wanted)
        order = sorted(range(len(wanted)), key=lambda at: wanted[at][0])
        places = [wanted[at][0] for at in order]
        for position, at in enumerate(order):
            place, ordinal, tag = wanted[at]
            try:
                text = self._text(place, ordinal, places, position)
                if text_tag(text) != tag:
                    raise Damaged("its checksum does not fit")
                texts[at] = text
            except FileNotFoundError as error:
                self._is_pack.pop(place.file, None)
                raise Relocated(place.file) from error
            except (Damaged, UnknownKind, OSError) as error:
                texts[at] = MemoryDamaged(id=id_of(ordinal, self._seed), why=str(error))
        self._window = (0, 0, b"")
        return texts

    def unreadable(self, places: Places) -> set[int]:
        """Which of these memories cannot be read or say something else: what `read` would find, block by block."""
        bad: set[int] = set()
        order = np.lexsort((places.offset, places.file))
        columns = [column[order].tolist() for column in places]
        here, rows = (-1, -1), Rows()
        for file, offset, row, ordinal, tag in zip(*columns, strict=True):
            try:
                if (file, offset) != here:
                    here, rows = (file, offset), self._rows(Location(file, offset, row))
                if text_tag(text_of(rows[ordinal])) != tag:
                    bad.add(ordinal)
            except (KeyError, Damaged, UnknownKind, OSError):
                bad.add(ordinal)
                here = (-1, -1)
        return bad

    def _rows(self, place: Location) -> Rows:
        """All that lies at a place: of a pack the rows of its block, of a segment one."""
        if self._is_in_pack(place):
            return self._block(place)
        change = self._record(place, [place], 0)
        return {change.ordinal: change.draft.text.encode()}

    def encoding(self, place: Location) -> str:
        """The codec of the text at a place, for people; `journal` where it lies in no pack."""
        try:
            block = block_at(self._disk.read(pack_name(place.file), place.offset, block_read_bytes), 0)
        except OSError:
            block = None
        return block.codec_name if block is not None else "journal"

    def original(self, packs: Sequence[int], ordinal: int) -> str | None:
        """What a memory said before it was abridged; see `originals.original`."""
        return original(self._disk, packs, ordinal)

    def adopt(self, seed: int) -> None:
        """The store is another one's from now on: it was empty."""
        self._seed, self._salt = seed, salt_of(seed)
        self.close()

    def close(self) -> None:
        """Forget what was kept."""
        self._blocks.clear()
        self.kept_bytes = 0

    def _text(self, place: Location, ordinal: int, places: Sequence[Location], position: int) -> str:
        if not self._is_in_pack(place):
            change = self._record(place, places, position)
            if change.ordinal != ordinal:
                raise Damaged("the record at its place is of another memory")
            return change.draft.text
        rows = self._block(place)
        if ordinal not in rows:
            raise Damaged("the block at its place does not hold it")
        return text_of(rows[ordinal])

    def _is_in_pack(self, place: Location) -> bool:
        if place.file == 0:
            raise Damaged("its text is lost")
        if place.file not in self._is_pack:
            try:
                self._disk.size(pack_name(place.file))
                self._is_pack[place.file] = True
            except FileNotFoundError:
                self._is_pack[place.file] = False
        return self._is_pack[place.file]

    def _record(self, place: Location, places: Sequence[Location], position: int) -> Remembered | Revised:
        file, start, window = self._window
        at = place.offset - start
        if file != place.file or not 0 <= at <= len(window) - FRAME_BYTES or frame_at(window, at, self._salt) is None:
            start, at = place.offset, 0
            window = self._disk.read(segment_name(place.file), start, _span(places, position))
            length = int.from_bytes(window[:3], "little") + FRAME_BYTES
            if length > len(window):
                window = self._disk.read(segment_name(place.file), start, length)
            self._window = place.file, start, window
        found = frame_at(window, at, self._salt)
        if found is None:
            raise Damaged("its record in the journal is damaged")
        change = decode_change(memoryview(window)[at + FRAME_BYTES:found[1]])
        if not isinstance(change, Remembered | Revised):
            raise Damaged("the record at its place is of another kind")
        return change

    def _block(self, place: Location) -> Rows:
        spot = place.file, place.offset
        known = self._blocks.get(spot)
        if known is not None:
            self._blocks.move_to_end(spot)
            return known[0]
        name = pack_name(place.file)
        content = self._disk.read(name, place.offset, block_read_bytes)
        if block_bytes(content) > len(content):
            content = self._disk.read(name, place.offset, block_bytes(content))
        block = block_at(content, 0)
        if block is not None and block.base:  # what it leans on lies in front of it
            start = max(place.offset - block.base, 0)
            content = self._disk.read(name, start, place.offset - start + block.end)
            block = block_at(content, place.offset - start)
        if block is None:
            raise Damaged("its block is damaged")
        held = decode_block(content, block, self._dictionaries)
        rows: Rows = dict(zip(ordinals_of([block]).tolist(), held, strict=True))
        weight = block.plain_bytes + 192 * block.rows  # what is around a row as well
        self._blocks[spot] = rows, weight
        self.kept_bytes += weight
        while self.kept_bytes > block_cache_bytes and len(self._blocks) > 1:
            self.kept_bytes -= self._blocks.popitem(last=False)[1][1]
        return rows


def _span(places: Sequence[Location], position: int) -> int:
    """How many bytes of a segment are worth reading at once: up to the last place wanted nearby."""
    here = places[position]
    end = bisect_left(places, Location(here.file, here.offset + _WINDOW_BYTES, 0), position)
    return places[end - 1].offset - here.offset + _GUESS_BYTES if end > position else _GUESS_BYTES
