"""The worker process: reads calls from its standard input, answers on its standard output, one at a time.

1. A message is its length (8 bytes, little endian) and a pickle; both ends are the same program on the same machine.
2. What is called is named by module and function, so that a worker imports only what its calls need.
3. Standard output belongs to the answers alone: whatever else prints goes to standard error.
4. It ends when its input ends: a daemon that was killed leaves no worker behind.
"""

from __future__ import annotations

import importlib
import os
import pickle
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

LENGTH = struct.Struct("<Q")
NICENESS = 19
# One thread for linear algebra: matrices are small here, and threads that wait for each other cost more than they give.
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def one_thread() -> None:
    """Asks for one thread of linear algebra, where nothing else was asked for; before numpy is loaded."""
    for name, count in THREADS.items():
        os.environ.setdefault(name, count)


def message(content: Any) -> bytes:
    """What goes through the pipe."""
    pickled = pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(pickled)) + pickled


def named(call: Callable[..., Any]) -> tuple[str, str]:
    """How a call is named in a message; it has to be a function of a module."""
    assert "." not in call.__qualname__
    return call.__module__, call.__qualname__


def give_way(*, idle: bool) -> None:
    """Runs at nice 19; `idle`: where the system knows such a thing only while a core is idle, and never on the first
    one, for niceness alone lets a process finish its slice of milliseconds before another one that has woken up."""
    os.nice(NICENESS)
    if idle and hasattr(os, "sched_setscheduler"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    if idle and hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        with suppress(OSError):
            os.sched_setaffinity(0, cores - {min(cores)} or cores)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answers calls until the source ends. An answer is (True, result) or (False, the exception)."""
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (module, name), args = pickle.loads(source.read(LENGTH.unpack(head)[0]))  # from our own parent only
        try:
            answer: tuple[bool, Any] = True, getattr(importlib.import_module(module), name)(*args)
        except Exception as error:  # the parent decides what it means
            answer = False, error
        sink.write(message(answer))
        sink.flush()


if __name__ == "__main__":
    give_way(idle="idle" in sys.argv[1:])
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, answers)
