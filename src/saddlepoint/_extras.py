"""The installed version, and the optional packages: the command that installs them.

No package index has the library yet, so it names where this one is from.
"""

import json
import shlex
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any


def installed_version() -> str:
    """The version that is installed, as `saddlepoint.__version__`; empty where the files are used without being installed."""
    try:
        return version("saddlepoint")
    except PackageNotFoundError:
        return ""


def how_to_install(extra: str) -> str:
    """The command that installs the packages of an extra, such as `web`, into the environment in use."""
    checkout = Path(__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        return f"pip install --editable {shlex.quote(f'{checkout}[{extra}]')}"
    if origin := _origin():
        return f"pip install {shlex.quote(f'saddlepoint[{extra}] @ {origin}')}"
    return f"pip install '.[{extra}]' in a checkout"


def _origin() -> str:
    """The address that the library was installed from, as pip wrote it down; empty where it was not."""
    try:
        text = distribution("saddlepoint").read_text("direct_url.json")
        told: Any = json.loads(text or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url = told.get("url") if isinstance(told, dict) else None
    if not isinstance(url, str):
        return ""
    system = told.get("vcs_info")
    return f"{system['vcs']}+{url}" if isinstance(system, dict) and "vcs" in system else url
