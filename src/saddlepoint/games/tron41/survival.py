"""The moves that a player of Tron-41 can survive on its own: beam search (Lowerre 1976) over its moves.

Bombs, armor, speed and traps count. What the other player does is left out: where nothing it can reach touches this
player's part of the board that is no loss; where it can still set a trap or clear barriers, the plan is to be made again.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..interface import (
    board_of,
    count,
    free_cells,
    is_empty,
    is_last_node,
    jit,
    neighbours,
    new_control,
    reachable,
    run,
    separated,
    single,
    words_of_board,
)

_CLOCK_INTERVAL = 255  # nodes between two looks at the clock, as a mask
_FIRST_WIDTH, _LARGEST_WIDTH, _WIDER = 3, 4096, 3
_MOST_STEPS = 700


@dataclass(frozen=True)
class SurvivalResult:
    value: float
    """The turns that the other player must outlast, and for each trap taken `trap_separated` of the guide's."""
    actions: tuple[int, ...]
    width: int
    """Positions kept of each length by the search that found it."""
    nodes: int


@jit
def _stay_separated(game: Any, state: Any) -> bool:
    grid = game.grid
    free = free_cells(grid, game.walls(state))
    if not separated(grid, game.head(state, 0), game.head(state, 1), free):
        return False
    open_cells = free | board_of(grid, state.barriers)
    if separated(grid, game.head(state, 0), game.head(state, 1), open_cells):
        return True
    if game.armor(state, 0) > 0 or game.armor(state, 1) > 0:
        return False
    keys = board_of(grid, state.bombs) | board_of(grid, state.armors)
    both = reachable(grid, game.head(state, 0), free) | reachable(grid, game.head(state, 1), free)
    return is_empty(keys & both)


def stay_separated(game: Any, state: Any) -> bool:
    """Whether no cell can ever be reached by both players.

    Walls separate them, or barriers that neither can open: no armor in hand, neither armor nor bomb in reach of either.
    """
    return bool(run(_stay_separated, game, state))


@jit
def _reach(game: Any, state: Any, player: Any) -> Any:
    grid = game.grid
    own = reachable(grid, game.head(state, player), free_cells(grid, game.walls(state)))
    edge = neighbours(grid, own | single(grid, game.head(state, player))) & board_of(grid, state.barriers)
    goods = own & board_of(grid, game.powerups(state))
    return words_of_board(grid, own), words_of_board(grid, goods), words_of_board(grid, edge)


def reach(game: Any, state: Any, player: int) -> Any:
    """(cells a player reaches, power-ups among them, barriers beside them), as words."""
    return run(_reach, game, state, player)


@jit
def outlook(game: Any, guide: Any, state: Any, player: Any) -> float:
    """About how many moves the player has left."""
    grid = game.grid
    own = reachable(grid, game.head(state, player), free_cells(grid, game.walls(state)))
    return guide.life(game, state, player, own)


@jit
def beam_alone(game: Any, guide: Any, state: Any, player: Any, width: Any, actions: Any, control: Any) -> Any:
    """(value, steps) of the best line of a beam search of that width; its actions go to `actions`.

    All lines of a length are made from the best `width` of the lines before, judged by what they have earned and by the
    guide's outlook. Positions met twice are kept once. `control.stop` is set where the limits ended it: the best line of
    those lengths that were finished is left then.
    """
    longest = len(actions)
    parents = np.empty((longest, width), np.int32)
    taken = np.empty((longest, width), np.int8)
    earned = np.zeros(width)
    scores, sums = np.empty(4 * width), np.empty(4 * width)
    origins, directions = np.empty(4 * width, np.int64), np.empty(4 * width, np.int64)
    keys = np.empty(4 * width, np.uint64)
    slots = 1
    while slots < 8 * width:
        slots *= 2
    beam = [game.with_turn(state, player)]
    best, best_step, best_place = 0.0, -1, 0
    for step in range(longest):
        if control.stop != 0:
            break
        children = beam[:0]
        found = 0
        for k in range(len(beam)):
            here = beam[k]
            armored = game.armor(here, player) > 0
            waits = 0.0 if game.speed(here, player) > 0 else 1.0
            traps = count(board_of(game.grid, here.traps))
            if control.stop != 0:
                break
            for direction in range(4):
                if not game.is_safe(here, player, direction, armored):
                    continue
                if is_last_node(control, _CLOCK_INTERVAL):
                    break
                child = game.with_turn(game.next_state(here, direction), player)
                sums[found] = earned[k] + waits
                sums[found] += guide.trap_separated * (traps - count(board_of(game.grid, child.traps)))
                scores[found] = -(sums[found] + outlook(game, guide, child, player))
                origins[found], directions[found] = k, direction
                keys[found] = game.hash(child) | np.uint64(1)
                children.append(child)
                found += 1
        if found == 0 or control.stop != 0:
            break
        order = np.argsort(scores[:found])
        seen = np.zeros(slots, np.uint64)
        kept = beam[:0]
        sums_kept = np.zeros(width)
        for place in order:
            slot = np.int64(keys[place] >> np.uint64(1)) & (slots - 1)
            while seen[slot] != np.uint64(0) and seen[slot] != keys[place]:
                slot = (slot + 1) & (slots - 1)
            if seen[slot] == keys[place]:
                continue
            seen[slot] = keys[place]
            new = len(kept)
            kept.append(children[place])
            parents[step, new], taken[step, new] = origins[place], directions[place]
            sums_kept[new] = sums[place]
            if sums[place] > best:
                best, best_step, best_place = sums[place], step, new
            if new + 1 == width:
                break
        beam, earned = kept, sums_kept
    place = best_place
    for step in range(best_step, -1, -1):
        actions[step] = taken[step, place]
        place = parents[step, place]
    return best, best_step + 1


def plan_survival(
    game: Any,
    guide: Any,
    state: Any,
    player: int,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    width: int = _FIRST_WIDTH,
    widest: int = _LARGEST_WIDTH,
) -> SurvivalResult:
    """The best plan of beam searches of growing width, from `width` on, until the limits end them.

    Of a search that the limits end, the lines of finished lengths count. `guide` is a TronControl: its `life` says what a
    position promises, in steps.
    """
    control = new_control(nodes, seconds)
    best = SurvivalResult(-1.0, (), 0, 0)
    while True:
        actions = np.zeros(min(_MOST_STEPS, game.max_depth), np.int64)
        value, steps = run(beam_alone, game, guide, state, player, width, actions, control)
        if value > best.value and (steps > 0 or not control["stop"]):
            best = SurvivalResult(float(value), tuple(actions[:steps].tolist()), width, 0)
        width *= _WIDER
        if control["stop"] or width > widest:
            break
    return SurvivalResult(best.value, best.actions, best.width, int(control["nodes"]))
