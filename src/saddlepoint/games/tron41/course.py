"""The course's interface for Tron-41 bots: what a bot file imports, and the problem its `decide` is handed.

It needs nothing but the standard library, because it runs inside the bot's own process. The rules are those of the game;
names and attributes are those that bot files use.
"""

import copy
import random
import tempfile
from collections.abc import Iterable
from types import ModuleType
from typing import Any

U, D, L, R = "U", "D", "L", "R"
TRAP_QUANTITY, BOMB_RADIUS, SPEED_BOOST = 3, 4, 4
_STEPS = {U: (-1, 0), D: (1, 0), L: (0, -1), R: (0, 1)}


class PowerupType:
    """The marks of the power-ups, keys of a player's possessions."""

    TRAP, SPEED, BOMB, ARMOR = "*", "^", "!", "@"


class CellType(PowerupType):
    """The marks of the cells."""

    SPACE, WALL, BARRIER = " ", "#", "x"
    powerup_list = ("*", "^", "!", "@")


class GameState:
    """Base class of states, for bot files that name it."""

    def player_to_move(self) -> int:
        """The player to move, 0 or 1."""
        raise NotImplementedError


class TronState(GameState):
    """A position: `board` lists of characters, `player_locs` (row, column) or None after a crash, `ptm` the
    player to move.

    `player_powerups[player]` has the key `@` for armor and `^` with the number of moves that will keep the turn.
    """

    def __init__(
        self, board: Any, player_locs: Any, ptm: int, player_powerups: dict[int, dict[str, int]]
    ) -> None:
        self.board, self.player_locs, self.ptm, self.player_powerups = (
            board,
            player_locs,
            ptm,
            player_powerups,
        )

    def player_to_move(self) -> int:
        return self.ptm

    def player_has_armor(self, player: int) -> bool:
        """Whether the player has armor."""
        return PowerupType.ARMOR in self.player_powerups[player]

    def get_remaining_turns_speed(self, player: int) -> int:
        """The number of the player's next moves that keep the turn."""
        return self.player_powerups[player].get(PowerupType.SPEED, 0)


class AdversarialSearchProblem:
    """Base class of problems: holds the position to decide in."""

    _start_state: Any

    def get_start_state(self) -> Any:
        """The position to decide in."""
        return self._start_state

    def set_start_state(self, state: Any) -> None:
        """Replace it."""
        self._start_state = state


class TronProblem(AdversarialSearchProblem):
    """Tron-41 as an adversarial search problem: on a map file with the player who begins, as bot files may make one."""

    def __init__(self, board_file_loc: str, first_player: int = 0) -> None:
        board = self._board_from_board_file(board_file_loc)
        locs = self._player_locs_from_board(board)
        self._start_state = TronState(board, locs, first_player, {player: {} for player in range(len(locs))})
        self._num_players = len(locs)

    def get_available_actions(self, state: TronState) -> set[str]:
        """All four directions, whatever they lead to."""
        return {U, D, L, R}

    def transition(self, state: TronState, action: str) -> TronState:
        """A new state after the player to move goes in the direction; a trap's cells are drawn at random."""
        assert not self.is_terminal_state(state)
        assert action in _STEPS
        board, player = [list(row) for row in state.board], state.ptm
        locs = list(state.player_locs)
        powerups = {owner: dict(owned) for owner, owned in state.player_powerups.items()}
        own = powerups[player]
        r, c = locs[player]
        there = self.move((r, c), action)
        held = board[there[0]][there[1]]
        board[r][c] = CellType.BARRIER
        if held in (CellType.SPACE, *CellType.powerup_list) or (
            held == CellType.BARRIER and PowerupType.ARMOR in own
        ):
            board[there[0]][there[1]] = str(player + 1)
            locs[player] = there
        else:
            locs[player] = None
        left = own.pop(PowerupType.SPEED, 0)
        if held == CellType.BARRIER:
            own.pop(PowerupType.ARMOR, None)
        elif held == CellType.ARMOR:
            own[PowerupType.ARMOR] = 1
        elif held == CellType.BOMB:
            self._remove_barriers(board, there)
        elif held == CellType.TRAP:
            self._add_barriers(board, locs[1 - player])
        kept = (SPEED_BOOST if held == CellType.SPEED else left) - (left > 0)
        if kept > 0:
            own[PowerupType.SPEED] = kept
        return TronState(board, locs, player if left > 0 else 1 - player, powerups)

    def is_terminal_state(self, state: TronState) -> bool:
        """Whether a player has crashed."""
        return sum(loc is not None for loc in state.player_locs) == 1

    def evaluate_state(self, state: TronState) -> list[float]:
        """1 for the survivor, 0.0 for the other; only for finished games."""
        assert self.is_terminal_state(state)
        return [0.0 if loc is None else 1 for loc in state.player_locs]

    # What bot files call, though its name says that they should not.

    @staticmethod
    def _board_from_board_file(board_file_loc: str) -> list[list[str]]:
        with open(board_file_loc, encoding="utf-8") as file:
            rows = [line.strip() for line in file]
        return [
            [random.choice(CellType.powerup_list) if mark == "?" else mark for mark in row]
            for row in rows
            if row
        ]

    @staticmethod
    def _player_locs_from_board(board: Any) -> list[tuple[int, int]]:
        found = {
            int(mark): (r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark.isdigit()
        }
        return [found[number] for number in sorted(found)]

    @staticmethod
    def _add_barriers(board: list[list[str]], loc: tuple[int, int]) -> list[list[str]]:
        ring = [
            (loc[0] + i, loc[1] + j) for i in range(-2, 3) for j in range(-2, 3) if max(abs(i), abs(j)) == 2
        ]
        room = [
            (r, c)
            for r, c in ring
            if 0 <= r < len(board) and 0 <= c < len(board[r]) and board[r][c] == CellType.SPACE
        ]
        for r, c in random.sample(room, min(TRAP_QUANTITY, len(room))):
            board[r][c] = CellType.BARRIER
        return board

    @staticmethod
    def _remove_barriers(board: list[list[str]], loc: tuple[int, int]) -> list[list[str]]:
        for row in board[max(0, loc[0] - BOMB_RADIUS) : loc[0] + BOMB_RADIUS + 1]:
            for c in range(max(0, loc[1] - BOMB_RADIUS), min(len(row), loc[1] + BOMB_RADIUS + 1)):
                if row[c] == CellType.BARRIER:
                    row[c] = CellType.SPACE
        return board

    @staticmethod
    def move(loc: tuple[int, int], direction: str) -> tuple[int, int]:
        """The (row, column) next to a location."""
        if direction not in _STEPS:
            raise ValueError(f"a direction is U, D, L or R, not {direction!r}")
        step = _STEPS[direction]
        return loc[0] + step[0], loc[1] + step[1]

    @staticmethod
    def is_cell_player(board: Any, loc: tuple[int, int]) -> bool:
        """Whether a player stands there."""
        return board[loc[0]][loc[1]].isdigit()

    @staticmethod
    def get_safe_actions(board: Any, loc: tuple[int, int], shield: bool = False) -> set[str]:
        """The directions whose target is no wall, no player, and (unless `shield`) no barrier."""
        targets = {action: (loc[0] + dr, loc[1] + dc) for action, (dr, dc) in _STEPS.items()}
        deadly = {CellType.WALL} if shield else {CellType.WALL, CellType.BARRIER}
        return {
            action
            for action, (r, c) in targets.items()
            if board[r][c] not in deadly and not board[r][c].isdigit()
        }

    @staticmethod
    def visualize_state(state: TronState, colored: bool) -> None:
        """Print the board."""
        print(BoardPrinter.state_to_string(state, colored))


class BoardPrinter:
    """Positions as text."""

    @staticmethod
    def state_to_string(state: TronState, colored: bool) -> str:
        """The players' armor, and the board."""
        status = [
            f"Player {p + 1}: {'Armor' if state.player_has_armor(p) else '...'}"
            for p in range(len(state.player_locs))
        ]
        return "".join(f"{line}\n" for line in [*status, *("".join(row) for row in state.board)])


def problem_on(problem: Any, board: Iterable[str], ptm: int) -> Any:
    """An instance of a class of problems, the course's or a file's own, made of a map of this board as its runner does."""
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write("".join(f"{row}\n" for row in board))
            file.flush()
            return problem(file.name, ptm)
    except Exception:  # made in another way, or nowhere to write: its methods are there all the same
        made = problem.__new__(problem)
        made._num_players = 2
        return made


def course_modules(timeout: type[Exception]) -> dict[str, ModuleType]:
    """The modules that bot files import, by name; `timeout` is raised in a bot whose time is up."""

    def timeout_handler(signum: int, frame: object) -> None:
        raise timeout("the time for this move is over")

    contents: dict[str, dict[str, Any]] = {
        "trontypes": {"CellType": CellType, "PowerupType": PowerupType},
        "adversarialsearchproblem": {
            "AdversarialSearchProblem": AdversarialSearchProblem,
            "GameState": GameState,
        },
        "boardprinter": {"BoardPrinter": BoardPrinter},
        "support": {"TimeoutException": timeout, "timeout_handler": timeout_handler},
    }
    contents["tronproblem"] = {
        **contents["trontypes"],
        **contents["adversarialsearchproblem"],
        **contents["boardprinter"],
        "TronProblem": TronProblem,
        "TronState": TronState,
        "random": random,
        "copy": copy,
        "U": U,
        "D": D,
        "L": L,
        "R": R,
        "TRAP_QUANTITY": TRAP_QUANTITY,
        "BOMB_RADIUS": BOMB_RADIUS,
        "SPEED_BOOST": SPEED_BOOST,
    }
    modules = {name: ModuleType(name) for name in contents}
    for name, content in contents.items():
        vars(modules[name]).update(content)
    return modules
