"""Many listen to one daemon, and one of them stops reading: the others lose nothing, and nobody has to wait."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import trio

from sims.bench.rig import resident_bytes
from tests.daemon_fixture import environment
from tests.interfaces.serving import client

_READERS, _EVENTS, _LAPS_MIN, _LAPS_MAX = 20, 300, 3, 60
_SECONDS_MAX, _END_SECONDS = 300, 60
_GROWTH_BYTES_MAX = 10_000_000  # a lap; what it tells would be twice that for those who listen, were it kept


class Running(NamedTuple):
    """A daemon in a process of its own."""

    child: subprocess.Popen[str]
    url: str


@contextmanager
def running(folder: Path) -> Iterator[Running]:
    """A daemon as it is shipped, killed at the end if it still runs."""
    child = subprocess.Popen([sys.executable, "-m", "hippo", "serve", "--dir", str(folder), "--port", "0"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             text=True, env=environment())
    assert child.stderr is not None
    try:
        for line in child.stderr:
            if "page" in line:
                yield Running(child, line.split()[-1].rstrip("/"))
                break
    finally:
        child.kill()
        child.wait()
        child.stderr.close()


class Reader:
    """One who listens over a plain socket."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream, self._rest = stream, b""
        self.numbers: list[int] = []
        self.names: list[str] = []
        self.moved = trio.Event()

    @classmethod
    async def at(cls, url: str, last: str = "", receive_bytes: int | None = None) -> Reader:
        host, _, port = url.removeprefix("http://").partition(":")
        plain = trio.socket.socket()
        if receive_bytes is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        await plain.connect((host, int(port)))
        reader = cls(trio.SocketStream(plain))
        resumes = f"last-event-id: {last}\r\n" if last else ""
        await reader._stream.send_all(f"GET /api/events HTTP/1.0\r\nhost: localhost\r\n{resumes}\r\n".encode())
        while b"retry: " not in reader._rest:
            reader._rest += await reader._stream.receive_some(1024)
        reader._rest = reader._rest.partition(b"retry: ")[2].partition(b"\n\n")[2]
        return reader

    async def read(self) -> None:
        """Takes what comes until the stream ends."""
        while piece := await self._stream.receive_some(65536):
            *blocks, self._rest = (self._rest + piece).split(b"\n\n")
            for block in blocks:
                if not block.startswith(b":"):
                    fields = dict(line.split(": ", 1) for line in block.decode().splitlines())
                    self.numbers.append(int(fields["id"]))
                    self.names.append(fields["event"])
            self.moved.set()
            self.moved = trio.Event()

    async def until(self, count: int) -> None:
        """Waits for so many events."""
        while len(self.numbers) < count:
            await self.moved.wait()

    async def hang_up(self) -> None:
        await self._stream.aclose()


async def _make_events(url: str, count: int, lap: int = 0) -> None:
    """So many events; a fifth of them are large: such a recall tells of fifty memories."""
    async with client(url) as http:
        for start in range(0, count, 100):
            rows = [{"text": f"Number {start + one} of what was said about lamp {lap}."} for one in range(80)]
            (await http.post("/api/remember", json={"memories": rows})).raise_for_status()
            for _ in range(20):
                (await http.post("/api/recall", json={"cue": "lamp", "k": 50})).raise_for_status()


async def _is_cut(url: str) -> bool:
    """Whether the daemon has hung up on the one that does not read."""
    async with client(url) as http:
        figures = (await http.get("/metrics")).text
    return f"\nhippo_event_streams {_READERS}\n" in figures.replace(".0\n", "\n")


async def _listen(run: Running) -> None:
    resident: list[int] = []
    async with AsyncExitStack() as open_ones, trio.open_nursery() as nursery:

        async def comes(last: str = "", receive_bytes: int | None = None) -> Reader:
            reader = await Reader.at(run.url, last, receive_bytes)
            open_ones.push_async_callback(reader.hang_up)
            return reader

        idle = await comes(receive_bytes=4096)
        keen = [await comes() for _ in range(_READERS)]
        for one in keen:
            nursery.start_soon(one.read)
        while len(resident) < _LAPS_MIN or not await _is_cut(run.url):
            assert len(resident) < _LAPS_MAX, "the daemon still waits for one that does not read"
            await _make_events(run.url, _EVENTS, len(resident))
            for one in keen:
                await one.until(_EVENTS * (len(resident) + 1))
            resident.append(resident_bytes(run.child.pid))
        assert [len(one.numbers) for one in keen] == [_EVENTS * len(resident)] * _READERS
        assert all(one.numbers == keen[0].numbers == sorted(set(one.numbers)) for one in keen)
        assert all("lagged" not in one.names for one in keen)
        assert resident[-1] - resident[0] < _GROWTH_BYTES_MAX * len(resident)

        await idle.read()  # what the system still had, and the end
        assert 0 < len(idle.numbers) < len(keen[0].numbers)
        again = await comes(str(idle.numbers[-1]))
        nursery.start_soon(again.read)
        await again.until(1)
        assert again.names == ["lagged"]
        await _make_events(run.url, _EVENTS, len(resident))
        await again.until(1 + _EVENTS)

        await comes(receive_bytes=4096)  # reads nothing, and is there when the daemon ends
        run.child.send_signal(signal.SIGTERM)
        assert await trio.to_thread.run_sync(run.child.wait, _END_SECONDS) == 0
        # The nursery is left: every stream that is read has come to its end.


def test_of_many_who_listen_one_that_stops_reading_costs_nobody_anything(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        trio.run(_bounded, run)
        assert run.child.stderr is not None
        assert "Traceback" not in run.child.stderr.read()


async def _bounded(run: Running) -> None:
    with trio.fail_after(_SECONDS_MAX):
        await _listen(run)
