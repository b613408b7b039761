"""The socket of a server of ours: the page's, and a snake's."""

import errno
import socket

USUAL_PORT = 8000
_PORTS = 20
"""Ports that are tried, where none was asked for."""


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port on the usual one or the next that is free. Raises OSError or ValueError."""
    try:
        family, _, _, _, found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        raise ValueError(f"--host {host!r} is no address of this machine") from None
    for one in [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + _PORTS), 0]:
        # asyncio sends small answers at once only over sockets that say that they are TCP's; else they wait 40 ms for an acknowledgement.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((found[0], one))
            made.listen(128)
            made.setblocking(False)
        except OSError as error:
            made.close()
            if port is None and error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            reason = {errno.EADDRINUSE: "is taken by another program", errno.EACCES: "is not for everybody's programs"}
            if error.errno == errno.EADDRNOTAVAIL:
                raise ValueError(f"--host {host!r} is no address of this machine") from None
            raise ValueError(f"port {port} {reason.get(error.errno or 0, str(error))}; leave --port out for one that is free") from None
        else:
            return made
    raise AssertionError("port 0 is always free")
