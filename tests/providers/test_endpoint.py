from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
from itertools import pairwise

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from hippo import limits, providers
from hippo.errors import BadSetting, ProviderFailed
from hippo.providers import Endpoint, cut
from tests.providers.fake_openai import FakeOpenAI, Reply

KEY = "sk-secret-0123456789"
OK = Reply(body={"fine": True})


def endpoint(url: str, key: str | None = KEY, seconds: float = 20.0) -> Endpoint:
    return Endpoint(url, key, route="embeddings", setting="HIPPO_EMBED_URL", seconds=seconds)


async def ask(service: Endpoint, way: str) -> bytes:
    """The two ways to ask: in the event loop, and in a thread."""
    if way == "async":
        return await service.ask(b"{}")
    try:
        return await trio.to_thread.run_sync(service.ask_blocking, b"{}")
    finally:
        service.close()


both_ways = pytest.mark.parametrize("way", ["async", "blocking"])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "provider_wait_seconds", 0.001)


@both_ways
async def test_an_answer_comes_back_as_it_was_sent(way: str) -> None:
    with FakeOpenAI(OK) as fake:
        assert await ask(endpoint(fake.url), way) == b'{"fine": true}'
        assert [(asked.path, asked.headers["authorization"], asked.body) for asked in fake.asked] == [
            ("/v1/embeddings", f"Bearer {KEY}", {})]


@both_ways
async def test_without_a_key_none_is_sent(way: str) -> None:
    with FakeOpenAI(OK) as fake:
        await ask(endpoint(fake.url, None), way)
        assert "authorization" not in fake.asked[0].headers


@pytest.mark.parametrize(("url", "address"), [
    ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/embeddings"),
    ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/embeddings"),
    ("https://api.openai.com/v1", "https://api.openai.com/v1/embeddings"),
    (" https://openrouter.ai/api/v1/ ", "https://openrouter.ai/api/v1/embeddings"),
    ("https://api.openai.com/v1/embeddings", "https://api.openai.com/v1/embeddings"),
    ("https://x.example/openai/v1?api-version=1", "https://x.example/openai/v1/embeddings?api-version=1")])
def test_an_address_is_understood_however_much_of_it_is_given(url: str, address: str) -> None:
    assert endpoint(url).address == address


@pytest.mark.parametrize("url", ["", "openai", "ftp://x.example", "http://", "http://me:secret@x.example", "http://x:99999"])
def test_what_is_no_address_is_refused_by_the_name_of_its_setting_and_not_quoted(url: str) -> None:
    with pytest.raises(BadSetting, match="HIPPO_EMBED_URL") as refused:
        endpoint(url)
    assert "secret" not in refused.value.message


@pytest.mark.parametrize("key", ["sk-se\ncret", "sk secret", "sk-sécret", "sk-\x00secret"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_quoted(key: str) -> None:
    with pytest.raises(BadSetting, match="HIPPO_EMBED_KEY") as refused:
        endpoint("http://127.0.0.1:1", key)
    assert "cret" not in refused.value.message


@both_ways
@pytest.mark.parametrize("passing", [
    Reply(429, {"error": {"message": "slow down"}}), Reply(500), Reply(503, b"<html>"), Reply(408), Reply(drops=True)])
async def test_what_may_pass_by_itself_is_tried_again(passing: Reply, way: str) -> None:
    with FakeOpenAI(passing, passing, OK) as fake:
        assert await ask(endpoint(fake.url), way) == b'{"fine": true}'
        assert len(fake.asked) == 3


@both_ways
async def test_it_is_tried_a_bounded_number_of_times(way: str) -> None:
    with FakeOpenAI(*[Reply(503, {"error": "overloaded"})] * 10) as fake:
        with pytest.raises(ProviderFailed, match="status 503: overloaded, 4 times"):
            await ask(endpoint(fake.url), way)
        assert len(fake.asked) == limits.provider_attempts_max


@both_ways
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 301, 307])
async def test_what_does_not_pass_is_tried_once(status: int, way: str) -> None:
    elsewhere = (("Location", "http://127.0.0.1:1/v1/embeddings"),)
    with FakeOpenAI(Reply(status, {"error": {"message": "no"}}, elsewhere)) as fake:
        with pytest.raises(ProviderFailed, match=str(status)) as failure:
            await ask(endpoint(fake.url), way)
        assert failure.value.words["status"] == status
        assert len(fake.asked) == 1


@both_ways
async def test_a_service_that_asks_to_wait_is_waited_for(way: str) -> None:
    with FakeOpenAI(Reply(429, None, (("Retry-After", "0.3"),)), OK) as fake:
        start = trio.current_time()
        await ask(endpoint(fake.url), way)
        assert trio.current_time() - start >= 0.3


@both_ways
async def test_a_service_that_asks_for_more_patience_than_there_is_fails_at_once(way: str) -> None:
    with FakeOpenAI(Reply(429, None, (("Retry-After", "3600"),)), OK) as fake:
        with pytest.raises(ProviderFailed, match="asks to wait 3600 s"):
            await ask(endpoint(fake.url), way)
        assert len(fake.asked) == 1


def test_a_time_to_come_back_is_read_by_the_service_s_own_clock() -> None:
    until = (("Date", "Wed, 21 Oct 2015 07:28:00 GMT"), ("Retry-After", "Wed, 21 Oct 2015 07:38:00 GMT"))
    assert providers._asked_wait({name.lower(): value for name, value in until}) == 600
    assert providers._asked_wait({"retry-after": until[1][1]}) == 0
    assert providers._asked_wait({"retry-after": "soon", "date": until[0][1]}) == 0


def test_waits_double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "provider_wait_seconds", 0.5)
    waits = [endpoint("http://x.example")._wait(attempt, providers.Reply(503, {}, b"")) or 0.0 for attempt in (1, 2, 3)]
    assert all(later == 2 * earlier for earlier, later in pairwise(waits))
    assert waits[0] == 0.5


@both_ways
@pytest.mark.parametrize("slow", [Reply(hangs=True), Reply(trickles=True)])
async def test_a_call_ends_within_its_bound_however_the_service_behaves(slow: Reply, way: str) -> None:
    with FakeOpenAI(slow, slow, slow, slow) as fake:
        start = trio.current_time()
        with pytest.raises(ProviderFailed, match=r"did not answer within 0\.3 s"):
            await ask(endpoint(fake.url, seconds=0.3), way)
        assert trio.current_time() - start < 5


@both_ways
async def test_where_nothing_listens_it_is_said(way: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: refused for certain
        port = taken.getsockname()[1]
        with pytest.raises(ProviderFailed, match=f"127.0.0.1:{port} does not answer"):
            await ask(endpoint(f"http://127.0.0.1:{port}"), way)


@both_ways
async def test_an_answer_without_end_is_cut_off(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "provider_answer_bytes_max", 1000)
    with FakeOpenAI(Reply(body=b" " * 2000)) as fake:
        with pytest.raises(ProviderFailed, match="more than 1000 bytes"):
            await ask(endpoint(fake.url), way)
        assert len(fake.asked) == 1


@both_ways
@pytest.mark.parametrize("reply", [
    Reply(401, {"error": {"message": f"Incorrect API key provided: {KEY[:9]}***{KEY[-4:]}"}}),
    Reply(400, {"error": {"message": f"bad header: Bearer {KEY}\n\x1b[31m" + "x" * 500}}),
    Reply(500, {"message": KEY}), Reply(404, f'{{"error": "{KEY}"}}'.encode()), Reply(drops=True)])
async def test_the_key_is_in_no_error_no_repr_and_no_log(
        reply: Reply, way: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with FakeOpenAI(*[reply] * 4) as fake:
        service = endpoint(fake.url)
        with pytest.raises(ProviderFailed) as failure:
            await ask(service, way)
    told = " ".join((failure.value.message, repr(failure.value), repr(failure.value.words), repr(service), caplog.text))
    assert KEY not in told
    assert KEY[:9] not in told
    assert len(failure.value.message) < 400
    assert failure.value.message.isprintable()


@both_ways
async def test_a_proxy_of_the_environment_is_no_way_to_a_service_on_this_machine(
        way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with FakeOpenAI(OK) as fake:
        assert await ask(endpoint(fake.url), way) == b'{"fine": true}'


async def test_calls_side_by_side_each_get_their_answer() -> None:
    with FakeOpenAI() as fake:
        service = endpoint(fake.url)
        async with trio.open_nursery() as nursery:
            for _ in range(8):
                nursery.start_soon(service.ask, b'{"input": ["tea"]}')
                nursery.start_soon(trio.to_thread.run_sync, service.ask_blocking, b'{"input": ["tea"]}')
        assert len(fake.asked) == 16
        service.close()


async def test_connections_of_threads_are_kept_and_opened_again_after_closing() -> None:
    with FakeOpenAI(OK, OK, OK) as fake:
        service = endpoint(fake.url)
        for _ in range(2):
            service.ask_blocking(b"{}")
        service.close()
        service.close()
        assert service.ask_blocking(b"{}") == b'{"fine": true}'
        service.close()
        assert len(fake.asked) == 3


async def test_a_cancelled_call_leaves_at_once() -> None:
    with FakeOpenAI(Reply(hangs=True)) as fake, trio.move_on_after(0.2) as scope:
        await endpoint(fake.url).ask(b"{}")
    assert scope.cancelled_caught


@both_ways
@pytest.mark.parametrize(("name", "value"), [
    ("ALL_PROXY", "gopher://me:secret@proxy.example"), ("SSL_CERT_FILE", "/secret/none")])
async def test_an_environment_that_no_client_can_be_made_with_is_a_failure_and_is_not_quoted(
        way: str, name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ProviderFailed, match="that this environment names") as failure:
        await ask(endpoint("https://service.example"), way)
    assert "secret" not in str(failure.value)


def test_without_a_call_the_http_library_is_not_loaded() -> None:
    program = ("import sys; from hippo.providers.llm import LLM; from hippo.providers.embeddings import ServiceEmbedder; "
               "LLM('http://127.0.0.1:1', 'k', 'm'); ServiceEmbedder('http://127.0.0.1:1', None, 'm'); "
               "assert not {'httpx2', 'httpcore2', 'httpx'} & set(sys.modules)")
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@given(st.text(alphabet="ab. \n。", max_size=200), st.integers(2, 50))
def test_pieces_are_the_text_and_none_is_too_long(text: str, characters: int) -> None:
    pieces = cut(text, characters)
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= characters for piece in pieces)


def test_a_text_is_cut_where_a_paragraph_a_sentence_or_a_word_ends() -> None:
    assert cut("One two. Three four. Five", 22) == ["One two. Three four. ", "Five"]
    assert cut("One two three.\n\nFour. Five six", 23) == ["One two three.\n\n", "Four. Five six"]
    assert cut("one two three", 8) == ["one two ", "three"]
    assert cut("onetwothree", 4) == ["onet", "woth", "ree"]


def test_threads_of_the_fake_end_with_it() -> None:
    before = threading.active_count()
    with FakeOpenAI() as fake:
        assert fake.url
    assert threading.active_count() == before
