"""What a client sends, with its size, time and kinds checked."""

from typing import Any

import anyio
from starlette.requests import ClientDisconnect, Request

from ..json_fields import Fields, json_object
from . import limits
from .errors import Refused

_DEEPEST = 8


class BodyFields(Fields):
    """The fields of what a client sends."""

    error = Refused


async def read_body(request: Request, most: int = limits.MESSAGE, too_long: str = "") -> bytes:
    """A request's body, of so many bytes at most; `too_long` says in a sentence what else to do."""
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


async def read_json(request: Request) -> BodyFields:
    """The JSON object that a request carries."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused("expected JSON, with the content type application/json", 415)
    return parsed(await read_body(request))


def parsed(text: bytes | str) -> BodyFields:
    """The JSON object of a body or message."""
    if len(text) > limits.MESSAGE:
        raise Refused(f"the message has more than {limits.MESSAGE} bytes", 413)
    try:
        data = json_object(text)
    except ValueError as error:
        raise Refused(str(error)) from None
    _check_depth(data)
    return BodyFields(data)


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(_DEEPEST):
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one) if isinstance(item, (dict, list))]  # pyright: ignore[reportUnknownVariableType]
        if not level:
            return
    raise Refused("the JSON is nested too deep")
