"""Every error a person or a client can meet, as a table.

1. The docstring of a class is its message; words in braces are filled in from keyword arguments.
2. Each class carries its `code` (stable, on the wire), the exit code of a command that ends with it, the HTTP
   status of a response, and where it helps a `hint`: what to do now.
3. Anything else that escapes an actor is a bug: it ends the daemon, loudly.
"""

from __future__ import annotations

from typing import Any, ClassVar


class HippoError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 2
    http_status: ClassVar[int] = 500
    hint: ClassVar[str] = ""

    def __init__(self, **words: Any) -> None:
        self.words = words
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The docstring with its words filled in."""
        return " ".join((self.__doc__ or "").format(**self.words).split())

    @property
    def advice(self) -> str:
        """The hint with its words filled in; empty where there is nothing to advise."""
        return self.hint.format(**self.words)

    def as_dict(self) -> dict[str, dict[str, str]]:
        """The wire shape of an error."""
        return {"error": {"code": self.code, "message": self.message, "hint": self.advice}}


class InvalidArgument(HippoError):
    """{what}"""

    code, exit_code, http_status = "invalid_argument", 64, 400


class UnknownArgument(InvalidArgument):
    """{verb} has no argument named {name}."""

    code, hint = "unknown_argument", "{nearest}It takes: {known}."


class TextTooLong(InvalidArgument):
    """The text has {length} characters; a memory holds at most {limit}."""

    code, http_status = "text_too_long", 413
    hint = "Split it into several memories of the same conversation: they are recalled together."


class EmptyText(InvalidArgument):
    """The text is empty: there is nothing to remember."""

    code = "empty_text"


class NotAnInstant(InvalidArgument):
    """{value} is not an instant in time."""

    code = "not_an_instant"
    hint = "Use YYYY-MM-DD, YYYY-MM-DDTHH:MM:SSZ, 7d, 12h, yesterday or last week."


class MemoryNotFound(HippoError):
    """There is no memory {id} of agent {agent_id}."""

    code, exit_code, http_status = "not_found", 66, 404
    hint = "Ids have 8 characters; `recall` and `memories` list them."


class RouteNotFound(HippoError):
    """There is nothing at {path}."""

    code, exit_code, http_status = "no_such_route", 66, 404
    hint = "GET /api/openapi.json lists every route."


class MethodNotAllowed(HippoError):
    """{path} does not answer {method}."""

    code, exit_code, http_status = "method_not_allowed", 64, 405
    hint = "It answers {allowed}."


class InternalError(HippoError):
    """Something unexpected went wrong; the daemon's log says what."""

    code, exit_code, http_status = "internal", 70, 500
    hint = "This is a bug: please report it, with what the log says."


class BodyTooLarge(HippoError):
    """The body is larger than {limit} bytes."""

    code, exit_code, http_status = "body_too_large", 65, 413
    hint = "Send it in several requests."


class BodyStalled(HippoError):
    """The body stopped coming: nothing for {seconds} s after {count} bytes."""

    code, exit_code, http_status = "body_stalled", 65, 408
    hint = "Send it again: nothing of it was taken over."


class NoRoom(HippoError):
    """What was sent cannot be kept while it is read: {why}."""

    code, exit_code, http_status = "no_room", 73, 507
    hint = "It lies in the folder for temporary files, which TMPDIR names, until it was taken over."


class HostRefused(HippoError):
    """The host {host} is not one this daemon answers to."""

    code, exit_code, http_status = "host_refused", 77, 421
    hint = "Behind a proxy, name the public host in HIPPO_ALLOWED_HOSTS."


class OriginRefused(HippoError):
    """Pages of {origin} may not call this daemon."""

    code, exit_code, http_status = "origin_refused", 77, 403
    hint = "Allow it in HIPPO_CORS_ORIGINS."


class NotAllowedHere(HippoError):
    """{what}"""

    code, exit_code, http_status = "not_allowed", 77, 403


class BadSetting(HippoError):
    """{name} = {value!r}: {why}"""

    code, exit_code, http_status = "bad_setting", 78, 500


class StoreInUse(HippoError):
    """The store {folder} is in use by process {pid}."""

    code, exit_code, http_status = "store_in_use", 75, 503
    hint = "One process owns a store. Use that daemon, or stop it first."


class StoreUnwritable(HippoError):
    """The store {folder} cannot be written: {why}."""

    code, exit_code, http_status = "store_unwritable", 73, 503
    hint = "Nothing that was acknowledged is lost. Free space or mend the permissions, then try again."


class StoreTooNew(HippoError):
    """The store {folder} has format {found}; this release reads up to {known}."""

    code, exit_code, http_status = "store_too_new", 76, 500
    hint = "Update hippo."


class StoreMissing(HippoError):
    """There is no store at {folder}."""

    code, exit_code, http_status = "store_missing", 66, 404
    hint = "`hippo serve` makes one; HIPPO_DIR names another folder."


class StoreDamaged(HippoError):
    """The store is damaged: {count} findings."""

    code, exit_code, http_status = "store_damaged", 65, 500
    hint = "`hippo check` lists them."


class MemoryDamaged(HippoError):
    """Memory {id} cannot be reconstructed: {why}."""

    code, exit_code, http_status = "memory_damaged", 65, 500
    hint = "`hippo check` names what is damaged; a backup of the folder may still hold it."


class NothingKept(HippoError):
    """The exact text of memory {id} was not kept when it was abridged."""

    code, exit_code, http_status = "nothing_kept", 66, 409
    hint = "HIPPO_PRESERVE_ORIGINALS=on keeps the exact text of what is abridged from then on."


class SourceUnreadable(HippoError):
    """{source} cannot be read: {why}."""

    code, exit_code, http_status = "source_unreadable", 66, 422


class UnknownFormat(InvalidArgument):
    """{source} is in no format that can be imported: {why}."""

    code, exit_code, http_status = "unknown_format", 65, 422
    hint = "Understood are: {understood}."


class NotAnExport(HippoError):
    """This is no export of hippo: {why}."""

    code, exit_code, http_status = "not_an_export", 65, 400
    hint = "`hippo export --format json` writes one."


class ExportTooNew(HippoError):
    """The export has version {found}; this release reads up to {known}."""

    code, exit_code, http_status = "export_too_new", 76, 400
    hint = "Update hippo."


class ExportDamaged(HippoError):
    """The export cannot be read: {why}. Nothing of it was taken over."""

    code, exit_code, http_status = "export_damaged", 65, 400
    hint = "Export it again, or mend that place: each row is a line of its own."


class WrongEmbedder(HippoError):
    """The store was built with the embedder {found}; this daemon was asked for {asked}."""

    code, exit_code, http_status = "wrong_embedder", 78, 500
    hint = "To go on with it: {way}."


class EmbedderUnknown(HippoError):
    """This store was never embedded by {name}, so it has to be measured first, and it does not answer: {why}."""

    code, exit_code, http_status = "embedder_unknown", 69, 503
    hint = ("Start that service or correct HIPPO_EMBED_URL, HIPPO_EMBED_KEY and HIPPO_EMBED_MODEL; or unset them: then "
            "texts are embedded here. Once it was measured, hippo also starts without it.")


class EmbedderFailed(HippoError):
    """The embedder failed: {why}."""

    code, exit_code, http_status = "embedder_failed", 69, 503
    hint = "`hippo doctor` says what is missing."


class ProviderFailed(HippoError):
    """The configured service failed: {why}."""

    code, exit_code, http_status = "provider_failed", 69, 502
    hint = "What can be done without it is done by rules. `hippo doctor` tells whether it answers."


class RowsFailed(HippoError):
    """{count} of {rows} rows could not be imported."""

    code, exit_code, http_status = "rows_failed", 65, 422
    hint = "The others are there. Once these are mended, the same import takes them over as well."


class InTheWay(HippoError):
    """{path} is there already{what}."""

    code, exit_code, http_status = "in_the_way", 73, 409
    hint = "{advice}"


class Unwritable(HippoError):
    """{path} cannot be written: {why}."""

    code, exit_code, http_status = "unwritable", 73, 500


class NotConfirmed(HippoError):
    """It was not confirmed: nothing was changed."""

    code, exit_code, http_status = "not_confirmed", 77, 403


class NobodyToAsk(HippoError):
    """{question} There is no terminal to ask on: nothing was changed."""

    code, exit_code, http_status = "nobody_to_ask", 77, 403
    hint = "`--yes` answers yes beforehand."


class BlockNotFound(HippoError):
    """There is no block {key} of agent {agent_id}."""

    code, exit_code, http_status = "no_such_block", 66, 404
    hint = "{known}"


class BlockTooLong(InvalidArgument):
    """The block {key} would have {length} characters; a block has at most {limit}."""

    code, http_status = "block_too_long", 413
    hint = "Replace what no longer matters by less, or begin another block."


class TooManyBlocks(InvalidArgument):
    """The agent has {count} blocks already; it may have at most {limit}."""

    code, http_status = "too_many_blocks", 413
    hint = "Add to one of them, or delete one first."


class MessagesUnreadable(HippoError):
    """The messages in {path} cannot be read: {why}."""

    code, exit_code, http_status = "messages_unreadable", 66, 500
    hint = "HIPPO_MESSAGES_DB names a SQLite file, HIPPO_MESSAGES_TABLE an FTS5 table in it."


class Busy(HippoError):
    """The daemon did not get to it within {seconds} s."""

    code, exit_code, http_status = "busy", 75, 503
    hint = "Try again; a `key` makes repeating a `remember` safe."


class WorkerLost(HippoError):
    """The worker process of sleep was lost: {why}. The pass ends here; nothing is lost, and the next one goes on."""

    code, exit_code, http_status = "worker_lost", 75, 503
    hint = "Out of memory is the usual cause; `hippo sleep` tries again."


class ShuttingDown(HippoError):
    """The daemon is shutting down."""

    code, exit_code, http_status = "shutting_down", 75, 503
    hint = "Try again once it is back."


class DaemonUnreachable(HippoError):
    """No daemon answers at {url}: {why}."""

    code, exit_code, http_status = "daemon_unreachable", 69, 503
    hint = "`hippo serve` starts one."


class DaemonNotStarted(HippoError):
    """The daemon did not start: {why}."""

    code, exit_code, http_status = "daemon_not_started", 69, 500
    hint = "`hippo doctor` says what is missing; `hippo serve` shows what the daemon says."


class AddressInUse(HippoError):
    """{host}:{port} is taken by another program."""

    code, exit_code, http_status = "address_in_use", 69, 500
    hint = "Choose another port with --port or HIPPO_PORT."


class SetupBroken(HippoError):
    """{count} of what hippo needs does not work."""

    code, exit_code, http_status = "setup_broken", 69, 500


class NotErased(HippoError):
    """It is forgotten, but {count} files that may still hold a part of it cannot be removed: other texts in them cannot
    be read."""

    code, exit_code, http_status = "not_erased", 65, 500
    hint = "`hippo check` names what is damaged. Every pass tries again."


class ShutdownOverrun(HippoError):
    """Shutting down took longer than {seconds} s and was cut short."""

    code, exit_code, http_status = "shutdown_overrun", 70, 500


class Relocated(Exception):
    """A text moved while it was being read; internal: the service asks the graph again where it lies."""


def table() -> list[type[HippoError]]:
    """Every error class, in the order of this page.

    Returns:
        The classes below `HippoError`, base classes before those derived from them.
    """
    return [kind for kind in globals().values()
            if isinstance(kind, type) and issubclass(kind, HippoError) and kind is not HippoError]
