"""The file that a solution is kept in, and looking positions up in it.

After a line that names the format comes a page with a JSON object: the rule, and for every layer where its entries
begin, the bits of an entry, and the values that its codes stand for. The entries follow, those of 4 bits two a byte, the
first in the low half. Layers with more than `HIGHEST` tiles are usually left out: a search from there to the end, for
every turn of a position, takes a few thousandths of a second.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ....boards.square16 import SQUARES
from ....compiled import jit, run
from ....game import GameError
from ..game import RubiksFlip, State
from .digests import DIGESTS
from .endgame import EndgameSolver, Line, outcome_of
from .outcome import Outcome
from .patterns import Layer, entries_per_class, number_of_patterns, position_number
from .solve import SolvedLayer, solve_layers

HIGHEST = 11
"""The most tiles of a position that is kept, if nobody wants more."""
_FORMAT = b"saddlepoint rubiks_flip 1\n"
_PAGE = 1 << 16
_LARGEST = 127
"""Values are bytes with a sign."""
_THREE_PLIES_LEFT = "BBYW/RWWB/RY../WRB."


class DatabaseError(ValueError):
    """A file that is no database, or not the one asked for; the message says what is wrong with it."""


# -- writing ---------------------------------------------------------------------------------------------------------


@jit
def pack(values, codes, bits, out):
    """Write the code of every value, 8 // bits of them a byte."""
    each = 8 // bits
    for first in range(0, len(values), each):
        byte = 0
        for k in range(min(each, len(values) - first)):
            byte |= codes[int(values[first + k]) + 128] << (k * bits)
        out[first // each] = byte


def write_database(path: Path, double_lock: str, layers: Iterable[SolvedLayer], highest: int = HIGHEST) -> None:
    """Write the layers with at most `highest` tiles as they come; the file appears, whole, after the last one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    header: dict[str, Any] = {"double_lock": double_lock, "layers": {}}
    try:
        with unfinished.open("wb") as file:
            file.seek(_PAGE)
            for layer, values, positions in layers:
                if layer.tiles > highest:
                    continue
                found = sorted(positions)
                bits = 4 if len(found) <= 16 else 8
                codes = np.zeros(256, np.int64)
                codes[np.array(found) + 128] = np.arange(len(found))
                data = np.empty(-(-len(values) * bits // 8), np.uint8)
                run(pack, values, codes, bits, data)
                header["layers"][layer.tiles] = {"at": file.tell(), "bytes": len(data), "bits": bits, "values": found}
                file.write(data.tobytes())
            text = _FORMAT + json.dumps(header).encode()
            if len(text) >= _PAGE:
                raise DatabaseError("the header does not fit its page")
            file.seek(0)
            file.write(text.ljust(_PAGE, b"\n"))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def solve_to_file(
    path: Path,
    double_lock: str = "draw",
    *,
    highest: int = HIGHEST,
    workers: int | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_layer: Callable[[SolvedLayer], None] | None = None,
) -> None:
    """Solve the whole game and write its database."""
    mover = RubiksFlip(double_lock).double_lock_for_mover

    def told() -> Iterable[SolvedLayer]:
        for solved in solve_layers(mover, workers=workers, on_progress=on_progress):
            if on_layer is not None:
                on_layer(solved)
            yield solved

    write_database(path, double_lock, told(), highest)


def expected_size(highest: int = HIGHEST) -> int:
    """About how many bytes a database takes that keeps so many tiles: 4 bits an entry."""
    return sum(number_of_patterns(tiles) // 8 * entries_per_class(tiles) for tiles in range(highest + 1)) // 2


def default_path(double_lock: str = "draw") -> Path:
    """Where a database is kept if nobody says otherwise: XDG_DATA_HOME, or the usual place for it."""
    home = os.environ.get("XDG_DATA_HOME")
    base = Path(home) if home else Path.home() / ".local" / "share"
    return base / "saddlepoint" / f"rubiks_flip-{double_lock}.solved"


# -- looking up ------------------------------------------------------------------------------------------------------


@jit
def look_up(game, state, tiles, classes, entries, data, bits, values, turns, out):
    """Fill `turns` with the legal turns and `out` with the values of the positions they lead to, of that layer."""
    count = game.legal_actions(state, (tiles - 1) & 1, turns)
    for k in range(count):
        after = game.next_state(state, turns[k])
        out[k] = look_up_one(after, classes, entries, data, bits, values)
    return count


@jit
def look_up_one(state, classes, entries, data, bits, values):
    """The value of a position of that layer."""
    number = position_number(classes, entries, state.tiles0, state.tiles1, state.turned)
    each = 8 // bits
    code = data[number // each] >> (number % each * bits) & ((1 << bits) - 1)
    return values[code]


class Database:
    """A solved game, read from its file as far as it is asked; threads may share it.

    Raises DatabaseError where the file is none, and GameError for a position that it does not have.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            with self.path.open("rb") as file:
                start = file.read(_PAGE)
            if not start.startswith(_FORMAT):
                raise ValueError
            header = json.loads(start[len(_FORMAT) :])
            self._about = {int(tiles): _checked_layer(about) for tiles, about in header["layers"].items()}
            self.game = RubiksFlip(header["double_lock"])
            needed = max(about["at"] + about["bytes"] for about in self._about.values())
            if not self._about.keys() <= set(range(SQUARES + 1)):
                raise ValueError
        except FileNotFoundError:
            raise DatabaseError(f"there is no database {self.path}; `saddlepoint solve rubiks_flip` makes one") from None
        except (OSError, ValueError, KeyError, TypeError):
            raise DatabaseError(f"{self.path} is no database of Rubik's Flip") from None
        if self.path.stat().st_size < needed:
            raise DatabaseError(f"{self.path} is cut short: {needed} bytes were written")
        self._file = np.asarray(np.memmap(self.path, np.uint8, "r"))
        self._layers: dict[int, tuple[Any, ...]] = {}
        self._endgame = EndgameSolver(self.game)

    def check(self) -> None:
        """Raise DatabaseError unless every layer that is kept is the solved game's: a file may come from anybody."""
        for tiles, about in self._about.items():
            digest = hashlib.sha256(json.dumps([about["bits"], about["values"]]).encode())
            digest.update(self._file[about["at"] : about["at"] + about["bytes"]].data)
            if digest.hexdigest() != DIGESTS[self.game.double_lock][tiles]:
                raise DatabaseError(
                    f"{self.path} is damaged: what it says of positions with {tiles} tiles is not what they are worth; "
                    f"`saddlepoint solve rubiks_flip --double-lock {self.game.double_lock} -o {self.path}` writes it anew"
                )

    def outcome(self, state: State) -> Outcome:
        """The outcome of the position for the side to move."""
        tiles = (int(state.tiles0) | int(state.tiles1)).bit_count()
        layer = self._layer(tiles)
        if layer is None:
            return self._endgame.outcome(state)
        return outcome_of(int(run(look_up_one, state, *layer)))

    def turns(self, state: State) -> list[Line]:
        """Every legal turn with its outcome, the best first: quick wins, draws, losses that last."""
        player = self.game.current_player(state)
        if player < 0:
            raise GameError("the game is over in this position; there is nothing to play")
        found = self._values_after(state)
        if found is not None:
            pairs = zip(*(part.tolist() for part in found), strict=True)
            lines = [Line(turn, outcome_of(value).before(), True) for turn, value in pairs]
        else:
            legal: list[int] = self.game.legal_actions(state, player)
            lines = [Line(a, self._endgame.outcome(self.game.next_state(state, a)).before(), True) for a in legal]
        return sorted(lines, key=lambda line: -line.outcome.value)

    def keeps_after(self, state: State) -> bool:
        """Whether the positions after the turns of this one are kept, so that none has to be searched for."""
        return (int(state.tiles0) | int(state.tiles1)).bit_count() + 1 in self._about

    def losing_share(self, state: State) -> float | None:
        """The share of the legal turns that lose; None where the positions after them are not kept, or there is none."""
        found = self._values_after(state) if self.game.players_to_act(state) else None
        return None if found is None else float(np.mean(found[1] > 0))

    def warm(self) -> None:
        """Read what look-ups need besides the entries, and compile: before a clock runs."""
        for tiles in self._about:
            self._layer(tiles)
        if 1 in self._about:
            self.turns(self.game.initial_state())
        self._endgame.outcome(self.game.from_text(_THREE_PLIES_LEFT))

    def _values_after(self, state: State) -> tuple[Any, Any] | None:
        """The legal turns, and the value after each for the side to move then; None where it is not kept."""
        tiles = (int(state.tiles0) | int(state.tiles1)).bit_count() + 1
        layer = self._layer(tiles)
        if layer is None:
            return None
        turns, values = np.empty(self.game.max_actions, np.int64), np.empty(self.game.max_actions, np.int64)
        count = int(run(look_up, self.game, state, tiles, *layer, turns, values))
        return turns[:count], values[:count]

    def _layer(self, tiles: int) -> tuple[Any, ...] | None:
        """What `look_up` reads of a layer; None where it is not kept."""
        if tiles not in self._about:
            return None
        if tiles not in self._layers:
            layer, about = Layer(tiles), self._about[tiles]
            data = self._file[about["at"] : about["at"] + about["bytes"]]
            if len(data) * 8 < layer.entries * about["bits"]:  # compiled code would read what lies behind it
                raise DatabaseError(f"{self.path} is no database of Rubik's Flip: positions with {tiles} tiles are missing")
            values = np.zeros(1 << about["bits"], np.int64)
            values[: len(about["values"])] = about["values"]
            self._layers[tiles] = (layer.classes, layer.entries_per_class, data, about["bits"], values)
        return self._layers[tiles]


def _checked_layer(about: Any) -> dict[str, Any]:
    """What a header says of a layer; raises what tells another file where it cannot be so."""
    at, size, bits, values = about["at"], about["bytes"], about["bits"], about["values"]
    numbers = (at, size, bits, *values)
    if any(type(number) is not int for number in numbers) or min(at, size) < 0 or bits not in (4, 8) or len(values) > 1 << bits:
        raise ValueError
    if any(not -_LARGEST <= value <= _LARGEST for value in values):
        raise ValueError
    return about
