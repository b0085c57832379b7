"""The pages of `ui/`: small files, read once, served from memory, compressed for whoever takes that.

In a wheel they lie inside the package, in a checkout (also an editable one) beside it.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hippo.interfaces.answers import Scope, Send, answer, header

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
_REFUSED = re.compile(r"\s*q=0(\.0*)?\s*")
_package = Path(__file__).resolve().parent.parent
FOLDERS = (_package / "ui", _package.parent / "ui")


class Page(NamedTuple):
    """One file, ready to be sent: as it is, or `packed` with gzip."""

    body: bytes
    packed: bytes
    kind: str
    tag: str


def read_pages(folders: Iterable[Path] = FOLDERS) -> dict[str, Page]:
    """Every page by its path; `/` is index.html.

    Raises:
        FileNotFoundError: none of the folders holds an index.html.
    """
    folder = next((folder for folder in folders if (folder / "index.html").is_file()), None)
    if folder is None:
        raise FileNotFoundError("the pages of ui/ are missing from this installation")
    pages = {}
    for file in sorted(folder.iterdir()):
        if file.suffix in KINDS:
            body = file.read_bytes()
            tag = hashlib.blake2b(body, digest_size=8).hexdigest()
            pages[f"/{file.name}"] = Page(body, gzip.compress(body, mtime=0), KINDS[file.suffix], f'"{tag}"')
    pages["/"] = pages["/index.html"]
    return pages


async def answer_page(page: Page, scope: Scope, send: Send) -> None:
    """Sends a page, or 304 when the client has it already."""
    more = {"etag": page.tag, "cache-control": "no-cache", "content-security-policy": POLICY,
            "referrer-policy": "no-referrer", "x-frame-options": "DENY", "vary": "accept-encoding"}
    if header(scope, b"if-none-match") == page.tag:
        await answer(send, 304, b"", page.kind, more)
    elif _takes_gzip(header(scope, b"accept-encoding") or ""):
        await answer(send, 200, page.packed, page.kind, more | {"content-encoding": "gzip"})
    else:
        await answer(send, 200, page.body, page.kind, more)


def _takes_gzip(accepted: str) -> bool:
    codings = (coding.partition(";") for coding in accepted.lower().split(","))
    return any(name.strip() == "gzip" and not _REFUSED.fullmatch(weight) for name, _, weight in codings)
