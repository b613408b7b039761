"""The bodies of requests, with their size and time checked; and requests that are refused."""

import traceback
from collections.abc import Iterable
from pathlib import PurePath

import anyio
from starlette.requests import ClientDisconnect, Request

from . import limits


class Refused(Exception):
    """A request that is answered with a status and one sentence."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


class StillCompiling(Exception):
    """The request can be answered once `what` is compiled; it has waited `seconds`, and `ahead` others come first."""

    def __init__(self, what: str, seconds: float, ahead: int) -> None:
        super().__init__(what)
        self.what, self.seconds, self.ahead = what, seconds, ahead


def first_line(error: BaseException) -> str:
    """The first line of an error's text, which is never a trace."""
    return (str(error).splitlines() or [type(error).__name__])[0][:300]


def blamed(error: BaseException, files: Iterable[str] = ()) -> str:
    """The kind of what somebody's own code did wrong, with the line of the last of these `files` that it came through.

    Not its text, which may hold what is nobody's business: who started the server reads it there.
    """
    lines = [(frame.f_code.co_filename, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    own = [f" ({PurePath(file).name}, line {number})" for file, number in lines if file in files]
    return f"{type(error).__name__}{own[-1] if own else ''}"


async def read_body(request: Request, most: int = limits.MESSAGE, too_long: str = "") -> bytes:
    """A request's body, of `most` bytes at most; `too_long` is the sentence of the refusal."""
    too_long = too_long or f"the request has more than {most} bytes"
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise Refused(too_long, 413)
    parts: list[bytes] = []
    size = 0
    try:
        with anyio.fail_after(limits.BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise Refused(too_long, 413)
                parts.append(part)
    except TimeoutError:
        raise Refused("the request did not arrive in time", 408) from None
    except ClientDisconnect:
        raise Refused("the client is gone") from None
    return b"".join(parts)


async def read_json(request: Request) -> bytes:
    """The body of a request that says that it is JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused("expected JSON, with the content type application/json", 415)
    return await read_body(request)
