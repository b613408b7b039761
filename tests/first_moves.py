"""Run as a program: what a player compiles, loads or imports while its clock runs, in a process that nothing was played in before.

    python first_moves.py GAME SPEC

It is warmed as the arena does, then asked for all its moves of one game, as both players. Prints what happened meanwhile, a line
each; nothing is printed where all was ready.
"""

import sys
from contextlib import contextmanager
from typing import Any

from numba.core import event

from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.workers.worker import MatchPlayers
from saddlepoint.cli.common import read_game
from saddlepoint.game import TERMINAL
from saddlepoint.players.clock import Clock

_MOST_MOVES = 30
_CLOCK = Clock(0.02, 0.02)


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


def main(game_text: str, spec: str) -> None:
    game = read_game(game_text)
    start = game.initial_state()
    watch = _Watch()
    event.register("numba:compile", watch)
    sys.addaudithook(watch.audit)
    players, conditions = MatchPlayers(), MatchConditions(game, _CLOCK)
    with players.seated(conditions, spec, start) as one, players.seated(conditions, spec, start) as other:
        for seat, player in enumerate((one, other)):
            player.begin(game, seat, 1)
            state = start
            for _ in range(_MOST_MOVES):
                if game.current_player(state) == TERMINAL:
                    break
                to_act = game.players_to_act(state)
                if not to_act:
                    state = game.next_state(state, game.chance_outcomes(state)[0][0])
                    continue
                joint = [-1, -1]
                for number in to_act:
                    joint[number] = game.legal_actions(state, number)[0]
                if seat in to_act:
                    with watch.running_clock():
                        answer = player.choose(state, _CLOCK)
                    joint[seat] = int(getattr(answer, "action", answer))
                state = game.advance(state, *joint)
    players.close()
    print("\n".join(dict.fromkeys(watch.seen)))


if __name__ == "__main__":
    main(*sys.argv[1:])
