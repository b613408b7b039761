"""The installed version, and the optional packages: the command that installs them.

No package index has the library yet, so it names where this one is from.
"""

import json
import shlex
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_NEWEST = {"open_spiel": (3, 14), "pettingzoo": (3, 14)}
"""The newest Python for which the package of an extra is to be had, where that is not yet the newest of all (November 2026)."""


def installed_version() -> str:
    """The version that is installed, as `saddlepoint.__version__`; empty where the files are used without being installed."""
    try:
        return version("saddlepoint")
    except PackageNotFoundError:
        return ""


def how_to_install(extra: str) -> str:
    """The command that installs the packages of an extra, such as `web`, into the environment in use, for a shell.

    It is one of the tool that made the environment: pipx, `uv tool`, `uv venv`, or a Python with pip. Where this Python has no such
    package yet it is a sentence instead.
    """
    if sys.version_info[:2] > (newest := _NEWEST.get(extra, sys.version_info[:2])):
        return f"there is none for Python {sys.version_info[0]}.{sys.version_info[1]} yet; use Python {newest[0]}.{newest[1]} for it"
    environment, editable = Path(sys.prefix), ""
    command, extras = f"{shell_path(sys.executable)} -m pip install", [extra]
    receipt = environment / "uv-receipt.toml"
    if receipt.is_file():  # `uv tool install` removes the extras that it does not name
        command, extras = "uv tool install --force", [*_extras_in(receipt, but=extra), extra]
    elif (environment / "pipx_metadata.json").is_file():
        command = f"pipx runpip {shlex.quote(environment.name)} install"
    elif find_spec("pip") is None:
        command = f"uv pip install --python {shell_path(sys.executable)}"
    named, checkout = f"[{','.join(extras)}]", Path(__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        origin, editable = shell_path(f"{checkout}{named}"), " --editable"
    else:
        origin = _origin(named)
    return f"{command}{editable} {origin}" if origin else f"{command} {shlex.quote(f'.{named}')} in a checkout"


def shell_path(path: str) -> str:
    """A path as a shell reads it, with `~` for the home directory: that has the user's name in it, and this is pasted into reports."""
    home = f"{Path.home()}/"
    return f"~/{shlex.quote(path[len(home) :])}" if len(home) > 2 and path.startswith(home) else shlex.quote(path)


def _extras_in(receipt: Path, but: str) -> list[str]:
    """The other extras that `uv tool` wrote down for the library; none where its file is of another form."""
    try:
        tools: Any = tomllib.loads(receipt.read_text(encoding="utf-8"))["tool"]["requirements"]
        return [extra for tool in tools if tool["name"] == "saddlepoint" for extra in tool.get("extras", ()) if extra != but]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _origin(extras: str) -> str:
    """Where the library was installed from, as the installer wrote it down, with these extras; empty where it did not."""
    try:
        text = distribution("saddlepoint").read_text("direct_url.json")
        told: Any = json.loads(text or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url = told.get("url") if isinstance(told, dict) else None
    if not isinstance(url, str):
        return ""
    if url.startswith("file://"):
        from urllib.request import url2pathname

        return shell_path(f"{url2pathname(url.removeprefix('file://'))}{extras}")
    system = told.get("vcs_info")
    source = f"{system['vcs']}+{url}" if isinstance(system, dict) and "vcs" in system else url
    return shlex.quote(f"saddlepoint{extras} @ {source}")
