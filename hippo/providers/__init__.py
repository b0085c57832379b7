"""Services outside: language models and embeddings behind OpenAI-compatible addresses, only where one is configured.

1. A call ends within a bound of seconds, however the service behaves: silent, slow, or a byte at a time.
2. What may pass by itself (no connection, a connection that broke, 408, 425, 429, 5xx) is tried again, a bounded number
   of times. The waits double; a longer `Retry-After` is honoured, and where it asks for more patience than there is the
   call fails at once.
3. The key is in no error, no repr and no log. It is checked before it is used: libraries quote a header they refuse.
   What a service says when it refuses a key is not repeated, since it may quote it.
4. Answers are bounded in bytes. No redirect is followed: it would carry the text, and perhaps the key, elsewhere.
5. A service on this machine is reached directly, whatever proxy the environment names.
6. The HTTP library is imported at the first call: start-up stays light, and without a provider it is never loaded.
   That, and reading certificates for a client, takes tens of milliseconds: it is done in threads.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urlsplit, urlunsplit

import msgspec
import trio
from msgspec import Struct

from hippo import limits
from hippo.errors import BadSetting, ProviderFailed
from hippo.readings import is_loopback

if TYPE_CHECKING:
    import httpx2


_PASSES = frozenset((408, 425, 429, *range(500, 600)))
_REFUSES_THE_KEY = frozenset((401, 403, 407))
S = TypeVar("S", bound=Struct)
_ENDS = (r"\n\s*\n", r"(?:[.!?…]\s|[。！？\n])", r"\s")  # noqa: RUF001
_KEY = re.compile(r"[\x21-\x7e]+")


class Reply(NamedTuple):
    """What a service answered: its status, its headers in small letters, and its body as it came."""

    status: int
    headers: dict[str, str]
    body: bytes | bytearray


class _Fault(Struct):
    message: str = ""


class _Refusal(Struct):
    """The shapes in which services say why: {"error": {"message"}}, {"error": "…"}, {"message": "…"}."""

    error: _Fault | str | None = None
    message: str | None = None


class Endpoint:
    """One address of a service, and how patiently it is called.

    Args:
        url: where its interface begins, such as https://api.openai.com/v1 or http://127.0.0.1:11434. Without a path
            `/v1` is meant; the full address of the route is understood as well.
        key: sent as a bearer token; none for services that take none.
        route: such as `chat/completions`.
        setting: the name of the setting that holds the url, such as HIPPO_LLM_URL; its key's ends in _KEY.
        seconds: within which a call ends (rule 1).

    Raises:
        BadSetting: the url is no address of a service, or the key could not be sent.
    """

    def __init__(self, url: str, key: str | None, *, route: str, setting: str, seconds: float) -> None:
        # What is refused is not quoted: either may hold a secret.
        key = (key or "").strip()
        if key and not _KEY.fullmatch(key):
            raise BadSetting(name=setting.replace("_URL", "_KEY"), value="…", why="it takes printable ASCII, no spaces")
        try:
            parts = urlsplit(url.strip())
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
        if not host or parts.scheme not in ("http", "https") or "@" in parts.netloc:
            raise BadSetting(name=setting, value="…", why="it takes an address such as http://127.0.0.1:11434/v1, "
                             "without a user name: a key has its own setting")
        path = parts.path.rstrip("/") or "/v1"
        self.address = urlunsplit(parts._replace(
            path=path if path.endswith("/" + route) else f"{path}/{route}", fragment=""))
        self._host = host if port is None else f"{host}:{port}"
        self._trusts_environment = not is_loopback(host)
        self._seconds = seconds
        self._key = key
        self._client: httpx2.Client | None = None
        self._opening = Lock()

    def __repr__(self) -> str:
        return f"Endpoint({self._host})"

    async def ask(self, body: bytes) -> bytes:
        """The answer to a request.

        Args:
            body: JSON.

        Raises:
            ProviderFailed: There is none.
        """
        client = await trio.to_thread.run_sync(self._new_client)
        import httpx2

        answer = bytearray()
        with trio.move_on_after(self._seconds) as bound:
            async with client:
                for attempt in range(1, limits.provider_attempts_max + 1):
                    answer = bytearray()
                    try:
                        async with client.stream("POST", self.address, content=body, headers=self._headers) as response:
                            async for piece in response.aiter_bytes():
                                answer += piece
                                if len(answer) > limits.provider_answer_bytes_max:
                                    bound.cancel()  # leaving the loop would leave the library's generators half read
                        outcome: Reply | Exception = Reply(response.status_code, dict(response.headers), answer)
                    except (httpx2.HTTPError, httpx2.InvalidURL) as fault:
                        outcome = fault
                    if len(answer) > limits.provider_answer_bytes_max:
                        break
                    if (pause := self._wait(attempt, outcome)) is None:
                        return bytes(answer)
                    await trio.sleep(pause)
        raise self._endless if len(answer) > limits.provider_answer_bytes_max else self._late

    def ask_blocking(self, body: bytes) -> bytes:
        """The same, for threads, over connections that are kept until `close`."""
        import httpx2

        with self._opening:
            if self._client is None:
                with self._blaming_environment():
                    self._client = httpx2.Client(trust_env=self._trusts_environment)
        end = time.monotonic() + self._seconds
        for attempt in range(1, limits.provider_attempts_max + 1):
            answer = bytearray()
            try:
                with self._client.stream("POST", self.address, content=body, headers=self._headers,
                                         timeout=self._timeout(end - time.monotonic())) as response:
                    for piece in response.iter_bytes():
                        answer += piece
                        if len(answer) > limits.provider_answer_bytes_max:
                            raise self._endless
                        if time.monotonic() >= end:
                            raise self._late
                outcome: Reply | Exception = Reply(response.status_code, dict(response.headers), answer)
            except (httpx2.HTTPError, httpx2.InvalidURL) as fault:
                outcome = fault
            if (pause := self._wait(attempt, outcome)) is None:
                return bytes(answer)
            if time.monotonic() + pause >= end:
                break
            time.sleep(pause)
        raise self._late

    def _new_client(self) -> httpx2.AsyncClient:
        import httpx2

        with self._blaming_environment():
            return httpx2.AsyncClient(timeout=self._timeout(self._seconds), trust_env=self._trusts_environment)

    @contextmanager
    def _blaming_environment(self) -> Iterator[None]:
        """Where a client cannot be made it is for what the environment names. That is not quoted: it may be secret."""
        try:
            yield
        except (ImportError, ValueError, OSError) as fault:
            raise self.failed("cannot be asked with the proxies (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY) and certificates "
                              "(SSL_CERT_FILE, SSL_CERT_DIR) that this environment names") from fault

    def close(self) -> None:
        """Closes the connections that are kept; the next call opens them again."""
        with self._opening:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def failed(self, why: str, status: int | None = None) -> ProviderFailed:
        """The error for what went wrong, on one line, without the key; it remembers the status."""
        words = "".join(letter if letter.isprintable() else " " for letter in why)
        told = " ".join((words.replace(self._key, "…") if self._key else words).split())
        return ProviderFailed(why=f"{self._host} {told}", status=status)

    @property
    def _late(self) -> ProviderFailed:
        return self.failed(f"did not answer within {self._seconds:g} s")

    @property
    def _endless(self) -> ProviderFailed:
        return self.failed(f"answered with more than {limits.provider_answer_bytes_max} bytes")

    @property
    def _headers(self) -> dict[str, str]:
        return {"Content-Type": "application/json", "Accept": "application/json",
                **({"Authorization": f"Bearer {self._key}"} if self._key else {})}

    @staticmethod
    def _timeout(seconds: float) -> httpx2.Timeout:
        import httpx2

        return httpx2.Timeout(max(seconds, 0.001), connect=max(0.001, min(seconds, limits.provider_connect_seconds)))

    def _wait(self, attempt: int, outcome: Reply | Exception) -> float | None:
        """How long to wait before the next attempt (rule 2).

        Args:
            attempt: 1 for the first.
            outcome: What came of it.

        Returns:
            Seconds, or None where the outcome is the answer that was asked for.

        Raises:
            ProviderFailed: Trying again is of no use, or was of none.
        """
        if isinstance(outcome, Exception):
            why, asked = f"does not answer ({type(outcome).__name__}: {outcome})", 0.0
        elif 200 <= outcome.status < 300:
            return None
        else:
            why, asked = _refusal(outcome), _asked_wait(outcome.headers)
            if outcome.status not in _PASSES:
                raise self.failed(why, outcome.status)
        if attempt >= limits.provider_attempts_max:
            raise self.failed(f"{why}, {attempt} times")
        if asked > limits.provider_wait_seconds_max:
            raise self.failed(f"{why}, and asks to wait {asked:.0f} s")
        return max(asked, limits.provider_wait_seconds * 2.0 ** (attempt - 1))


def decoded(content: bytes | bytearray | str, shape: type[S]) -> S | None:
    """JSON as a Struct, None where it is no such thing."""
    try:
        return msgspec.json.decode(content, type=shape)
    except (msgspec.DecodeError, RecursionError):
        return None


def cut(text: str, characters: int) -> list[str]:
    """A text in pieces, one after the other, none longer than a number of characters; cut where a paragraph, a
    sentence or a word ends, whichever is the first of these to be found in a piece's second half."""
    found = []
    while len(text) > characters:
        ends = (re.search(rf"(?s).*{end}", text[characters // 2:characters]) for end in _ENDS)
        at = next((characters // 2 + end.end() for end in ends if end), characters)
        found.append(text[:at])
        text = text[at:]
    return [*found, text] if text else found


def _refusal(reply: Reply) -> str:
    if reply.status in _REFUSES_THE_KEY:
        return f"refused the key with status {reply.status}"
    told = decoded(reply.body, _Refusal) or _Refusal()
    words = told.error.message if isinstance(told.error, _Fault) else told.error or told.message or ""
    most = limits.provider_words_characters_max
    return f"answered with status {reply.status}" + (f": {words[:most]}" if words else "")


def _asked_wait(headers: dict[str, str]) -> float:
    """The seconds that `Retry-After` asks for, 0 for none; a time is read by the service's own clock, its `Date`."""
    asked = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", asked):
        return float(asked)
    try:
        return max(0.0, (parsedate_to_datetime(asked) - parsedate_to_datetime(headers["date"])).total_seconds())
    except (KeyError, TypeError, ValueError):
        return 0.0
