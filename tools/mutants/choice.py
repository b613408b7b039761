"""Which changes are tried: drawn by their names, so that other code around them does not change the choice."""

import hashlib
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .rooms import PACKAGE, ROOMS, Group
from .sites import Site, sites_of

EXPLAINED = Path(__file__).with_name("explained.toml")
_RARE = {"return": 0.1, "call dropped": 0.1, "arguments": 0.1}
"""At most this share of a room's changes: nearly every test sees them."""


@dataclass(frozen=True)
class Mutant:
    """A change that was chosen."""

    room: str
    group: Group
    source: Path
    site: Site

    @property
    def key(self) -> str:
        return f"{self.room} | {self.site.key}"

    @property
    def name(self) -> str:
        return f"{self.room} | {self.site.name}"

    def __str__(self) -> str:
        where = f"{self.source.relative_to(PACKAGE)}:{self.site.line}"
        return f"{where} {self.site.function}: {self.site.operator}: {self.site.before} -> {self.site.after}\n    {self.site.text}"


def chosen(number: int, seed: int) -> list[Mutant]:
    """So many changes in every room, drawn by their names: other code around them does not change the choice."""
    found: list[Mutant] = []
    for room, groups in ROOMS.items():
        sites = [
            Mutant(room, group, source, site)
            for group in groups
            for source in group.source_files()
            for site in sites_of(source.read_text())
        ]
        sites.sort(key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).digest())
        taken: Counter[str] = Counter()
        drawn: list[Mutant] = []
        for mutant in sites:
            operator = mutant.site.operator
            if len(drawn) < number and taken[operator] < _RARE.get(operator, 1.0) * number:
                drawn.append(mutant)
                taken[operator] += 1
        found += drawn
    return found


def explanations() -> dict[str, str]:
    """The reason why nothing need notice a change, by its name."""
    if not EXPLAINED.exists():
        return {}
    return {
        entry["mutant"]: entry["reason"]
        for entry in tomllib.loads(EXPLAINED.read_text()).get("explained", [])
    }


def digest_of(paths: list[Path]) -> str:
    """Of the files' contents."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()[:12]
