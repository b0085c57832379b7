"""Conversations: messages logged, searched and forgotten, over a whole hippo."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hippo.embed.embedder import Embedded
from hippo.embed.term_frequency import TermFrequencyEmbedder
from hippo.errors import InvalidArgument, MessagesUnreadable
from hippo.interfaces.logbook import holds as message_holds
from hippo.interfaces.logbook import quote
from hippo.interfaces.service import Service
from hippo.limits import message_characters_max, text_characters_max
from hippo.model.knowledge import Logged
from hippo.model.knowledge_verb import Forget, LogMessages, Message, RecallConversation, Update
from hippo.model.memory import log_of
from hippo.model.report import TierFigures
from hippo.model.verb import GraphView, Inspect, ListMemories, MemoryStats, Preview, Recall, Remember, Sleep, TimeSkip
from hippo.text.tokens import index_terms
from tests.interfaces.awakened import awakened, holds

TALK = [
    ("user", "Which train goes to Graz on Friday?", "2026-01-02T08:00:00Z"),
    ("assistant", "The 9:04 from platform two.", "2026-01-02T08:00:05Z"),
    ("user", "Book it, with a window seat.", "2026-01-02T08:01:00Z"),
    ("assistant", "Booked: seat 41, by the window.", "2026-01-02T08:01:09Z"),
]


def talk(rows: Sequence[tuple[str, str, str]] = TALK, **more: Any) -> LogMessages:
    return LogMessages(messages=[Message(role=role, text=text, created_at=at) for role, text, at in rows], **more)


async def said(asked: Service, query: str | None = None, **more: Any) -> list[str]:
    return [row.text for row in (await asked.recall_conversation(RecallConversation(query=query, **more))).messages]


async def test_messages_are_found_by_their_words_and_come_back_as_they_were(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        assert await asked.log_messages(talk(conversation="trip")) == Logged(logged=4)
        found = (await asked.recall_conversation(RecallConversation(query="window seats"))).messages
        assert [row.text for row in found] == [TALK[3][1], TALK[2][1]] or [row.text for row in found] == [
            TALK[2][1], TALK[3][1]]
        [train] = (await asked.recall_conversation(RecallConversation(query="trains to Graz"))).messages
        assert (train.role, train.text, train.conversation) == ("user", TALK[0][1], "trip")
        assert train.created_at == 1_767_340_800_000


async def test_without_a_query_the_newest_come_first(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.log_messages(talk(TALK[2:] + TALK[:2]))
        assert await said(asked) == [text for _, text, _ in reversed(TALK)]
        assert await said(asked, k=2) == [TALK[3][1], TALK[2][1]]


async def test_role_conversation_and_time_narrow_a_search(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.log_messages(talk(conversation="trip"))
        await asked.log_messages(LogMessages(messages=[
            Message(role="user", text="A window is broken.", conversation="house", created_at="2026-02-01")]))
        assert await said(asked, "window", role="assistant") == [TALK[3][1]]
        assert await said(asked, "window", conversation="house") == ["A window is broken."]
        assert await said(asked, "window", conversation="nowhere") == []
        assert await said(asked, "window", since="2026-01-31") == ["A window is broken."]
        assert set(await said(asked, "window", until="2026-01-02")) == {TALK[2][1], TALK[3][1]}
        assert await said(asked, role="user", until="2026-01-02T08:00:00Z") == [TALK[0][1]]


async def test_logging_the_same_again_changes_nothing(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.log_messages(talk(conversation="trip"))
        assert await asked.log_messages(talk(conversation="trip")) == Logged(logged=0, known=4)
    async with awakened(tmp_path) as asked:
        again = await asked.log_messages(talk([*TALK, ("user", "Thanks", "2026-01-02T08:02:00Z")], conversation="trip"))
        assert again == Logged(logged=1, known=4)
        assert len(await said(asked)) == 5


async def test_the_same_words_at_another_time_by_another_or_elsewhere_are_another_message(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        assert (await asked.log_messages(LogMessages(messages=[
            Message(role="user", text="ok", created_at="2026-01-01"), Message(role="user", text="ok", created_at="2026-01-02"),
            Message(role="assistant", text="ok", created_at="2026-01-01"),
            Message(role="user", text="ok", created_at="2026-01-01", conversation="c"),
            Message(role="user", text="ok"), Message(role="user", text="ok")]))).logged == 6
        assert await said(asked, "ok") == ["ok"] * 6


async def test_a_message_of_nothing_is_left_out_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        done = await asked.log_messages(LogMessages(messages=[
            Message(role="assistant", text=" "), Message(role="user", text="half \ud800 of one")]))
        assert done.logged == 1
        assert done.note is not None
        assert "1 without a text" in done.note
        assert "U+FFFD" in done.note
        for wrong in (Message(role="user", text="x", created_at="30 February"), Message(role=" ", text="x"),
                      Message(role="user", text="x" * (message_characters_max + 1)),
                      Message(role="user", text="x", conversation="c" * 201)):
            with pytest.raises(InvalidArgument, match="Message 2: "):
                await asked.log_messages(LogMessages(messages=[Message(role="user", text="good"), wrong]))
        assert await said(asked) == ["half \ufffd of one"]


async def test_a_long_message_is_kept_in_parts_that_are_the_whole(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        long = " ".join(f"word{number}" for number in range(2 * text_characters_max // 9)) + " " + "x" * (
            text_characters_max + 7)
        message = LogMessages(messages=[Message(role="tool", text=long, created_at="2026-01-01")])
        assert await asked.log_messages(message) == Logged(logged=1)
        assert await asked.log_messages(message) == Logged(logged=0, known=1)
        parts = (await said(asked, k=50))[::-1]
        assert "".join(parts) == long
        assert max(map(len, parts)) <= text_characters_max
        assert len(await said(asked, "word5555")) == 1
        assert await said(asked, "d5555") == []  # no word was cut in two


async def test_without_a_match_it_is_said_why(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        note = (await asked.recall_conversation(RecallConversation(query="x"))).note
        assert note == "No message was logged yet."
        await asked.log_messages(talk())
        assert (await asked.recall_conversation(RecallConversation(query="zebra"))).note == "No message matches."
        assert "no letter" in str((await asked.recall_conversation(RecallConversation(query="?!"))).note)


async def test_cjk_and_what_looks_like_syntax_are_words(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.log_messages(LogMessages(messages=[
            Message(role="user", text="京都に行きたい"), Message(role="user", text='NEAR("a" OR b*) : 100%')]))
        assert await said(asked, "京") == ["京都に行きたい"]
        assert await said(asked, '"NEAR(') == ['NEAR("a" OR b*) : 100%']
        assert await said(asked, "100%") == ['NEAR("a" OR b*) : 100%']


# Apart from memories


async def test_messages_are_no_memories_in_any_figure_list_view_or_recall(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        memory = await asked.remember_one(Remember(text="Anna prefers the window seat.", entity="Anna"))
        before = await asked.stats(MemoryStats())
        await asked.log_messages(talk())
        after = await asked.stats(MemoryStats())
        for name in ("memories", "agents", "associations", "schemas", "tiers"):
            assert getattr(after, name) == getattr(before, name), name
        assert after.raw_bytes == before.raw_bytes + sum(len(text) for _, text, _ in TALK)
        assert (await asked.health()).memories == 1
        assert [(row.agent_id, row.memories) for row in await asked.agents()] == [("default", 1)]
        assert [row.id for row in (await asked.recall(Recall(cue="window seat on the train to Graz"))).results] == [memory.id]
        assert [row.id for row in (await asked.memories(ListMemories())).memories] == [memory.id]
        assert [node.id for node in (await asked.graph(GraphView())).nodes] == [memory.id]


async def test_over_budget_no_message_is_named_among_what_could_be_forgotten(tmp_path: Path) -> None:
    async with awakened(tmp_path, budget_bytes=1) as asked:
        await asked.log_messages(talk())
        memory = await asked.remember_one(Remember(text="Anna prefers the window seat.", salience=0.9))
        await asked.sleep(Sleep())
        alert = (await asked.stats(MemoryStats())).alert
        assert alert is not None
        assert f"(the weakest are {memory.id})" in alert


async def test_the_agent_that_messages_are_kept_as_cannot_be_named(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.log_messages(talk())
        [message] = (await asked.recall_conversation(RecallConversation(query="Graz"))).messages
        hidden = log_of("default")
        for refused in (asked.recall(Recall(cue="Graz", agent_id=hidden)), asked.memories(ListMemories(agent_id=hidden)),
                        asked.inspect(Inspect(id=message.id, agent_id=hidden)), asked.graph(GraphView(agent_id=hidden)),
                        asked.forget(Forget(id=message.id, agent_id=hidden)),
                        asked.remember_one(Remember(text="x", agent_id=hidden)),
                        asked.recall_conversation(RecallConversation(agent_id=hidden))):
            with pytest.raises(InvalidArgument, match=r"U\+001F"):
                await refused
        with pytest.raises(InvalidArgument):
            async with asked.subscribe(hidden, None):
                pass


async def test_logging_tells_no_subscriber_and_is_not_replayed(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked, asked.subscribe(None, None) as events:
        await asked.remember_one(Remember(text="first"))
        start = (await events.receive()).id
        await asked.log_messages(talk())
        await asked.recall_conversation(RecallConversation(query="Graz"))
        await asked.remember_one(Remember(text="a second thing"))
        assert (await events.receive()).id == start + 1


async def test_messages_last_over_nights_and_restarts_word_for_word(tmp_path: Path) -> None:
    texts = [f"Please set the timer for the pasta to {number} minutes, thank you very much." for number in range(12)]
    async with awakened(tmp_path, epoch=1_767_312_000_000) as asked:  # alike: memories would share a schema, and fade
        await asked.log_messages(talk([("user", text, f"2026-01-01T10:{at:02}:00Z") for at, text in enumerate(texts)]))
        for _ in range(4):
            skipped = await asked.timeskip(TimeSkip(days=200))
            foreseen = await asked.preview(Preview())
            report = await asked.sleep(Sleep())
            assert report.memories == report.schemas_formed == report.faded == report.edges_decayed == 0
            for tier in (*skipped.tiers.values(), *foreseen.tiers.values(), *report.tiers.values()):
                assert (tier.moved_in, tier.moved_out) == (0, 0)
                assert tier.before == tier.expected == tier.after == TierFigures()
    async with awakened(tmp_path, epoch=1_767_312_000_000) as asked:
        assert await said(asked, "pasta", k=50) == texts[::-1]
        assert (await asked.stats(MemoryStats(verify=True))).unrecoverable == 0


async def test_messages_are_never_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: TermFrequencyEmbedder, texts: Sequence[str]) -> Embedded:
        raise AssertionError(texts)

    monkeypatch.setattr(TermFrequencyEmbedder, "embed", refuse)
    async with awakened(tmp_path) as asked:
        await asked.log_messages(talk())
        assert await said(asked, "Graz") == [TALK[0][1]]
    rmtree(tmp_path / "cache")
    async with awakened(tmp_path) as asked:
        assert await said(asked, "Graz") == [TALK[0][1]]


async def test_no_agent_finds_the_messages_of_another(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        await asked.log_messages(talk(agent_id="anna"))
        await asked.log_messages(LogMessages(messages=[Message(role="user", text="Graz is far")], agent_id="ben"))
        assert await said(asked, "Graz", agent_id="ben") == ["Graz is far"]
        assert await said(asked, "Graz") == []
        assert await said(asked) == []
        assert await said(asked, "Graz", agent_id="anna") == [TALK[0][1]]
        memory = await asked.remember_one(Remember(text="Which train goes to Graz on Friday?", agent_id="ben"))
        assert (await asked.forget(Forget(id=memory.id, agent_id="ben"))).quoted_in == []
        assert len(await said(asked, agent_id="anna")) == 4


# Forgetting


async def test_messages_that_hold_what_is_forgotten_are_forgotten_as_well(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        memory = await asked.remember_one(Remember(text="The alarm code is qvx-4471"))
        await asked.log_messages(LogMessages(messages=[
            Message(role="user", text="Remember: the  ALARM code\nis qvx-4471. Please!"),
            Message(role="assistant", text="I remember the alarm code."),
            Message(role="user", text="The alarm code is qvx-44711")]))
        ids = {row.text[:8]: row.id for row in (await asked.recall_conversation(RecallConversation())).messages}
        shown = await asked.forget(Forget(id=memory.id, dry_run=True))
        assert shown.quoted_in == [f"message {ids['Remember']} (forgotten as well)"]
        assert len(await said(asked)) == 3
        gone = await asked.forget(Forget(id=memory.id))
        assert gone.quoted_in == shown.quoted_in
        assert sorted(await said(asked)) == ["I remember the alarm code.", "The alarm code is qvx-44711"]
        assert holds(tmp_path, "ALARM code") == []
    async with awakened(tmp_path) as asked:
        assert sorted(await said(asked)) == ["I remember the alarm code.", "The alarm code is qvx-44711"]
        assert (await asked.stats(MemoryStats(verify=True))).unrecoverable == 0


async def test_messages_with_an_earlier_wording_are_forgotten_too(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        memory = await asked.remember_one(Remember(text="My locker is number 3317 upstairs"))
        await asked.update(Update(id=memory.id, text="My locker is number 8052 downstairs"))
        await asked.log_messages(LogMessages(messages=[
            Message(role="user", text="my locker is number 3317 upstairs"), Message(role="user", text="hello")]))
        await asked.forget(Forget(id=memory.id))
        assert await said(asked) == ["hello"]


async def test_a_text_across_the_parts_of_a_long_message_is_found(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        secret = "Mr. Quixwood keeps the spare key below the third flowerpot"
        before = "a b " * (text_characters_max // 4 - 5)
        await asked.log_messages(LogMessages(messages=[
            Message(role="tool", text=f"{before}{secret} and so on"), Message(role="user", text="What else?")]))
        assert len(await said(asked, k=50)) == 3
        memory = await asked.remember_one(Remember(text=secret))
        await asked.forget(Forget(id=memory.id))
        assert await said(asked, k=50) == ["What else?"]


async def test_a_forgotten_everyday_word_takes_only_messages_that_say_nothing_else(tmp_path: Path) -> None:
    async with awakened(tmp_path) as asked:
        memory = await asked.remember_one(Remember(text="Thank you"))
        await asked.log_messages(LogMessages(messages=[
            Message(role="user", text="Thank you!"), Message(role="user", text="Thank you for the train to Graz")]))
        await asked.forget(Forget(id=memory.id))
        assert await said(asked) == ["Thank you for the train to Graz"]


@pytest.mark.parametrize(("text", "message", "is_held"), [
    ("hunter2", "my password is hunter2, ok", True), ("hunter2", "my password is hunter22", False),
    ("Hunter2", "MY PASSWORD IS HUNTER2", True), ("gpt-4", "we use gpt-4-turbo", True),
    ("(qvx)", "f(qvx)(y)", True), ("Zoë Müller", "call zoe\u0308 Mu\u0308ller now", True), ("猫が好き", "私は猫が好きです", True),
    ("ok", "ok!", True), ("ok", "ok then", False), ("a.b", "axb", False), ("", "", True),
    ("I think that it is time to go home now", "so I think that it is time to go home now, yes", True)])
def test_what_a_message_holds(text: str, message: str, is_held: bool) -> None:
    assert message_holds(message, [quote(text)]) is is_held


SNIPPETS = some.lists(some.sampled_from(
    ["Anna", "anna's", "don't", "gpt-4", "zq_7", "猫が", "好き", "Zoë", "1,5", "a", "o'clock", "(x)", "'", "🦛", " ", "\n", "-", ".", ""]), max_size=5)


@given(SNIPPETS.map("".join), SNIPPETS.map("".join), SNIPPETS.map("".join))
def test_what_holds_a_text_says_its_terms(before: str, text: str, after: str) -> None:
    message = f"{before}{text}{after}"
    if message_holds(message, [quote(text)]):
        assert set(quote(text).terms) <= set(index_terms(message, 0, "", ()))


# A table of the user's


def made(path: Path, columns: str, rows: Sequence[Sequence[Any]], kind: str = "VIRTUAL TABLE", table: str = "messages") -> Path:
    with sqlite3.connect(path) as database:
        using = f"USING fts5({columns})" if kind.startswith("V") else f"({columns})"
        database.execute(f'CREATE {kind} "{table}" {using}')
        database.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(rows[0]))})', rows)
    database.close()
    return path


async def test_a_table_of_the_user_s_is_searched_as_well(tmp_path: Path) -> None:
    path = made(tmp_path / "own.db", "content, role UNINDEXED, session_id UNINDEXED, created_at UNINDEXED", [
        ("The train to Graz was late", "user", "s1", "2025-12-01T10:00:00Z"),
        ("user of Graz", "assistant", "s2", 1_700_000_000), ("Nothing", "user", "s2", 1_700_000_000_000),
        (TALK[0][1], TALK[0][0], None, TALK[0][2])])
    before = path.read_bytes()
    async with awakened(tmp_path / "store", messages_db=path) as asked:
        await asked.log_messages(talk())
        both = (await asked.recall_conversation(RecallConversation(query="the train to Graz"))).messages
        assert sorted(row.text for row in both) == sorted([TALK[0][1], "The train to Graz was late", "user of Graz"])
        [theirs] = [row for row in both if row.text.endswith("late")]
        assert (theirs.id, theirs.role, theirs.conversation, theirs.created_at) == (
            "messages:1", "user", "s1", 1_764_583_200_000)
        assert await said(asked, "user") == ["user of Graz"]  # only the text is searched
        assert await said(asked, "Graz", role="assistant") == ["user of Graz"]
        assert await said(asked, "Graz", conversation="s1") == ["The train to Graz was late"]
        assert await said(asked, "Graz", since="2025-11-01", until="2025-12-31") == ["The train to Graz was late"]
        assert (await said(asked, k=50))[-2:] == ["Nothing", "user of Graz"]  # by time, among those that were logged
        assert await said(asked, k=1) == [TALK[3][1]]
    assert path.read_bytes() == before


@pytest.mark.parametrize("query", ['"', "NEAR(Graz", "Graz AND", "-Graz", "content:Graz", "Graz*", "Graz) OR (x", "' OR 1=1 --"])
async def test_syntax_in_a_query_is_no_syntax(tmp_path: Path, query: str) -> None:
    path = made(tmp_path / "own.db", "body", [("Graz",), ("other",)])
    async with awakened(tmp_path / "store", messages_db=path) as asked:
        assert await said(asked, query) == (["Graz"] if "Graz" in query else [])


async def test_a_table_without_agents_is_the_default_agent_s_one_with_agents_is_theirs(tmp_path: Path) -> None:
    own = made(tmp_path / "own.db", "text", [("Graz",)])
    async with awakened(tmp_path / "store", messages_db=own) as asked:
        assert await said(asked, "Graz") == ["Graz"]
        assert await said(asked, "Graz", agent_id="ben") == []
    shared = made(tmp_path / "shared.db", "message, agent_id UNINDEXED", [("Graz of Anna", "anna"), ("Graz of Ben", "ben")],
                  table="all of it")
    async with awakened(tmp_path / "store", messages_db=shared, messages_table="all of it") as asked:
        assert await said(asked, "Graz") == []
        assert await said(asked, "Graz", agent_id="ben") == ["Graz of Ben"]
        assert await said(asked, agent_id="anna") == ["Graz of Anna"]


async def test_a_row_without_a_moment_or_a_filter_without_a_column_fits_no_filter(tmp_path: Path) -> None:
    path = made(tmp_path / "own.db", "text", [("first Graz",), ("second Graz",)])
    async with awakened(tmp_path / "store", messages_db=path) as asked:
        rows = (await asked.recall_conversation(RecallConversation())).messages
        assert [(row.text, row.created_at, row.role) for row in rows] == [("second Graz", None, ""), ("first Graz", None, "")]
        for more in ({"since": "2020-01-01"}, {"role": "user"}, {"conversation": "c"}):
            assert await said(asked, "Graz", **more) == []


async def test_what_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    plain = made(tmp_path / "plain.db", "content", [("x",)], kind="TABLE")
    named = made(tmp_path / "named.db", "content", [("x",)], table="log")
    other = made(tmp_path / "other.db", "title", [("x",)])
    (tmp_path / "no.db").write_text("no database at all, but a text that is long enough")
    for path, why in ((tmp_path / "none.db", "there is no such file"), (plain, "is no FTS5 table"),
                      (named, "there is no table messages; its FTS5 tables are log"), (other, "content, text, message, body"),
                      (tmp_path / "no.db", "not a database")):
        async with awakened(tmp_path / "store", messages_db=path) as asked:
            with pytest.raises(MessagesUnreadable, match=why):
                await asked.recall_conversation(RecallConversation(query="x"))
            await asked.log_messages(talk(TALK[:1]))
