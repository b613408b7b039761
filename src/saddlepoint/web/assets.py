"""The files of the page: those of the package, and nothing else."""

import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

_TYPES = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json",
    ".png": "image/png", ".ico": "image/x-icon", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}  # fmt: skip
_NAME = re.compile(r"(?:[\w-]+/)*[\w-]+(?:\.[\w-]+)+", re.ASCII)
"""Of files: no name of a folder above, none that a file system might take for something else."""
_LONGEST = 200
_PACKAGE = Path(__file__).parents[1]
FOLDERS = {"static": _PACKAGE / "web" / "static", "viewer": _PACKAGE / "play" / "viewer", "report": _PACKAGE / "arena" / "report"}


def asset(folder: str, name: str, request: Request) -> Response:
    """A file of a folder, which the browser asks for again only to learn that it is the same."""
    home = FOLDERS[folder]
    file = home / name
    kind = _TYPES.get(file.suffix) if _NAME.fullmatch(name) else None
    if kind is None or len(name) > _LONGEST or not file.is_file() or not file.resolve().is_relative_to(home.resolve()):
        return JSONResponse({"error": "there is no such file"}, 404)
    status = file.stat()
    tag = f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if tag in re.findall(r'"[^"]*"', request.headers.get("if-none-match", "")):  # weak ones too: a proxy that compresses makes them so
        return Response(status_code=304, headers=headers)
    return FileResponse(file, media_type=kind, headers=headers, stat_result=status)
