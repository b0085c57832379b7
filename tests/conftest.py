"""Fixtures for every test: virtual time and bounded waits come from here."""

from __future__ import annotations

import functools
import inspect

import hypothesis
import pytest
import trio

from hippo.runtime.worker import one_thread

one_thread()
hypothesis.settings.register_profile("patient", deadline=None)  # a slow machine is no failure
hypothesis.settings.load_profile("patient")
_SECONDS_MAX = 600  # generous: a test that hangs fails, a slow machine does not


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An async test runs on trio, within a bound."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    async def bounded() -> None:
        with trio.fail_after(_SECONDS_MAX):
            await functools.partial(test, **wanted)()

    trio.run(bounded)
    return True
