"""`doctor`: what this installation and this machine have, on one screen, for a report of a fault."""

import os
import platform
import re
import shutil
import textwrap
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import typer

from ..players.programs.isolation import Isolation
from ..system.terminal import how_to_install, print, print_json, width_of_output

_PROGRAMS = ("node", "chromium", "bwrap")
_WAITS = 50
"""How often a short wait is measured."""


def doctor(as_json: bool = typer.Option(False, "--json", help="Print the result as JSON.")) -> None:
    """Say what this machine and this installation have, and what is missing.

    Example: saddlepoint doctor
    """
    found = dict(_found())
    if as_json:
        print_json(found)
        return
    width = width_of_output()
    for name, facts in found.items():
        for line in _in_words(name, facts):
            print(
                "\n".join(
                    [line]
                    if width is None
                    else textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False)
                )
            )


def _in_words(name: str, facts: dict[str, Any]) -> Iterator[str]:
    """The paragraphs of a subject: one, and of the extras what is there and what is not."""
    if name == "extras":
        missing = [extra for extra, told in facts.items() if told != "installed"]
        yield f"extras installed: {', '.join(extra for extra in facts if extra not in missing) or 'none'}"
        if missing:
            yield f"extras not installed: {', '.join(missing)}; to install one: {how_to_install('NAME')}"
    elif len(facts) == 1:
        yield from (f"{name}, {key}: {value}" for key, value in facts.items())
    else:
        yield f"{name}: {'; '.join(f'{key} {value}' for key, value in facts.items()) or 'none'}"


def _found() -> Iterator[tuple[str, dict[str, Any]]]:
    from ..players.programs.supervision import containment

    needed = [_name(package) for package, extra in _requirements() if not extra]
    yield (
        "versions",
        {"python": platform.python_version()}
        | {name: version(name) for name in ("saddlepoint", "llvmlite", *needed)},
    )
    yield "machine", _machine()
    yield "compiled code", _cache()
    yield "clock", _clock()
    yield "isolation of programs", {"auto": str(containment(Isolation()))}
    yield (
        "extras",
        {
            name: f"not installed: {how_to_install(name)}" if missing else "installed"
            for name, missing in _extras()
        },
    )
    yield "other programs", {name: _at_home(shutil.which(name) or "not found") for name in _PROGRAMS}
    yield (
        "settings",
        {
            key: _at_home(value)
            for key, value in sorted(os.environ.items())
            if key.startswith(("SADDLEPOINT_", "NUMBA_"))
        },
    )


def _machine() -> dict[str, Any]:
    import psutil

    from ..arena.conditions import current_load

    load, memory = current_load(), psutil.virtual_memory()
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": f"{load.cores} usable of {os.cpu_count()}",
        "load": f"{load.average:.1f} in the last minute",
        "memory": f"{memory.available / 2**30:.1f} GB free of {memory.total / 2**30:.1f} GB",
    }


def _cache() -> dict[str, Any]:
    from ..compiled.directory import cache_directory, why_not_kept

    folder = cache_directory()
    sizes: list[int] = []
    for path in folder.rglob("*"):
        with suppress(OSError):  # another process may remove it meanwhile
            sizes += [path.stat().st_size] if path.is_file() else []
    why = why_not_kept()
    free = (
        f"{shutil.disk_usage(folder).free / 2**30:.1f} GB" if folder.is_dir() else "there is no such folder"
    )
    return {
        "folder": _at_home(str(folder)),
        "kept": f"{len(sizes)} files, {sum(sizes) / 2**20:.0f} MB; `saddlepoint warm` makes the rest",
        "writable": f"no ({why}): what is not kept yet is compiled again by each process" if why else "yes",
        "free on disk": free,
    }


def _at_home(text: str) -> str:
    """A text with `~` for the home directory, which has the user's name in it: what is printed here is pasted into reports."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def _clock() -> dict[str, Any]:
    late: list[float] = []
    for _ in range(_WAITS):
        started = time.perf_counter()
        time.sleep(0.001)
        late.append(time.perf_counter() - started - 0.001)
    late.sort()
    return {
        "resolution": f"{time.get_clock_info('perf_counter').resolution * 1e9:.0f} ns",
        "a wait of 1 ms ends late by": f"{late[_WAITS // 2] * 1e3:.2f} ms (median), {late[-1] * 1e3:.2f} ms at most",
    }


def _requirements() -> Iterator[tuple[str, str]]:
    """Each package that this installation asks for, as `name>=1.2`, with the extra that it is for; without one it is always needed."""
    for requirement in requires("saddlepoint") or ():
        package, _, marker = requirement.partition(";")
        yield package.strip(), marker.split("extra ==")[1].strip(" \"'") if "extra ==" in marker else ""


def _extras() -> Iterator[tuple[str, list[str]]]:
    """The extras, each with those of its packages that are missing."""
    wanted: dict[str, list[str]] = {}
    for package, extra in _requirements():
        if extra:
            wanted.setdefault(extra, []).append(package)
    for extra, packages in sorted(wanted.items()):
        yield extra, [package for package in packages if _is_missing(package)]


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement.strip())[0]


def _is_missing(requirement: str) -> bool:
    """Whether a package is not there, or too old for what is asked, as `name>=1.2`."""
    least = re.search(r">=\s*([\d.]+)", requirement)
    try:
        installed = version(_name(requirement))
    except PackageNotFoundError:
        return True
    return least is not None and _numbers(installed) < _numbers(least[1])


def _numbers(text: str) -> list[int]:
    """The numbers at a version's beginning: [2, 0] of 2.0rc1."""
    return [int(part) for part in re.split(r"[^\d.]", text)[0].split(".") if part]
