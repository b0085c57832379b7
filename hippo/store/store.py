"""The store: one folder, one owner. Opening it recovers, appending and syncing makes durable.

1. Whatever the folder looks like, `open` gives what is intact and names what is not; it only refuses a folder that is
   in use, or that a later release wrote.
2. `append` and then `sync`: after it returns, power may fail. Where either raises StoreUnwritable, everything appended
   since the last `sync` is refused, and what was synced before stays.
3. A store that cannot be written is read all the same. Each `append` and each `probe` tries again.
4. No clock and no randomness: the same calls give the same files.
5. Packs, dictionaries, the index and caches may be written in one thread while another one appends and syncs; each of
   the two is for one thread at a time.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from itertools import repeat
from threading import Lock

from hippo.codec.record import encode_change
from hippo.errors import StoreUnwritable
from hippo.limits import journal_segment_bytes
from hippo.model.change import Change, Remembered, Revised
from hippo.model.report import Bytes
from hippo.store import caches, log
from hippo.store import journal as journals
from hippo.store import packs as pack_files
from hippo.store.disk import TEMPORARY, Disk, remove_quietly, write_atomic
from hippo.store.journal import Header, Journal
from hippo.store.location import Location
from hippo.store.packs import PackFacts, pack_name, read_pack
from hippo.store.recover import INDEX, INDEX_COPY, LOST_FOUND, Recovered, recover, set_aside
from hippo.store.traces import is_traced

__all__ = ["Recovered", "Store"]

Encoded = bytes  # within the class `bytes` is a method
_REASONS = {
    errno.ENOSPC: "the disk is full", errno.EDQUOT: "the quota is used up", errno.EROFS: "the disk is read-only",
    errno.EACCES: "it belongs to another user", errno.EPERM: "it belongs to another user",
    errno.EIO: "the disk reports an input/output error"}


class Store:
    """An open store; made by `open`.

    `recovered` is what it held, `seed` what its ids derive from, `sequence` that of the last change appended,
    `next_ordinal` the first one that was never used when it was opened, `next_file` the next one's number.
    """

    def __init__(self, disk: Disk, recovered: Recovered) -> None:
        self._disk = disk
        self.recovered = recovered
        self.seed = recovered.seed
        self.sequence = recovered.sequence
        self.next_ordinal = recovered.next_ordinal
        self._acknowledged = recovered.sequence
        self.next_file = recovered.next_file
        self._numbering = Lock()
        self._journal: Journal | None = None
        self._packs = {pack.number: pack.facts for pack in recovered.packs}
        self._why = ""
        self._tidied = False

    @classmethod
    def open(cls, disk: Disk, *, seed: int) -> Store:
        """Takes the lock and recovers.

        Args:
            seed: for a new store; any integer.

        Raises:
            StoreInUse: another process owns it.
            StoreTooNew: a later release wrote it.
            StoreUnwritable: there is no folder, and none can be made.
        """
        disk.lock()
        try:
            store = cls(disk, recover(disk, seed & 0xFFFFFFFFFFFFFFFF))
        except OSError as error:
            disk.unlock()
            raise StoreUnwritable(folder=disk.folder, why=_reason(error)) from error
        except BaseException:
            disk.unlock()
            raise
        try:
            store._begin()
        except OSError as error:
            store._why = _reason(error)
            store.recovered.notes.append(f"The store cannot be written: {store._why}.")
        for segment in store.recovered.segments:
            segment.content = b""  # what is needed of it has been decoded
        for pack in store.recovered.packs:
            pack.content = b""
        return store

    @property
    def writable(self) -> bool:
        """Whether the last attempt to write succeeded."""
        return self._journal is not None

    def probe(self) -> bool:
        """Tries again whether the store can be written, if it could not."""
        if self._journal is None:
            try:
                self._begin()
            except OSError as error:
                self._why = _reason(error)
        return self.writable

    def append(self, changes: Sequence[Change]) -> list[Location | None]:
        """Writes changes to the journal, in order; durable after `sync`.

        Returns:
            For each new or revised memory where its text lies, for other changes None.

        Raises:
            StoreUnwritable: nothing since the last `sync` was written.
        """
        payloads = [encode_change(change) for change in changes]
        journal = self._writing()
        try:
            if journal.end > journal_segment_bytes:
                journal = self._turn(journal)
            offsets = journal.append(payloads)
        except OSError as error:
            self._give_up(error)
        self.sequence += len(changes)
        return [Location(journal.number, offset, 0) if isinstance(change, Remembered | Revised) else None
                for change, offset in zip(changes, offsets, strict=True)]

    def sync(self) -> None:
        """Makes durable what was appended.

        Raises:
            StoreUnwritable: nothing since the last `sync` is.
        """
        journal = self._writing()
        try:
            journal.sync()
        except OSError as error:
            self._give_up(error)
        self._acknowledged = journal.durable_sequence

    def rotate(self) -> int:
        """Starts a new segment, unless the present one is still empty.

        Returns:
            Its number: every segment with a lower one is complete.

        Raises:
            StoreUnwritable: as `append`.
        """
        journal = self._writing()
        if journal.next_sequence > journal.first:
            try:
                journal = self._turn(journal)
            except OSError as error:
                self._give_up(error)
        return journal.number

    def adopt(self, seed: int) -> None:
        """Names memories by another seed from now on; nothing may ever have been stored.

        Raises:
            StoreUnwritable: it cannot be written; then nothing has changed.
        """
        before, self.seed = self.seed, seed & 0xFFFFFFFFFFFFFFFF
        journal = self._writing()
        try:
            earlier = [name for _, name in self._segments()]
            self._turn(journal)
            for name in (*earlier, INDEX, INDEX_COPY):
                remove_quietly(self._disk, name)
            self._disk.sync_folder()
        except OSError as error:
            self.seed = before
            self._give_up(error)

    def write_index(self, encoded: bytes) -> None:
        """Replaces the index, then its copy; durable. Raises StoreUnwritable."""
        self._replace(INDEX, encoded)
        self._replace(INDEX_COPY, encoded)

    def write_pack(self, encoded: bytes) -> int:
        """Writes a pack, durable; returns its number. Raises StoreUnwritable."""
        number = self._new_file()
        pack = read_pack(number, encoded)
        assert pack.preamble is not None
        assert not pack.preamble_damage + pack.block_damage
        self._replace(pack_name(number), encoded, is_new=True)
        self._packs[number] = pack.facts
        return number

    def write_dictionary(self, encoded: bytes) -> int:
        """Writes a dictionary, durable; returns its number. Raises StoreUnwritable."""
        number = self._new_file()
        self._replace(pack_files.dictionary_name(number), encoded, is_new=True)
        return number

    def dictionaries(self) -> list[int]:
        """The numbers of all dictionaries."""
        return sorted(pack_files.Dictionaries(self._disk))

    def drop(self, *, segments_before: int, packs: Sequence[int], dictionaries: Sequence[int] = ()) -> None:
        """Removes files that nothing refers to any more: packs and dictionaries, then segments below a number.

        A segment goes when everything before it is gone for good: what says that something was forgotten goes after
        all that may still hold it, whenever the power fails.

        Raises:
            StoreUnwritable: as `append`.
        """
        assert segments_before <= self.next_file
        gone = [name for number, name in self._segments() if number < segments_before and (
            self._journal is None or number != self._journal.number)]
        if self._journal is None and gone and not any(number >= segments_before for number, _ in self._segments()):
            gone = gone[:-1]  # the last one carries the seed and the sequence
        try:
            for number in packs:
                if self._packs.pop(number, None) is not None:
                    self._disk.remove(pack_name(number))
            for number in dictionaries:
                self._disk.remove(pack_files.dictionary_name(number))
            for name in gone:
                self._disk.sync_folder()
                self._disk.remove(name)
            self._disk.sync_folder()
        except OSError as error:
            raise StoreUnwritable(folder=self._disk.folder, why=_reason(error)) from error

    def scrub(self, cache: str, texts: Sequence[Encoded] | None) -> None:
        """Removes a cache, and every set-aside piece in which a part of some texts is found; None: every piece.

        Raises:
            StoreUnwritable: as `append`.
        """
        try:
            for name in self._disk.names():
                if name == caches.FOLDER + cache or (name.startswith(LOST_FOUND) and (
                        texts is None or any(map(is_traced, texts, repeat(self._disk.read(name)))))):
                    self._disk.remove(name)
            self._disk.sync_folder()
        except OSError as error:
            raise StoreUnwritable(folder=self._disk.folder, why=_reason(error)) from error

    def write_cache(self, name: str, content: bytes) -> None:
        """Replaces a cache. Raises StoreUnwritable."""
        try:
            caches.write_cache(self._disk, name, content)
        except OSError as error:
            raise StoreUnwritable(folder=self._disk.folder, why=_reason(error)) from error

    def read_cache(self, name: str) -> bytes | None:
        """A cache, or None where there is none that can be trusted."""
        return caches.read_cache(self._disk, name)

    def log_report(self, text: str, line: str) -> None:
        """Appends a report to the log of passes. Raises StoreUnwritable."""
        try:
            log.log_report(self._disk, text, line)
        except OSError as error:
            raise StoreUnwritable(folder=self._disk.folder, why=_reason(error)) from error

    def last_logged(self) -> bytes | None:
        """The last line for programs in the log of passes, None where there is none."""
        return log.last_logged(self._disk)

    def packs(self) -> list[PackFacts]:
        """All packs in figures, by their number."""
        return [self._packs[number] for number in sorted(self._packs)]

    def bytes(self) -> Bytes:
        """The bytes of the folder by what they are for; all of them together are the folder."""
        counted = {"content": 0, "dictionary": 0, "index": 0, "journal": 0, "parity": 0, "cache": 0, "log": 0}
        for name in self._disk.names():
            try:
                counted[_purpose(name)] += self._disk.size(name)
            except OSError:
                continue  # gone in between
        total = sum(counted[part] for part in ("content", "dictionary", "index", "journal"))
        return Bytes(total_bytes=total, **{f"{part}_bytes": size for part, size in counted.items()})

    def close(self) -> None:
        """Finishes the journal and gives up the lock. What the disk refuses now was durable or never promised."""
        journal, self._journal = self._journal, None
        try:
            if journal is not None and journal.next_sequence == journal.first and len(self._segments()) > 1:
                self._disk.remove(journal.name)
            elif journal is not None:
                journal.finish(closing=True)
        except OSError:
            pass
        finally:
            self._disk.unlock()

    def _new_file(self) -> int:
        with self._numbering:
            number, self.next_file = self.next_file, self.next_file + 1
        return number

    def _writing(self) -> Journal:
        if self._journal is None and not self.probe():
            raise StoreUnwritable(folder=self._disk.folder, why=self._why)
        assert self._journal is not None
        return self._journal

    def _begin(self) -> None:
        """Starts a segment, after what the last run left has been tidied. Raises OSError."""
        if not self._tidied:
            self._tidy()
            self._tidied = True
        number = self._new_file()
        header = Header(journals.VERSION, number, self.seed, self._acknowledged, self.sequence + 1)
        try:
            self._journal = Journal(self._disk, header)
        except OSError:
            remove_quietly(self._disk, journals.segment_name(number))
            raise

    def _turn(self, journal: Journal) -> Journal:
        journal.finish(closing=False)
        self._acknowledged = journal.durable_sequence
        self._begin()
        assert self._journal is not None
        return self._journal

    def _give_up(self, error: OSError) -> None:
        """After a failed write or sync nothing that the journal holds beyond the last sync is trusted."""
        journal, self._journal = self._journal, None
        if journal is not None:
            self.sequence = max(self.sequence, journal.next_sequence - 1)
            journal.abandon()
        self._why = _reason(error)
        raise StoreUnwritable(folder=self._disk.folder, why=self._why) from error

    def _replace(self, name: str, content: Encoded, *, is_new: bool = False) -> None:
        try:
            write_atomic(self._disk, name, content)
        except OSError as error:
            if is_new:
                remove_quietly(self._disk, name)  # nobody would know of it
            raise StoreUnwritable(folder=self._disk.folder, why=_reason(error)) from error

    def _segments(self) -> list[tuple[int, str]]:
        return [(int(name[len(journals.PREFIX):]), name) for name in self._disk.names()
                if name.startswith(journals.PREFIX)]

    def _tidy(self) -> None:
        """Removes what cut-off writes left, and sets aside what is damaged in the journal. Raises OSError."""
        for name in self._disk.names():
            if name.endswith(TEMPORARY) or name in self.recovered.unfinished:
                self._disk.remove(name)
        set_aside(self._disk, self.recovered)
        if self.recovered.unfinished:
            self._disk.sync_folder()  # it must not come back behind a newer one
        finished = [one for one in self.recovered.segments if one.name not in self.recovered.unfinished]
        newest = finished[-1] if finished else None
        is_longer = newest is not None and self._disk.size(newest.name) > newest.end
        if newest is None or (newest.closed and not is_longer and all(newest.headers)):
            return
        # What a killed process left may be seen and not durable, and counts as acknowledged from here on. It is written
        # anew before the sync: pages that an earlier sync could not write would else be taken for written.
        content = self._disk.read(newest.name, 0, newest.end)
        if newest.header is not None and not all(newest.headers):
            content = journals.encode_header(newest.header) + content[journals.BODY:]
        self._disk.write(newest.name, 0, content)
        if is_longer:
            self._disk.truncate(newest.name, newest.end)
        self._disk.sync(newest.name)
        self._disk.release(newest.name)


def _purpose(name: str) -> str:
    if name.startswith(pack_files.PREFIX):
        return "content"
    if name.startswith(pack_files.DICTIONARY_PREFIX):
        return "dictionary"
    if name.startswith(journals.PREFIX):
        return "journal"
    if name.startswith(caches.FOLDER):
        return "cache"
    return {INDEX: "index", INDEX_COPY: "parity"}.get(name, "log")


def _reason(error: OSError) -> str:
    return _REASONS.get(error.errno or 0) or (os.strerror(error.errno) if error.errno else str(error))
