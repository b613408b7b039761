"""Run as a program: what a player compiles, loads or imports while its clock runs, in a process that nothing was played in before.

    python tests/helpers/first_moves.py SPEC GAME ...

For each game it is warmed as the arena does, then asked for all its moves of some games, as both players: of one in which the other
plays its first actions, and of some in which all others' actions are drawn. Prints what happened meanwhile, a line each; nothing is
printed where all was ready.
"""

import random
import sys
from contextlib import contextmanager, suppress
from typing import Any

from numba.core import event

from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.workers import MatchPlayers
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import TERMINAL, Game, GameError
from saddlepoint.game.spec import spec_of
from saddlepoint.games.catalogue.games import GameEntry
from saddlepoint.players.clock import Clock

_GAMES = ((0.02, 12), (0.02, 12), (0.005, 12), (0.5, 1))
"""The seconds a move of each game, and its moves at most; the first game is that of first actions."""
_BEYOND = {
    "oshi_zumo": [
        {"coins": 400},
        {"coins": 500, "horizon": 50},
        {"coins": 700},
        {"coins": 1000},
        {"coins": 50, "min_bid": 0, "horizon": 1000},
    ],
    "pursuit_evasion": [{"width": 16, "height": 16, "depth": 20}, {"width": 32, "height": 32, "depth": 60}],
    "goofspiel": [
        {"cards": 13, "order": "ascending"},
        {"cards": 13, "utility": "points"},
        {"cards": 13, "order": "descending", "lowest": -6},
    ],
    "random_game": [{"actions": 100, "depth": 100}, {"actions": 5, "depth": 10, "utility": "sums"}],
}
"""Sizes beyond those that the page offers, and some together."""


def sizes_of(entry: GameEntry) -> list[str]:
    """A game as usual, with each of its words, with all parameters at their least and at their greatest."""
    told = entry.game_class.ranges
    alone = {name: values for name, values in told.items() if isinstance(values[0], str)}
    asked = [{}, *({name: value} for name, values in alone.items() for value in dict.fromkeys(values))]
    asked += [{name: values[end] for name, values in told.items()} for end in (0, -1)]
    made: dict[Game, str] = {}
    for parameters in (*asked, *_BEYOND.get(entry.name, ())):
        with suppress(GameError):  # not all go together
            game = entry.game_class(**parameters)
            made.setdefault(game, str(spec_of(game)))
    return list(made.values())


class _Watch(event.Listener):
    """What happens while a clock runs."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.armed = False

    def on_start(self, event: Any) -> None:
        if self.armed:
            self.seen.append(
                f"compiled or loaded {event.data['dispatcher'].py_func.__qualname__}{event.data['args']}"[
                    :200
                ]
            )

    def on_end(self, event: Any) -> None:
        pass

    def audit(self, name: str, arguments: tuple[Any, ...]) -> None:
        if self.armed and name in ("import", "open", "compile"):
            self.seen.append(f"{name} {arguments[0]!s:.120}")

    @contextmanager
    def running_clock(self) -> Any:
        self.armed = True
        try:
            yield
        finally:
            self.armed = False


def main(spec: str, *game_texts: str) -> None:
    """What the program does."""
    watch = _Watch()
    event.register("numba:compile", watch)
    sys.addaudithook(watch.audit)
    players = MatchPlayers()
    for text in game_texts:
        game, before = read_game(text), len(watch.seen)
        start = game.initial_state()
        conditions = MatchConditions(game, Clock(0.02, 0.02))
        with players.seated(conditions, spec, start) as one, players.seated(conditions, spec, start) as other:
            for seat, player in enumerate((one, other)):
                for seed, (seconds, moves) in enumerate(_GAMES):
                    draw = None if seed == 0 else random.Random(seed)
                    play(game, player, seat, watch, draw, Clock(seconds, seconds), moves)
        watch.seen[before:] = [f"{text}: {one}" for one in watch.seen[before:]]
    players.close()
    print("\n".join(dict.fromkeys(watch.seen)))


def play(
    game: Any,
    player: Any,
    seat: int,
    watch: _Watch,
    draw: random.Random | None,
    clock: Clock,
    moves: int,
) -> None:
    """A game of this player; what is drawn by nobody is the first."""

    def drawn(choices: Any) -> Any:
        return draw.choice(choices) if draw is not None else choices[0]

    player.begin(game, seat, 1)
    state = game.initial_state()
    for _ in range(moves):
        if game.current_player(state) == TERMINAL:
            break
        to_act = game.players_to_act(state)
        if not to_act:
            state = game.next_state(state, drawn(game.chance_outcomes(state))[0])
            continue
        joint = [-1, -1]
        for number in to_act:
            joint[number] = drawn(game.legal_actions(state, number))
        if seat in to_act:
            if player.follows:
                player.follow(state, clock, (0.0, 0.0))
            with watch.running_clock():
                answer = player.choose(state, clock)
            joint[seat] = int(getattr(answer, "action", answer))
        state = game.advance(state, *joint)


if __name__ == "__main__":
    main(*sys.argv[1:])
