"""The shipped prior."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo.codec import prior as priors
from hippo.codec.prior import decode_behind, encode_behind, prior, shipped, written
from hippo.codec.record import Damaged
from hippo.codec.words import join
from hippo.limits import prior_bytes_max, prior_bytes_min

STREAMS = ["main", "spelled"]


def test_the_prior_does_not_change() -> None:
    text = files("hippo.codec").joinpath("prior.txt").read_bytes()
    assert prior_bytes_min <= len(text) <= prior_bytes_max
    assert blake2b(text, digest_size=8).hexdigest() == "58ada10c46aa444f"
    assert blake2b(shipped("main") + shipped("spelled"), digest_size=8).hexdigest() == "b98e58440d55a798"
    assert join(prior()._replace(spelled=prior().spelled[:-1])) == text.replace(b"\n", b"\0")


@pytest.mark.parametrize("stream", STREAMS)
def test_this_brotli_writes_the_prior_as_it_is_shipped(stream: str) -> None:
    assert written(stream) == shipped(stream)
    assert brotli.Decompressor().process(shipped(stream)) == getattr(prior(), stream)


@pytest.mark.parametrize("stream", STREAMS)
@given(plain=st.binary(max_size=300))
def test_what_is_coded_behind_the_prior_comes_back(stream: str, plain: bytes) -> None:
    added = encode_behind(plain, stream)
    assert added is not None
    assert decode_behind(added, stream) == plain


def test_behind_the_prior_a_short_text_is_shorter() -> None:
    plain = prior().main[2_000:2_400]
    added = encode_behind(plain, "main")
    assert added is not None
    assert len(added) < len(brotli.compress(plain)) / 4


def test_a_brotli_that_would_write_the_prior_otherwise_codes_nothing_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priors, "shipped", lambda stream: b"as another release wrote it")
    assert encode_behind(b"text", "main") is None


def test_what_was_not_coded_behind_the_prior_is_damaged() -> None:
    with pytest.raises(Damaged, match="behind the prior"):
        decode_behind(b"\xff" * 20, "main")


def test_all_that_is_shipped_goes_along_when_the_package_is_built() -> None:
    patterns = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"][
        "package-data"]["hippo.codec"]
    shipped_files = {path.name for path in files("hippo.codec").iterdir() if path.name.endswith((".br", ".txt"))}
    assert shipped_files == {"words.br", "prior.txt", "prior.main.br", "prior.spelled.br"}
    assert all(any(fnmatch(name, pattern) for pattern in patterns) for name in shipped_files)
