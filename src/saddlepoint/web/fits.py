"""The figures of a fit, read while it may be running."""

import json
import time
from pathlib import Path
from typing import Any

from ..learning.plot import figures
from ..learning.run_folder import folder_of
from .errors import Refused

_LARGEST = 16_000_000
"""Bytes of a file of figures: a damaged folder does not occupy the server."""
_SILENT = 120.0
"""Seconds without a word after which a fit is taken for ended or stopped: a step may take that long."""
_MOST = 1e12
_SHOWN = ("number", "positions", "entropy", "held_out", "nash_conv", "score", "kept")


class FitView:
    """A fit that was named on the command line by the file that it writes."""

    def __init__(self, number: int, output: str) -> None:
        self.id, self._output = str(number), Path(output)

    def to_json(self) -> dict[str, Any]:
        """What the catalogue says of it."""
        return {"id": self.id, "name": self._output.name}

    def figures(self, since: str | None) -> dict[str, Any] | None:
        """The generations so far, their picture in SVG, and how far the next one is; None where nothing has changed `since` that stamp.

        Raises Refused, in one sentence, for a folder that holds no fit.
        """
        folder = folder_of(self._output)
        stamp = _stamp(folder)
        if since == stamp:
            return None
        told = {"changed": stamp, "name": self._output.name, "game": None, "generations": [], "drawn": "", "step": None}
        if not (folder / "state.json").exists():
            return told
        try:
            state, step = _read(folder / "state.json"), _step(folder / "step.json")
            generations = [_checked(one, number) for number, one in enumerate(state["generations"], 1)]
            drawn = "".join(figures(f"A fit of {state['game']['name']}", generations)) if generations else ""
            return told | {"game": str(state["game"]["name"]), "generations": generations, "drawn": drawn, "step": step}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise Refused(f"{folder.name} holds no fit that can be read", 422) from None


def _checked(record: dict[str, Any], number: int) -> dict[str, Any]:
    """What is shown of a generation; raises ValueError for what is no figure."""
    gate = [record["gate"][key] for key in ("wins", "draws", "losses")]
    figures = [record["entropy"], record["held_out"], record["score"], record["nash_conv"] or 0.0, record["positions"], *gate]
    if record["number"] != number or not all(isinstance(one, int | float) and 0 <= one < _MOST for one in figures):
        raise ValueError
    return {key: record[key] for key in _SHOWN} | {"gate": gate}


def _step(path: Path) -> dict[str, Any] | None:
    """Where a fit is that runs; None where it has long said nothing."""
    try:
        if time.time() - path.stat().st_mtime > _SILENT:
            return None
        found = _read(path)
    except FileNotFoundError:
        return None
    return {
        "generation": int(found["generation"]), "what": str(found["what"]), "done": int(found["done"]), "total": int(found["total"]),
        "standing": str(found["standing"]),
    }  # fmt: skip


def _read(path: Path) -> Any:
    if path.stat().st_size > _LARGEST:
        raise ValueError
    return json.loads(path.read_text(encoding="utf-8"))


def _stamp(folder: Path) -> str:
    """A text that changes when a file of the fit does, and when it has long said nothing."""
    parts: list[str] = []
    for name in ("state.json", "step.json"):
        try:
            changed = (folder / name).stat()
        except OSError:
            parts.append("0")
            continue
        parts.append(f"{changed.st_mtime_ns:x}")
        if name == "step.json" and time.time() - changed.st_mtime > _SILENT:
            parts.append("silent")
    return "-".join(parts)
