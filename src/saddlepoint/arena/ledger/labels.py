"""What players are called where results are counted: a player that changed is another player."""

from collections.abc import Iterable


class Labels:
    """Names of players by spec and version: the spec alone, or with a number where there are several versions.

    `rows` are (spec, version, which), the oldest first; versions with the same `which` are the same player.
    """

    def __init__(self, rows: Iterable[tuple[str, str, int]] = ()) -> None:
        self._places: dict[tuple[str, str], tuple[str, int]] = {}
        self._known: dict[str, list[int]] = {}
        for spec, version, which in rows:
            known = self._known.setdefault(spec, [])
            if which not in known:
                known.append(which)
            self._places[spec, version] = (spec, known.index(which) + 1)

    def knows(self, spec: str, version: str) -> bool:
        """Whether this version is there."""
        return (spec, version) in self._places

    def newest(self, spec: str) -> str:
        """The version of this player that came last; empty where none is known."""
        return next((version for known, version in reversed(self._places) if known == spec), "")

    def of(self, spec: str, version: str) -> str:
        """`./bot.py`, or `./bot.py (2)` for the second of several versions; a version that is not known has no number."""
        found = self._places.get((spec, version))
        if found is None or len(self._known[spec]) < 2:
            return spec
        return f"{spec} ({found[1]})"
