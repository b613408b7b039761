"""The distances of policies from an equilibrium, a row for each: exactly where all positions can be
enumerated, else a lower bound by games.

Finished rows may be kept in a file of JSON lines: the first says of what they are. A row is written at once and flushed to the disk; half
a line at the end, of a run that was killed, is cut off.
"""

import hashlib
import json
import math
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..algorithms.algorithm import UnsupportedGameError
from ..compiled import package_digest
from ..game.base import Game
from ..game.own_games import described
from ..game.spec import Spec, parse_spec
from ..solvers.general.positions import TooManyPositions
from ..solvers.general.reached import Walks
from ..system.foreign import path_of
from ..system.patience import MEASURING_SAID
from ..system.text import count_of
from .evaluation import Choices, Evaluation, all_choices
from .lower_bound import nash_conv_bound
from .policy import Policy

_FEW, _SECONDS = 20, 0.5
"""Positions that are asked for to tell how long all take, and for how long they are asked at most."""
_POSITION = 60
"""Bytes of a position, in the table and beside it, at least."""
_WALKS = 1024


_FORMAT = "saddlepoint exploit 1"
_OTHERS = {
    "game": "another game, or of other rules",
    "start": "another start",
    "players": "other players",
    "files": "players whose files changed",
    "seed": "another seed",
    "ways": "other options",
    "program": "another version of this program",
}

EXACT = {"nash_conv": 0, "exploitability": 0, "gains": 2, "value": 0, "seconds": 0}
"""The fields of a row that is exact, and how many numbers each has; 0: one number, and no list."""
BOUND = {"at_least": 0, "interval": 2, "results": 2, "games": 0, "seconds": 0}
"""Those of a row that is a lower bound."""


class NamedPolicy(NamedTuple):
    """A player's policy, and what is to be known of it."""

    policy: Policy
    is_searched: bool
    """Whether each position is searched, so that the limit of nodes changes what is played, and asking takes time."""


NamedPolicies = dict[tuple[str, int | None], NamedPolicy]
"""Policies by player and nodes; None: the player has no use for a limit, or says it itself."""


@dataclass(frozen=True)
class Measurement:
    """A game and a start, and how policies are measured there."""

    game: Game
    state: Any
    memory: float
    """Bytes for all positions."""
    seed: int
    games: int
    """Of a lower bound, and how many positions its responder looks at for a move."""
    look: int
    tell: Callable[[str], None]
    """Called with a sentence on what is done, and how long it takes."""
    bar: Callable[[int | None], AbstractContextManager[Callable[[int, str], None]]]
    """Shows the progress of work of so many steps (None: not known); what it gives is called with how many are done, and of what."""

    def rows(
        self, policies: NamedPolicies, exact: bool | None, found: "FoundRows"
    ) -> tuple[list[dict[str, Any]], Choices | None]:
        """A row for each policy, those that are found already among them, and all positions if the rows are exact.

        Each row is kept when it is finished. `exact` is what was asked for; None: exactly where that is possible. Raises ValueError
        where it is not and was asked for.
        """
        choices = self._enumerated(exact)
        rows: list[dict[str, Any]] = []
        for (player, nodes), named in policies.items():
            row = found.get(player, nodes)
            if row is None:
                row = self.row(choices, player, nodes, named)
                found.add(row)
            rows.append(row)
        return rows, choices

    def row(
        self, choices: Choices | None, player: str, nodes: int | None, named: NamedPolicy
    ) -> dict[str, Any]:
        """The row of a player: measured now."""
        started = time.perf_counter()
        found = self._bound(named, player) if choices is None else self._exact(choices, named, player)
        return {"player": player, "nodes": nodes, **found, "seconds": time.perf_counter() - started}

    def _enumerated(self, exact: bool | None) -> Choices | None:
        """All positions, where policies are to be evaluated in all; None where by games. Tells which, and why."""
        game, name = self.game, f"{self.game!r}"
        by_games = (
            f"a lower bound by {count_of(self.games, 'game')} against a responder, "
            f"which looks at {count_of(self.look, 'position')} for a move"
        )
        if exact is False:
            self.tell(f"{name}: {by_games}")
            return None
        try:
            if game.clock:
                raise UnsupportedGameError(
                    "its positions come back, and by its clock each is another one every time"
                )
            least = Walks(game, self.state, fold=False).size(_WALKS).positions
            if least * _POSITION > self.memory:
                raise TooManyPositions(
                    f"{least:,.0f} positions or more do not fit into {self.memory / 1e6:,.0f} MB (--memory)"
                )
            with self.bar(None) as show:
                choices = all_choices(
                    game,
                    self.state,
                    memory=self.memory,
                    on_progress=lambda counts: show(
                        counts.positions, f"positions found, {counts.seconds:.0f} s"
                    ),
                )
        except (UnsupportedGameError, TooManyPositions) as error:
            if exact or (isinstance(error, UnsupportedGameError) and not game.clock):
                raise ValueError(f"{name} cannot be enumerated: {error}") from error
            self.tell(f"{name} is not enumerated: {error}; {by_games}")
            return None
        self.tell(
            f"{name}: {count_of(len(choices.positions), 'position')}, {choices.bytes / 1e6:,.3g} MB; exact"
        )
        return choices

    def _exact(self, choices: Choices, named: NamedPolicy, player: str) -> dict[str, Any]:
        count = len(choices.positions)
        seconds = self._expected_seconds(choices, named.policy) if named.is_searched else 0.0
        if seconds > MEASURING_SAID:
            self.tell(f"{player} is asked in {count_of(count, 'position')}: about {seconds:,.0f} s")
        with self.bar(count) as show:
            found = Evaluation(choices, named.policy, lambda done: show(done, f"positions, {player}"))
        return {
            "method": "exact",
            "nash_conv": found.nash_conv,
            "exploitability": found.nash_conv / 2,
            "gains": list(found.gains),
            "value": found.value,
        }

    def _expected_seconds(self, choices: Choices, policy: Policy) -> float:
        """About how long asking for all positions takes, by some of them; the first is left out, with which all is compiled."""
        count = len(choices.positions)
        states = [choices.positions.state(number * (count - 1) // _FEW) for number in range(min(_FEW, count))]
        asked = [state for state in states if self.game.players_to_act(state)]
        if not asked:
            return 0.0
        policy(asked[0])
        started, done = time.perf_counter(), 0
        for state in asked:
            policy(state)
            done += 1
            if time.perf_counter() - started > _SECONDS:
                break
        return (time.perf_counter() - started) / done * count

    def _bound(self, named: NamedPolicy, player: str) -> dict[str, Any]:
        begun: list[float] = []
        with self.bar(self.games) as show:

            def tell(done: int) -> None:
                begun.append(time.perf_counter())
                if len(begun) == 2:  # the first pair waits for what is compiled
                    seconds = (begun[1] - begun[0]) / 2 * self.games
                    if seconds > MEASURING_SAID:
                        self.tell(f"{player}: about {seconds:,.0f} s for {count_of(self.games, 'game')}")
                show(done, f"games, {player}")

            found = nash_conv_bound(
                self.game,
                named.policy,
                self.state,
                games=self.games,
                look=self.look,
                seed=self.seed,
                on_progress=tell,
            )
        return {
            "method": "bound",
            "at_least": found.mean,
            "interval": [found.low, found.high],
            "results": list(found.results),
            "games": found.games,
        }


def identity(game: Game, state: Any, players: list[str], seed: int, ways: dict[str, Any]) -> dict[str, Any]:
    """The identity of the rows' conditions, so that rows of others are not mixed with them."""
    found = {
        "format": _FORMAT,
        "program": package_digest(),
        "game": described(game),
        "start": game.to_text(state),
        "players": players,
        "files": {player: _digests(player) for player in players},
        "seed": seed,
        "ways": ways,
    }
    return json.loads(json.dumps(found))


def _digests(player: str) -> dict[str, str]:
    """The digests of all files that a player's spec names."""
    found: dict[str, str] = {}

    def look(spec: Spec) -> None:
        for text in (spec.name.rpartition(":")[0], *spec.options.values()):
            if isinstance(text, Spec):
                look(text)
            elif (
                isinstance(text, str)
                and text
                and (file := path_of(text.rpartition(":")[0] if ".py:" in text else text)).is_file()
            ):
                found[str(file)] = hashlib.sha256(file.read_bytes()).hexdigest()

    look(parse_spec(player))
    return found


class FoundRows:
    """The rows of a run and of those before it, by player and nodes; without a file they are kept in memory alone."""

    def __init__(self, path: Path | None, whose: dict[str, Any]) -> None:
        self._path, self._rows = path, dict[tuple[str, int | None], dict[str, Any]]()
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            self._read(path, whose)
        else:
            self._append(whose)

    def get(self, player: str, nodes: int | None) -> dict[str, Any] | None:
        """The finished row, if there is one."""
        return self._rows.get((player, nodes))

    def add(self, row: dict[str, Any]) -> None:
        """A row is finished."""
        self._rows[row["player"], row["nodes"]] = row
        if self._path is not None:
            self._append(row)

    def _append(self, line: dict[str, Any]) -> None:
        assert self._path is not None
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self, path: Path, whose: dict[str, Any]) -> None:
        """Take over the rows of a file; raises ValueError in one sentence for one of another run."""
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        try:
            known, *rows = (json.loads(line) for line in whole.splitlines() or [text + b"}"])
            if known["format"] != _FORMAT:
                raise ValueError
            same = {key: known[key] == whose[key] for key in whose}
            self._rows = {(row["player"], row["nodes"]): _checked(row) for row in rows}
        except (KeyError, TypeError, ValueError):
            raise ValueError(
                f"{str(path)!r} is no file of `exploit --resume`, or damaged; give the name of a new one"
            ) from None
        for key, words in _OTHERS.items():
            if not same[key]:
                raise ValueError(f"{str(path)!r} has what was found of {words}; give the name of a new file")
        if len(whole) < len(text):
            os.truncate(path, len(whole))


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    """A row with fields of the right kind; raises KeyError, TypeError or ValueError."""
    numbers = EXACT if row["method"] == "exact" else BOUND
    if row.keys() != {"player", "nodes", "method", *numbers} or not isinstance(row["player"], str):
        raise ValueError
    for key, count in numbers.items():
        values = row[key] if count else [row[key]]
        if len(values) != (count or 1) or not all(
            isinstance(value, (int, float)) and math.isfinite(value) for value in values
        ):
            raise ValueError
    return row
