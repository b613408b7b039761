"""Run as a program: what a player compiles, loads or imports while its clock runs, in a process that nothing was played in before.

    python first_moves.py SPEC GAME ...

For each game it is warmed as the arena does, then asked for all its moves of some games, as both players: of one in which the other
plays its first actions, and of some in which all others' actions are drawn. Prints what happened meanwhile, a line each; nothing is
printed where all was ready.
"""

import random
import sys
from contextlib import contextmanager
from typing import Any

from numba.core import event

from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.workers.worker import MatchPlayers
from saddlepoint.cli.common import read_game
from saddlepoint.game import TERMINAL
from saddlepoint.players.clock import Clock

_GAMES = ((0.02, 30), (0.02, 30), (0.005, 30), (0.5, 3))
"""The seconds a move of each game, and its moves at most; the first game is that of first actions."""


class _Watch(event.Listener):
    """What happens while a clock runs."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.armed = False

    def on_start(self, event: Any) -> None:
        if self.armed:
            self.seen.append(f"compiled or loaded {event.data['dispatcher'].py_func.__qualname__}{event.data['args']}"[:200])

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


def play(game: Any, player: Any, seat: int, watch: _Watch, draw: random.Random | None, clock: Clock, moves: int) -> None:
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
