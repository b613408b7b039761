"""Make the puzzles of Battlesnake: src/saddlepoint/games/battlesnake/puzzles.jsonl.

    python benchmarks/battlesnake_puzzles.py make [FILE] [--seed 14] [--games 32] [--depth 12] [--each 6]
    python benchmarks/battlesnake_puzzles.py check [FILE]

`make` lets players play on 7x7 and 11x11, and looks back from the end of every game for positions in which one player has two or more
moves that do not kill at once and one good one, the same from three steps less on; some positions with less health too. It
keeps so many of each theme and size, those first in which more steps have to be foreseen. Tails are seldom the only way out in games:
such positions are drawn as well. `check` proves those of a file again.
The games are bounded by nodes, not by time: the same seed and players make the same file. Players that have changed
since make others; every proof holds without them.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from saddlepoint.algorithms import DoubleOracleBounds, Limits, Memory, PrincipalVariation
from saddlepoint.algorithms.analysis import find_alternatives
from saddlepoint.algorithms.analysis.verdict import column_loss, row_loss
from saddlepoint.algorithms.chance import without_chance
from saddlepoint.game.base import CHANCE, TERMINAL, Game
from saddlepoint.games.battlesnake import Battlesnake, Snake
from saddlepoint.games.battlesnake.board import cells_in
from saddlepoint.games.battlesnake.rules import target
from saddlepoint.games.catalogue.games import read_own
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.puzzles import Puzzle
from saddlepoint.players.clock import ENDLESS

FILE = Path(__file__).parents[1] / "src/saddlepoint/games/battlesnake/puzzles.jsonl"
SIZES = (7, 11)
PAIRS = (("snake_voronoi", "snake_voronoi"), ("snake_voronoi", "snake_space"), ("snake_space", "snake_space"))
NODES = 400
"""Of a search for each move."""
LEAST_LOSS = 1.0
ROUNDS_BACK = 14
THEMES = (
    "food before starving",
    "tail chase",
    "longer wins ties",
    "head-to-head",
    "shutting in",
    "not trapped",
)

CRAFTED, CRAFTED_THEME = 250, "tail chase"


def lines_of(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """The lines of a file of puzzles."""
    for puzzle in puzzles:
        yield json.dumps(puzzle.to_json(), separators=(", ", ": "))


# Which moves are good: an exact search of the game without chance that is called a draw after some steps.


def losses(game: Game, state: Any, player: int, depth: int, memory: Memory | None = None) -> dict[int, float]:
    """The loss of each of a player's moves, 0 or more, in the game without chance that is a draw after
    `depth` steps.

    Where both move at once, it is the loss against the other's equilibrium strategy that punishes the move
    most: a move with a loss is in no equilibrium. Moves that the game's `search_actions` leaves out are not
    in it.
    """
    rules = without_chance(game)
    algorithm = PrincipalVariation() if rules.turn_based else DoubleOracleBounds()
    found = find_alternatives(rules, state, algorithm, Limits(depth=depth), memory=memory)
    assert found.finished > 0 and found.value is not None
    if found.is_stage:
        assert found.solved is not None
        if player == 0:
            return {action: row_loss(found.solved, found.value, at) for at, action in enumerate(found.rows)}
        return {action: column_loss(found.solved, found.value, at) for at, action in enumerate(found.columns)}
    return found.losses()[player]


def only_good_move(found: dict[int, float], least: float) -> int | None:
    """The only move without a loss, where every other loses `least` or more; else None."""
    good = [action for action, lost in found.items() if lost == 0.0]
    others = [lost for lost in found.values() if lost != 0.0]
    return good[0] if len(good) == 1 and others and min(others) >= least else None


def is_proven(puzzle: Puzzle) -> bool:
    """Whether the solution is the only move of an equilibrium at the puzzle's depth, and every other loses what it says."""
    game = puzzle.make_game()
    state = puzzle.state(game)
    found = losses(game, state, puzzle.player, puzzle.depth)
    only = only_good_move(found, puzzle.loss)
    return only is not None and game.action_to_string(state, puzzle.player, only) == puzzle.solution


# Games, and what is found in them.


def games(size: int, number: int, seed: int) -> Iterator[list[Any]]:
    """The positions before each round of games."""
    game = Battlesnake(size, size)
    players = {
        name: [make_player(name, game, Limits(nodes=NODES)) for _ in range(2)]
        for pair in PAIRS
        for name in pair
    }
    for count in range(number):
        drawn = random.Random(f"{seed} {size} {count}")
        pair = [players[name][seat] for seat, name in enumerate(PAIRS[count % len(PAIRS)])]
        state, states = game.initial_state(drawn.randrange(2**31)), []
        for seat, player in enumerate(pair):
            player.begin(game, seat, drawn.randrange(2**31))
        while game.current_player(state) != TERMINAL and len(states) < 600:
            if game.current_player(state) == CHANCE:
                state = game.next_state(
                    state, int(game.drawn_outcome(state, np.uint64(drawn.getrandbits(64))))
                )
                continue
            states.append(state)
            answers = [player.choose(state, ENDLESS) for player in pair]
            state = game.next_state(
                state, *(answer if isinstance(answer, int) else answer.action for answer in answers)
            )
        yield states


def candidates(game: Battlesnake, states: list[Any], drawn: random.Random) -> Iterator[tuple[Any, int]]:
    """Positions near the end of a game and who is to move; every third with the health of one who must soon eat."""
    for state in states[-ROUNDS_BACK:]:
        for player in (0, 1):
            if len(game.search_actions(state, player)) < 2:
                continue
            yield state, player
            if drawn.random() < 0.35:
                yield with_health(game, state, player, drawn.randrange(2, 8)), player


def crafted(game: Battlesnake, number: int, drawn: random.Random) -> Iterator[tuple[Any, int]]:
    """Positions of two long snakes that were drawn, not played: there tails are followed more often than in games."""
    cells = [game.cell(x, y) for x in range(game.width) for y in range(game.height)]
    for _ in range(number):
        taken: set[int] = set()
        snakes: list[Snake] = []
        for _ in range(2):
            path = [drawn.choice([cell for cell in cells if cell not in taken])]
            for _ in range(drawn.randrange(len(cells) // 6, len(cells) // 3)):
                beside = {int(target(game.grid, path[-1], way, game.wrapped)) for way in range(4)}
                ways = sorted(beside.intersection(cells) - taken - set(path))
                if not ways:
                    break
                path.append(drawn.choice(ways))
            taken.update(path)
            snakes.append(Snake(tuple(reversed(path)), drawn.randrange(30, 100)))
        if min(len(snake.cells) for snake in snakes) < 4:
            continue
        food = drawn.sample([cell for cell in cells if cell not in taken], 2)
        state = game.state_of(snakes, food, (), 60)
        for player in (0, 1):
            if len(game.search_actions(state, player)) > 1:
                yield state, player


def with_health(game: Battlesnake, state: Any, player: int, health: int) -> Any:
    """The position in which a player has that health."""
    snakes = [game.snake(state, seat) for seat in (0, 1)]
    snakes[player] = snakes[player]._replace(health=health)
    return game.state_of(snakes, cells_in(game.grid, state.food), (), state.round)


def found_puzzle(game: Battlesnake, state: Any, player: int, depth: int) -> Puzzle | None:
    """The puzzle that a position is; None where it is none."""
    sure = depth - 3
    wanted = only_good_move(losses(game, state, player, sure), LEAST_LOSS)
    if wanted is None:
        return None
    memory = Memory()  # what was found deeper must not help less deep
    at_depth = [losses(game, state, player, at, memory) for at in range(1, depth + 1)]
    only = [only_good_move(found, LEAST_LOSS) == wanted for found in at_depth]
    if not all(only[sure - 1 :]):
        return None
    shown = 1 + max((at for at in range(1, depth + 1) if not only[at - 1]), default=0)
    least = min(lost for action, lost in at_depth[-1].items() if action != wanted)
    theme = theme_of(game, state, player, wanted, depth)
    return Puzzle(
        "battlesnake",
        {},
        game.to_text(state),
        player,
        game.action_to_string(state, player, wanted),
        depth,
        shown,
        round(least, 6),
        theme,
    )


def theme_of(game: Battlesnake, state: Any, player: int, good: int, depth: int) -> str:
    """What the puzzle is about."""
    mine, other = game.snake(state, player), game.snake(state, 1 - player)

    def enters(action: int) -> int:
        return int(target(game.grid, mine.cells[0], action, game.wrapped))

    if mine.health <= depth:
        healthy = losses(game, with_health(game, state, player, 100), player, depth)
        if only_good_move(healthy, LEAST_LOSS) != good:
            return "food before starving"
    if enters(good) in (mine.cells[-1], other.cells[-1]):
        return "tail chase"
    feared = {
        int(target(game.grid, other.cells[0], way, game.wrapped))
        for way in game.search_actions(state, 1 - player)
    }
    if enters(good) in feared and len(mine.cells) > len(other.cells):
        return "longer wins ties"
    others = {enters(action) for action in game.search_actions(state, player) if action != good}
    if others & feared and len(mine.cells) <= len(other.cells):
        return "head-to-head"
    value = max(game.min_utility, 0.0)
    won = losses_value(game, state, player, depth) > value
    return "shutting in" if won else "not trapped"


def losses_value(game: Battlesnake, state: Any, player: int, depth: int) -> float:
    """What the position is worth to the player at that depth."""
    from saddlepoint.algorithms import DoubleOracleBounds, search

    value = search(game.quiet(), state, DoubleOracleBounds(), Limits(depth=depth), variation=False).value
    return value if player == 0 else -value


def make(path: Path, seed: int, number: int, depth: int, each: int) -> None:
    """Look for puzzles and write the file."""
    kept: list[Puzzle] = []
    for size in SIZES:
        game, drawn = Battlesnake(size, size), random.Random(f"{seed} {size}")
        by_theme: defaultdict[str, list[Puzzle]] = defaultdict(list)
        for count, states in enumerate(games(size, number, seed)):
            of_game: dict[str, Puzzle] = {}
            for state, player in candidates(game, states, drawn):
                puzzle = found_puzzle(game, state, player, depth)
                if (
                    puzzle is not None
                    and puzzle.shown > of_game.get(puzzle.theme, replace(puzzle, shown=0)).shown
                ):
                    of_game[puzzle.theme] = puzzle
            for puzzle in of_game.values():
                by_theme[puzzle.theme].append(puzzle)
            told = ", ".join(f"{theme} {len(by_theme[theme])}" for theme in THEMES)
            print(f"{size}x{size}, game {count + 1} of {number}, {len(states)} rounds: {told}", flush=True)
        for state, player in crafted(game, CRAFTED, random.Random(f"{seed} {size} crafted")):
            puzzle = found_puzzle(game, state, player, depth)
            if puzzle is not None and puzzle.theme == CRAFTED_THEME:
                by_theme[CRAFTED_THEME].append(puzzle)
        print(f"{size}x{size}, crafted: {CRAFTED_THEME} {len(by_theme[CRAFTED_THEME])}", flush=True)
        for theme in THEMES:
            kept += sorted(by_theme[theme], key=lambda one: -one.shown)[:each]
    kept.sort(key=lambda one: THEMES.index(one.theme))
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines_of(kept)))
    print(
        f"{path}: {len(kept)} puzzles; shown at depth {dict(sorted(Counter(one.shown for one in kept).items()))}"
    )


def check(path: Path) -> None:
    """Prove the puzzles of a file again."""
    puzzles = read_own(path)
    wrong = [number for number, puzzle in enumerate(puzzles, 1) if not is_proven(puzzle)]
    print(
        f"{path}: {len(puzzles) - len(wrong)} of {len(puzzles)} proven" + (f"; not: {wrong}" if wrong else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("make", "check"))
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--games", type=int, default=32, help="for each size")
    parser.add_argument("--depth", type=int, default=12, help="rounds that are searched exactly")
    parser.add_argument("--each", type=int, default=6, help="puzzles of each theme and size")
    given = parser.parse_args()
    if given.what == "make":
        make(given.file, given.seed, given.games, given.depth, given.each)
    else:
        check(given.file)


if __name__ == "__main__":
    main()
