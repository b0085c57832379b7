"""A service that speaks as OpenAI's does, on a socket of this machine: what a real one would do, and what it should not.

It answers each request with the next of the replies it was given, and from then on by itself: chat with what `say` says,
embeddings with hashed term frequencies. It keeps what it was asked. `python -m tests.providers.fake_openai` runs one.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, cast

from hippo.text import term_frequency


class Reply(NamedTuple):
    """One answer: `body` is sent as JSON unless it is bytes. `hangs` says nothing, `drops` closes without a word,
    `trickles` sends a byte at a time without end."""

    status: int = 200
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    hangs: bool = False
    drops: bool = False
    trickles: bool = False


class Asked(NamedTuple):
    """What was asked: the path, the headers in small letters, the body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def user(self) -> dict[str, Any]:
        """What the last message of a chat holds: hippo sends JSON."""
        return cast(dict[str, Any], json.loads(self.body["messages"][-1]["content"]))


def chat(content: str | None) -> Reply:
    """A chat completion."""
    return Reply(body={"id": "x", "object": "chat.completion", "choices": [
        {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]})


def vectors(*rows: list[float], first: int = 0) -> Reply:
    """Embeddings, numbered from `first`."""
    return Reply(body={"object": "list", "data": [
        {"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows, first)]})


class FakeOpenAI:
    """The server; a context manager. `url` is what HIPPO_LLM_URL and HIPPO_EMBED_URL would hold."""

    def __init__(self, *replies: Reply, say: Callable[[Asked], str] = lambda asked: "{}", port: int = 0) -> None:
        self.replies = deque(replies)
        self.asked: list[Asked] = []
        self._say = say
        self._ended = threading.Event()
        fake = self

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if fake._ended.is_set():  # a connection that was kept does not outlive the server
                    self.answer(Reply(drops=True))
                    return
                asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(body))
                fake.asked.append(asked)
                self.answer(fake.replies.popleft() if fake.replies else fake.by_itself(asked))

            def answer(self, reply: Reply) -> None:
                if reply.hangs:
                    fake._ended.wait()
                if reply.hangs or reply.drops:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(1_000_000 if reply.trickles else len(body)))
                self.end_headers()
                while reply.trickles and not fake._ended.wait(0.005):
                    try:
                        self.wfile.write(b" ")
                    except OSError:
                        return
                self.wfile.write(body)

            def log_message(self, *words: object) -> None:
                """Says nothing: what is asked is kept."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *words: object) -> None:
                """A client that went away is none of its errors."""

        self._server = Server(("127.0.0.1", port), Answering)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def by_itself(self, asked: Asked) -> Reply:
        """What a service that works answers."""
        if asked.path == "/v1/chat/completions":
            return chat(self._say(asked))
        if asked.path == "/v1/embeddings":
            if not all(asked.body["input"]):
                return Reply(400, {"error": {"message": "'input' must not hold an empty string"}})
            return vectors(*(term_frequency.weights(term_frequency.columns(text)).tolist()
                             for text in asked.body["input"]))
        return Reply(404, {"error": {"message": f"there is nothing at {asked.path}"}})

    def __enter__(self) -> FakeOpenAI:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


if __name__ == "__main__":
    with FakeOpenAI(port=8000) as server:
        print(server.url, flush=True)
        threading.Event().wait()
