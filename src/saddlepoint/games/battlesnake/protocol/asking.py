"""What a server says of itself, `GET /`."""

from contextlib import closing
from typing import Any

from ....players.base import PlayerError
from .client import Address, Client
from .words import AnswerError, decoded, version_in

_PATIENCE = 5.0  # seconds


def about(client: Client) -> dict[str, Any]:
    """The server's answer to `GET /`. Raises PlayerError where it is no JSON object."""
    try:
        return decoded(client.get("/", _PATIENCE))
    except (AnswerError, PlayerError) as error:
        raise PlayerError(f"{client.address.url} does not answer GET / as a snake does: {error}") from None


def told_version(url: str) -> str:
    """The version that the server of this address tells; empty where it tells none. Raises PlayerError where it does not answer."""
    with closing(Client(Address(url))) as client:
        return version_in(about(client))
