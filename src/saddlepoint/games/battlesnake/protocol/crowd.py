"""The position that our player searches: we and the nearest rival, all other snakes as walls.

Rules and searches know two snakes. The rest are walls that move: they are read anew from every request.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .seen import Seen, object_in, text, whole

if TYPE_CHECKING:  # a bot answers before the rules are loaded
    from .. import Battlesnake, State

_MODES = ("wrapped", "constrictor", "wrapped_constrictor", "royale")
_MAPS = ("empty", "royale")
_STACKED = 4
_FOOD_CHANCE, _LEAST_FOOD, _SHRINK, _DAMAGE = 15, 1, 25, 14
_USUAL_ROUNDS = 1000
"""Far from the last round of a game here: the contest knows none."""


class Rules(NamedTuple):
    """The parameters of the game that is played."""

    width: int
    height: int
    mode: str = "standard"
    map: str = "standard"
    food_spawn_chance: int = _FOOD_CHANCE
    minimum_food: int = _LEAST_FOOD
    hazard_damage: int = _DAMAGE
    shrink_every: int = _SHRINK
    hazard_stack: int = 1

    @property
    def compiled(self) -> tuple[int, int, int]:
        """What machine code is made for; all else is read at run time."""
        return self.width, self.height, self.hazard_stack

    def __str__(self) -> str:
        return f"{self.mode} {self.width}x{self.height}{' with piled hazards' if self.hazard_stack > 1 else ''}"


class Setting(NamedTuple):
    """What a player is made for."""

    rules: Rules
    player: str

    @property
    def compiled(self) -> "Setting":
        """The setting whose machine code serves this one: its players can play this one too."""
        width, height, hazard_stack = self.rules.compiled
        return Setting(Rules(width, height, hazard_stack=hazard_stack), self.player)


def rules_of(data: Mapping[str, Any], seen: Seen) -> Rules:
    """The rules of a request, as far as they are known here; numbers out of range have their usual value."""
    about = object_in(data, "game")
    ruleset = object_in(about, "ruleset")
    settings = object_in(ruleset, "settings")
    mode, map_ = text(ruleset.get("name")), text(about.get("map"))

    def within(name: str, least: int, most: int, usual: int, told: Mapping[str, Any] = settings) -> int:
        number = whole(told.get(name), usual)
        return number if least <= number <= most else usual

    may_hurt = bool(seen.hazards) or "royale" in (mode, map_)
    return Rules(
        seen.width, seen.height, mode if mode in _MODES else "standard", map_ if map_ in _MAPS else "standard",
        within("foodSpawnChance", 0, 101, _FOOD_CHANCE), within("minimumFood", 0, 100, _LEAST_FOOD),
        within("hazardDamagePerTurn", -100, 100, _DAMAGE) if may_hurt else _DAMAGE,  # a player of other rules would have to be made
        within("shrinkEveryNTurns", 1, 10**6, _SHRINK, object_in(settings, "royale")),
        _STACKED if any(times > 1 for times in seen.hazards.values()) else 1,
    )  # fmt: skip


def game_of(rules: Rules) -> "Battlesnake":
    """The game by these rules; raises ValueError where the board is too large or too small for it."""
    from .. import Battlesnake

    return Battlesnake(**rules._asdict())


def state_of(game: "Battlesnake", seen: Seen) -> "State":
    """The position of a request with another snake, `you` as player 0; raises ValueError where there is none such."""
    from .. import Snake
    from ..requests import hazard_margins

    rival = seen.nearest()
    if rival is None:
        raise ValueError("there is no other snake")
    board = game.board
    snakes = [Snake(tuple(_cell(game, cell) for cell in one.cells), one.health) for one in (seen.you, rival)]
    food = sorted(_inside(game, seen.food))
    stacks = {board.cell(*cell): min(times, game.hazard_stack) for cell, times in seen.hazards.items() if board.is_inside(*cell)}
    taken = hazard_margins(board, set(stacks)) if game.royale else (0, 0, 0, 0)
    hazards = [cell for cell, times in stacks.items() for _ in range(times)]
    state = board.state_of(snakes, food, hazards, _round(seen.turn, game.shrink_every), taken)
    walls = _walls(seen, rival)
    return with_walls(game, state, _inside(game, walls)) if walls else state


def with_walls(game: "Battlesnake", state: "State", cells: Iterable[int]) -> "State":
    """The same position with cells in which every head dies.

    They become cells of player 1's body that no tail ever leaves: they are not on the way from its tail to its head.
    """
    from ....boards.grid import int_of, words_of

    bits = int_of(state.body1)
    for cell in cells:
        bits |= 1 << cell
    words: Any = words_of(bits & ~int_of(state.body0), game.grid.words)
    return state._replace(body1=words)


def _walls(seen: Seen, rival: Any) -> set[tuple[int, int]]:
    """The cells of third snakes, and those that only they should enter next, unless we could then go nowhere."""
    thirds = [one for one in seen.others if one is not rival]
    bodies = {cell for one in thirds for cell in (one.cells if seen.constrictor else one.staying)}
    taken = bodies | {cell for one in (seen.you, rival) for cell in one.cells}
    feared = {there for one in thirds if len(one.cells) >= len(seen.you.cells) for _, there in seen.beside(one.head)} - taken
    ways = {there for _, there in seen.beside(seen.you.head)} - taken
    return bodies | feared if ways - feared else bodies


def _round(turn: int, shrink_every: int) -> int:
    """The round, less as many of royale's periods as keep it away from the end of a game here."""
    if turn <= _USUAL_ROUNDS:
        return turn
    if shrink_every > _USUAL_ROUNDS:
        return _USUAL_ROUNDS
    return turn - -(-(turn - _USUAL_ROUNDS) // shrink_every) * shrink_every


def _cell(game: "Battlesnake", cell: tuple[int, int]) -> int:
    if not game.board.is_inside(*cell):
        raise ValueError("a snake is off the board")
    return game.board.cell(*cell)


def _inside(game: "Battlesnake", cells: Iterable[tuple[int, int]]) -> set[int]:
    return {game.board.cell(*cell) for cell in cells if game.board.is_inside(*cell)}
