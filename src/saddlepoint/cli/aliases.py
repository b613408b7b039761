"""`--alias NAME=SPEC`: short names for players, on the command line and in whatever is printed."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from ..game.spec import COMMAND, HUMAN, SNAKE, Spec, SpecError, parse_spec

Alias = Annotated[
    list[str] | None,
    typer.Option(
        "--alias",
        metavar="NAME=SPEC",
        help="A short name for a player, here and in the output; may be repeated.",
    ),
]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]*")
_VERSION = re.compile(
    r"(?P<spec>.*)(?P<number> \(\d+\))", re.DOTALL
)  # as `arena.ledger.labels` calls one of several versions


class Aliases:
    """Names for players, each of one spec."""

    def __init__(self, specs: Mapping[str, str]) -> None:
        self.specs = dict(specs)
        """By name, each spec as it is written to the ledger."""
        self._names = {str(_parsed(spec)): name for name, spec in specs.items()}

    def spec(self, player: str) -> str:
        """What a name stands for; a player without one as it is."""
        return self.specs.get(player.strip(), player)

    def keyed(self, texts: Iterable[str]) -> list[str]:
        """Options of the form PLAYER=VALUE with what their names stand for."""
        return [
            f"{self.spec(player)}={value}" if mark else text
            for text in texts
            for player, mark, value in (text.rpartition("="),)
        ]

    def name(self, spec: str) -> str:
        """The name of a player, or else its spec; one of several versions of a player keeps its number."""
        if not self._names:
            return spec
        known = self._names.get(_canonical(spec))
        if known is None and (version := _VERSION.fullmatch(spec)):
            known = self._names.get(_canonical(version["spec"]))
            return spec if known is None else known + version["number"]
        return spec if known is None else known

    def shown(self, data: Any) -> Any:
        """Plain data with names in the place of specs, for tables."""
        from ..arena.conditions import renamed

        return renamed(data, self.name) if self._names else data

    def beside(self, data: dict[str, Any]) -> dict[str, Any]:
        """Plain data for --json: specs stay what they are, `names` tells the name of each."""
        names = {spec: name for name, spec in self.specs.items()}
        return self._with_names(data) | {"names": names} if names else data

    def _with_names(self, data: Any) -> Any:
        if isinstance(data, (list, tuple)):
            return [self._with_names(value) for value in data]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(data, dict):
            return data
        copy: dict[str, Any] = {}
        for key, value in data.items():  # pyright: ignore[reportUnknownVariableType]
            copy[str(key)] = self._with_names(value)  # pyright: ignore[reportUnknownArgumentType]
            if (
                key in ("player", "opponent", "a", "b")
                and isinstance(value, str)
                and self.name(value) != value
            ):
                copy["name" if key == "player" else f"{key}_name"] = self.name(value)
        return copy


def read_aliases(texts: Iterable[str]) -> Aliases:
    """The aliases of the option; raises ValueError in one sentence for what is none, or would be ambiguous."""
    specs: dict[str, str] = {}
    for text in texts:
        name, mark, spec = (part.strip() for part in text.partition("="))
        if not mark or not spec or not _NAME.fullmatch(name):
            raise ValueError(
                f"--alias takes NAME=SPEC, such as strong='alphabeta(evaluator=voronoi, depth=6)', not {text!r}"
            )
        if _is_player(name):
            raise ValueError(f"--alias {name}: a player is called {name} already; choose another name")
        if name in specs:
            raise ValueError(f"--alias {name} is there twice; expected one player for each name")
        same = next((other for other, known in specs.items() if _parsed(known) == _parsed(spec)), None)
        if same is not None:
            raise ValueError(f"--alias {name} and {same} are the same player; expected one name for each")
        specs[name] = spec
    for name, spec in specs.items():
        if spec in specs:
            raise ValueError(f"--alias {name}: {spec} is an alias itself; expected a player")
    return Aliases(specs)


def _parsed(spec: str) -> Spec:

    return parse_spec(spec)


def _canonical(spec: str) -> str:
    """The same text for specs that differ in blanks only; what is no spec as it is."""

    try:
        return str(_parsed(spec))
    except SpecError:
        return spec


def _is_player(name: str) -> bool:
    from ..algorithms import ALGORITHMS
    from ..games.catalogue.players import entries_of

    return name in (HUMAN, COMMAND, SNAKE) or bool(entries_of(name)) or name in ALGORITHMS
