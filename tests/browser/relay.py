"""A relay between a page and a daemon that can be cut: the daemon lives on and knows nothing of it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

_CHUNK_BYTES = 65_536


class Relay:
    """Hands on bytes both ways, from `url` to a daemon.

    Args:
        port: of the daemon, on this machine.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._whole = True
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._listen)]
        self._threads[0].start()

    def cut(self) -> None:
        """Ends every connection, and each that is tried from now on."""
        with self._lock:
            self._whole = False
            for end in self._ends:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Lets connections through again."""
        with self._lock:
            self._whole = True

    def close(self) -> None:
        """Ends everything."""
        self.cut()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._port))
                self._ends |= {near, far}
            pair = [threading.Thread(target=self._hand_on, args=ends) for ends in ((near, far), (far, near))]
            self._threads += pair
            for thread in pair:
                thread.start()

    def _hand_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while chunk := source.recv(_CHUNK_BYTES):
                target.sendall(chunk)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._ends.discard(source)
        source.close()
