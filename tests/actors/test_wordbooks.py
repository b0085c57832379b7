"""When dictionaries are trained, used and retired."""

from __future__ import annotations

from hippo.actors.wordbooks import Wordbooks
from hippo.limits import dictionary_corpus_bytes_min, dictionary_growth
from hippo.model.report import PackFigures
from hippo.model.stored import Stored
from hippo.model.verb import MemoryStats, Remember, Sleep
from hippo.store.check import check
from hippo.store.memory_disk import MemoryDisk
from sims.people import episodes
from tests.actors.test_night import DAY_MS, EPOCH_MS, everything, hippo_on


def a_pack(agent: str, raw_bytes: int, *dictionaries: int) -> PackFigures:
    return PackFigures(agent=agent, tier_set="warm", rows=1, raw_bytes=raw_bytes, stored_bytes=1, codecs={},
                       dictionaries=dictionaries)


def test_an_agent_is_due_once_it_has_enough_and_again_when_it_has_grown() -> None:
    books, enough = Wordbooks({}), dictionary_corpus_bytes_min
    assert books.due({1: a_pack("ada", enough - 1), 2: a_pack("bob", enough)}) == [("bob", enough)]
    books.take("bob", 7, enough)
    assert books.due({2: a_pack("bob", enough * dictionary_growth - 1)}) == []
    assert books.due({2: a_pack("bob", enough * dictionary_growth)}) == [("bob", enough * dictionary_growth)]


def test_packs_with_an_earlier_dictionary_are_outdated_and_those_without_any_are_not() -> None:
    books = Wordbooks({"dictionaries": {"bob": [9, 100]}})
    packs = {1: a_pack("bob", 1, 7), 2: a_pack("bob", 1, 9), 3: a_pack("bob", 1)}
    assert books.outdated(packs) == {1}
    assert books.unused(packs, [5, 7, 9]) == [5]
    assert Wordbooks(books.state()).number("bob") == 9


def test_a_small_store_says_nothing_of_dictionaries() -> None:
    assert Wordbooks({}).state() == {}


async def test_a_store_that_grows_learns_its_words_and_retires_the_first_dictionary() -> None:
    disk = MemoryDisk()
    said = list(episodes(3, 10_500, EPOCH_MS - 300 * DAY_MS, 300))
    async with hippo_on(disk) as service:
        seen, ids = [], set()
        for part in (said[:2_300], said[2_300:]):
            for start in range(0, len(part), 500):
                ids |= {stored.id for stored in await service.remember([
                    Remember(text=one.text, conversation=one.conversation, created_at=one.at)
                    for one in part[start:start + 500]]) if isinstance(stored, Stored)}
            await service.sleep(Sleep())
            await service.sleep(Sleep())
            kept = [name for name in disk.names() if name.startswith("dict-")]
            assert len(kept) == 1
            seen += kept
        assert len(set(seen)) == 2
        stats = await service.stats(MemoryStats(verify=True))
        assert (stats.unrecoverable, stats.memories) == (0, len(ids))
        assert stats.dictionary_bytes > 0
        before = await everything(service)
    async with hippo_on(disk) as service:
        assert await everything(service) == before
    assert [finding for finding in check(disk) if finding.severity != "note"] == []
