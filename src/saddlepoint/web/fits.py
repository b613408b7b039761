"""The figures of a fit, read while it may be running."""

import json
from pathlib import Path
from typing import Any

from ..learning.plot import figures
from ..learning.run_folder import folder_of, is_running
from .errors import Refused

_LARGEST = 16_000_000
"""Bytes of a file of figures: a damaged folder does not occupy the server."""
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
        stamp = f"{_stamp(folder)}-{is_running(self._output):d}"
        if since == stamp:
            return None
        told = {"changed": stamp, "name": self._output.name, "game": None, "generations": [], "drawn": "", "step": None}
        if not (folder / "state.json").exists():
            return told
        try:
            state, step = _read(folder / "state.json"), _step(folder / "step.json") if is_running(self._output) else None
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
    """Where a fit is that runs; None where it has said nothing yet."""
    try:
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
    """A text that changes when a file of the fit does."""
    parts: list[str] = []
    for name in ("state.json", "step.json"):
        try:
            parts.append(f"{(folder / name).stat().st_mtime_ns:x}")
        except OSError:
            parts.append("0")
    return "-".join(parts)
