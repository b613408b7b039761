"""The entry points by which installed packages bring games."""

import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "saddlepoint.games"
"""The group of entry points: a game's name, and where its `Description` is."""


def entry_points_of_games() -> "list[EntryPoint]":
    """The entry points of the group, in the order in which their packages are found."""
    if not _may_be_there():
        return []
    from importlib.metadata import entry_points

    return list(entry_points(group=ENTRY_POINTS))


def _may_be_there() -> bool:
    """False where no installed package can have one: to load importlib.metadata takes as long as all else that a list of games needs.

    It looks at the files that this reads in the folders of `sys.path`, and does not judge packages that are found in another way.
    """
    if any(hasattr(finder, "find_distributions") for finder in sys.meta_path if finder is not PathFinder):
        return True
    for folder in map(Path, sys.path):
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            continue
        except OSError:  # an archive, say
            return True
        for name in names:
            if name.lower().endswith((".dist-info", "egg-info")) and _names_the_group(folder / name / "entry_points.txt"):
                return True
    return False


def _names_the_group(file: Path) -> bool:
    try:
        return ENTRY_POINTS.encode() in file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return False
