"""The daemon: opens the store, wires the actors, serves, and ends in an order in which nothing is lost.

1. Start: lock and recover the store, load the graphs, start the actors, then listen; the MCP library is loaded in a
   thread meanwhile.
2. Who asks whom is a graph without a circle; each actor closes its own addresses when its last asker has gone. So
   ending is: subscribers first, then the HTTP server, then the service's addresses; the writer fsyncs last.
3. An expected error at the start is one line and its exit code. A bug in an actor ends the process with a traceback:
   the journal is the only way back.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import trio

from hippo import limits
from hippo.actors.awakening import Warmth, last_report, lost, wake
from hippo.actors.broadcaster import BroadcasterActor
from hippo.actors.graph import GraphActor
from hippo.actors.night import Night
from hippo.actors.reader import ReaderActor
from hippo.actors.sleeper import SleeperActor
from hippo.actors.writer import WriterActor
from hippo.embed.embedder import open_embedder
from hippo.errors import HippoError, ShutdownOverrun, WrongEmbedder
from hippo.interfaces.drafting import Drafting
from hippo.interfaces.message_table import MessageTable
from hippo.interfaces.sensing import Sensing
from hippo.interfaces.service import Service
from hippo.runtime.budget import Budget
from hippo.runtime.clock import Clock
from hippo.runtime.mailbox import open_mailbox
from hippo.runtime.offload import Offload
from hippo.settings import Settings
from hippo.store.disk import Disk, FolderDisk
from hippo.store.store import Store
from hippo.store.texts import Texts

log = logging.getLogger("hippo")


@asynccontextmanager
async def awake(settings: Settings, disk: Disk, offload: Offload) -> AsyncIterator[Service]:
    """The service of an open store with all its actors; on leaving, they end in order and the store is closed.

    Raises:
        HippoError: the store is in use, too new, or built with another embedder.
    """
    clock = Clock(settings.epoch)
    # A frozen clock asks for the same bytes in every run, ids included.
    seed = settings.epoch if settings.epoch is not None else secrets.randbits(63)
    store = await offload.run(Store.open, disk, seed=seed)
    try:
        recovered = store.recovered
        found = recovered.snapshot.state.get("embedder")
        if found is not None and found != settings.embedder:
            raise WrongEmbedder(found=found, asked=settings.embedder)
        embedder = open_embedder(settings.embedder)
        brain, keys, clock.skip_ms = await offload.run(wake, recovered, store.seed, settings.retention_weight)
    except BaseException:
        store.close()
        raise
    for sentence in recovered.damage:
        log.warning("%s", sentence)
    state, next_ordinal = recovered.snapshot.state, store.next_ordinal

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
            settings.messages_db, settings.messages_table, offload),
        writer=to_writer, graph=to_graph, reader=to_reader, sleeper=to_sleeper, broadcaster=to_broadcaster)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(broadcaster.run, broadcaster_inbox)
        nursery.start_soon(reader.run, reader_inbox)
        nursery.start_soon(graph.run, graph_inbox)
        nursery.start_soon(writer.run, writer_inbox)
        nursery.start_soon(sleeper.run, sleeper_inbox)
        try:
            yield service
        finally:
            service.close()
            # The actors end by themselves; only a bug or an impatient person cuts this short.
            nursery.cancel_scope.shield = True


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
    sys.setswitchinterval(limits.interpreter_switch_seconds)
    try:
        trio.run(_serve, settings, ready, strict_exception_groups=True)
    except* HippoError as group:
        raise _first(group) from None
    return 0


def _first(group: BaseExceptionGroup[HippoError]) -> HippoError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
