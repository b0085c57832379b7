"""The daemon: opens the store, wires the actors, serves, and ends in an order in which nothing is lost.

1. Start: lock and recover the store, load the graphs, start the actors, then listen; the MCP library is loaded in a
   thread meanwhile.
2. Who asks whom is a graph without a circle; each actor closes its own addresses when its last asker has gone. So
   ending is: subscribers first, then the HTTP server, then the service's addresses; the writer fsyncs last.
3. An expected error at the start is one line and its exit code. A bug in an actor ends the process with a traceback:
   the journal is the only way back.
4. Services outside are called only where both their address and a model are set; else nothing of `providers` is loaded.
   What is learnt of an embedding service is durable before anything is remembered, so that later starts do not need it.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing
from functools import partial
from typing import TYPE_CHECKING, Any

import trio

from hippo import limits
from hippo.actors.awakening import Warmth, last_report, lost, wake
from hippo.actors.broadcaster import BroadcasterActor
from hippo.actors.graph import GraphActor
from hippo.actors.night import Night
from hippo.actors.reader import ReaderActor
from hippo.actors.sleeper import SleeperActor
from hippo.actors.writer import WriterActor
from hippo.embed.embedder import Embedder, open_embedder
from hippo.errors import HippoError, ShutdownOverrun, StoreUnwritable, WrongEmbedder
from hippo.interfaces.drafting import Drafting
from hippo.interfaces.message_table import MessageTable
from hippo.interfaces.sensing import Sensing
from hippo.interfaces.service import Service
from hippo.runtime.budget import Budget
from hippo.runtime.clock import Clock
from hippo.runtime.mailbox import open_mailbox
from hippo.runtime.offload import Offload
from hippo.runtime.passes import Checkpoint
from hippo.settings import Settings
from hippo.store.disk import Disk, FolderDisk
from hippo.store.store import Store
from hippo.store.texts import Texts

if TYPE_CHECKING:
    from hippo.providers.llm import LLM

log = logging.getLogger("hippo")


@asynccontextmanager
async def awake(settings: Settings, disk: Disk, offload: Offload) -> AsyncIterator[Service]:
    """The service of an open store with all its actors; on leaving, they end in order and the store is closed.

    Raises:
        HippoError: the store is in use, too new, or built with another embedder; or a service that is configured cannot
            be used.
    """
    clock = Clock(settings.epoch)
    # A frozen clock asks for the same bytes in every run, ids included.
    seed = settings.epoch if settings.epoch is not None else secrets.randbits(63)
    store = await offload.run(Store.open, disk, seed=seed)
    try:
        recovered, state = store.recovered, store.recovered.snapshot.state
        llm, embedder = _language_model(settings), await offload.run(_embedder, settings, state)
        brain, keys, clock.skip_ms = await offload.run(wake, recovered, store.seed, settings.retention_weight)
    except BaseException:
        store.close()
        raise
    for sentence in recovered.damage:
        log.warning("%s", sentence)
    next_ordinal = store.next_ordinal

    to_graph, graph_inbox = open_mailbox()
    to_writer, writer_inbox = open_mailbox()
    to_reader, reader_inbox = open_mailbox()
    to_sleeper, sleeper_inbox = open_mailbox()
    to_broadcaster, broadcaster_inbox = open_mailbox(limits.announcements)
    texts, budget = Texts(disk, store.seed), Budget(settings.budget_bytes)
    budget.weigh(store.bytes())
    warmth = Warmth(store, Texts(disk, store.seed), embedder, brain)
    graph = GraphActor(brain, embedder, warmth, offload, to_broadcaster.clone())
    writer = WriterActor(store, keys, next_ordinal, clock, offload, budget, to_graph.clone())
    reader = ReaderActor(texts, offload)
    broadcaster = BroadcasterActor(clock.now_ms())
    night_addresses = {"graph": to_graph.clone(), "writer": to_writer.clone(), "broadcaster": to_broadcaster.clone()}
    night = Night(disk, store.seed, lost(brain), state, embedder, offload, settings, budget, **night_addresses)
    sleeper = SleeperActor(
        settings, clock, night, budget, int(state.get("last_pass_at") or clock.now_ms()), last_report(store),
        recovered.forgotten, to_writer.clone(), *night_addresses.values())
    service = Service(
        seed=store.seed, clock=clock, drafting=Drafting(settings.zone), sensing=Sensing(embedder, offload),
        budget=budget, may_skip=settings.demo or clock.frozen, append_only=settings.append_only_prefixes,
        message_table=None if settings.messages_db is None else MessageTable(
            settings.messages_db, settings.messages_table, offload), llm=llm,
        writer=to_writer, graph=to_graph, reader=to_reader, sleeper=to_sleeper, broadcaster=to_broadcaster)

    with closing(embedder):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(broadcaster.run, broadcaster_inbox)
            nursery.start_soon(reader.run, reader_inbox)
            nursery.start_soon(graph.run, graph_inbox)
            nursery.start_soon(writer.run, writer_inbox)
            nursery.start_soon(sleeper.run, sleeper_inbox)
            try:
                if any(state.get(name) != fact for name, fact in embedder.state().items()):
                    await _keep_state(service)
                yield service
                # The actors end by themselves; only a bug or an impatient person cuts this short.
                nursery.cancel_scope.shield = True
            finally:
                service.close()


def _language_model(settings: Settings) -> LLM | None:
    """The language model, where one is configured."""
    if not _is_pair(settings, "llm_url", "llm_model"):
        return None
    from hippo.providers.llm import LLM

    assert settings.llm_url is not None and settings.llm_model is not None
    log.info("Texts that are split into facts are sent to the language model %s.", settings.llm_model)
    return LLM(settings.llm_url, settings.llm_key, settings.llm_model)


def _embedder(settings: Settings, state: Mapping[str, Any]) -> Embedder:
    """The embedder that is configured, as far as the store knows it; blocking where a service has to be measured.

    Raises:
        WrongEmbedder: the store was built with another one.
        EmbedderUnknown: it has to be measured, and does not answer.
    """
    found, asked = state.get("embedder"), settings.embedder_name
    if found is not None and found != asked:
        raise WrongEmbedder(found=found, asked=asked, way=_way_back(found))
    if not _is_pair(settings, "embed_url", "embed_model"):
        return open_embedder(settings.embedder)
    from hippo.providers.embeddings import open_service

    assert settings.embed_url is not None and settings.embed_model is not None
    log.info("Memories and cues are sent to the embedding service, for the model %s.", settings.embed_model)
    return open_service(settings.embed_url, settings.embed_key, settings.embed_model, state)


def _is_pair(settings: Settings, url: str, model: str) -> bool:
    """Whether a service is configured; half of it is none, and is said."""
    is_set = [bool(getattr(settings, name)) for name in (url, model)]
    if is_set.count(True) == 1:
        given, missing = (url, model) if is_set[0] else (model, url)
        log.warning("HIPPO_%s is set and HIPPO_%s is not: that service is not asked.", given.upper(), missing.upper())
    return all(is_set)


def _way_back(embedder: str) -> str:
    """The settings that ask for an embedder."""
    service, is_service, model = embedder.partition(":")
    return (f"set HIPPO_EMBED_MODEL to {model} and HIPPO_EMBED_URL to where that is" if is_service
            else f"set HIPPO_EMBEDDER to {service}, and no HIPPO_EMBED_URL")


async def _keep_state(service: Service) -> None:
    try:
        await service.sleeper.ask(Checkpoint())
    except StoreUnwritable as error:  # it serves all the same; the next index keeps it
        log.warning("%s", error.message)


async def _serve(settings: Settings, ready: Callable[[str], None]) -> None:
    from hippo.interfaces.server import load_mcp, serve_http

    disk = FolderDisk(settings.dir)
    stop = trio.Event()
    async with trio.open_nursery() as loading:
        loading.start_soon(partial(trio.to_thread.run_sync, load_mcp, abandon_on_cancel=True))
        async with awake(settings, disk, Offload()) as service, trio.open_nursery() as watching:
            watching.start_soon(_wait_for_signal, stop)
            async with trio.open_nursery() as serving:
                url = await serving.start(partial(serve_http, alone=True), service, settings, stop)
                disk.announce(url)
                ready(url)
                await stop.wait()
                serving.cancel_scope.deadline = trio.current_time() + limits.shutdown_seconds
                await service.hush()
            watching.cancel_scope.cancel()


async def _wait_for_signal(stop: trio.Event) -> None:
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            if stop.is_set():
                log.warning("asked twice to stop: leaving at once; what was acknowledged is in the journal")
                os._exit(ShutdownOverrun.exit_code)
            stop.set()


def run(settings: Settings, ready: Callable[[str], None]) -> int:
    """Runs the daemon until SIGTERM or SIGINT.

    Args:
        ready: called once with the address when it answers.

    Returns:
        The exit code: 0, or that of the error that ended it.

    Raises:
        HippoError: what kept it from starting.
    """
    logging.basicConfig(stream=sys.stderr, level=settings.log_level.upper(), format="%(levelname)s %(message)s")
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # it would tell of every question to a service
    sys.setswitchinterval(limits.interpreter_switch_seconds)
    try:
        trio.run(_serve, settings, ready, strict_exception_groups=True)
    except* HippoError as group:
        raise _first(group) from None
    return 0


def _first(group: BaseExceptionGroup[HippoError]) -> HippoError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
