"""The service, loaded while the browser already opens the page: games and searches take a second or two."""

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from .errors import Refused

if TYPE_CHECKING:
    from .service import Service


class Starting:
    """Makes the service in a thread; requests wait for it."""

    def __init__(self, make: "Callable[[], Service]") -> None:
        self._make = make
        self._made = threading.Event()
        self._service: Service | None = None
        self._closed = False
        self._began = False

    def begin(self) -> None:
        """Begin to load it; the first call counts."""
        if not self._began:
            self._began = True
            threading.Thread(target=self._load, name="saddlepoint loading", daemon=True).start()

    async def service(self) -> "Service":
        """The service, once it is there."""
        self.begin()
        while not self._made.is_set():
            await asyncio.sleep(0.01)
        if self._service is None:
            raise Refused("the server could not load the games; what it says where it was started tells more", 500)
        return self._service

    def close(self) -> None:
        """End searches and compilations."""
        self._closed = True
        if self._service is not None:
            self._service.close()

    def _load(self) -> None:
        try:
            self._service = self._make()
        finally:
            self._made.set()
        if self._closed:
            self._service.close()
