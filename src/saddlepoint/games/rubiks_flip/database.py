"""The file that a solution is kept in, and looking positions up in it.

After a line that names the format comes a page with a JSON object: the rule, and for every layer where its entries
begin, the bits of an entry, and the values that its codes stand for. The entries follow, those of 4 bits two a byte, the
first in the low half. Layers with more than `HIGHEST` tiles are usually left out: a search from there to the end, for
every turn of a position, takes a few thousandths of a second.

A layer's digest is SHA-256 of its width and values as JSON and of its packed entries, as a database holds them. They follow from the
rules alone; `benchmarks/flip_database.py` is one way to find them again, and so is any database that is solved anew.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..interface import (
    GameError,
    jit,
    run,
    whole_file,
)
from .endgame import EndgameSolver, Line, Outcome, outcome_of
from .game import RubiksFlip, State, number_of_tiles
from .patterns import SQUARES, Layer, position_number
from .sweep import SolvedLayer, solve_layers, total_entries

DIGESTS = {
    "draw": (
        "3dfc6d5e2e147695abfb8063aa36db8de34c0dfedcdd215b15b7728307909075",
        "8390741a37c17d9344f09c0e59e27113c437c6ce12900f87b84370f1e6981dbe",
        "f0fccc6d779ab931ad166c757f4166aa2a4b05f7a0268d79748bda758e8e3f69",
        "a17f93cb41877192882a7b9555f96ae3953995bb22fdfeef00616c3449c4c1b0",
        "bdabfa6822afa1442ad3a366fcb5541166c807bbad8f3c5a18f7919ba499e414",
        "8bfafcabfb553af91219e0d09e36a97c4b219d4fa2596c53297862e5ae48f64c",
        "dc203904911e0962004ecdfae0ffb076fc8301db291dc7223cc5501176db1358",
        "e4b046a3b5c0a0e5a3af3908d0e722cdf2e2a1aaa37cbe3d8536cffbe743b68c",
        "b928006f5ade6218d9a3310b5dc2f1ec63e86809551e50b9bf5f8005fab9d017",
        "1f9e3846fb2ece729a126d00cfff95a03513fd4d76eb31f648e69ee054d738d6",
        "64d1fe571c71a850315b2a6cf82d532ca5c1b148530e6d84439c3367824647e8",
        "245c156e384701eb41e552e53ea59ddc0449018cdb97e0f46bcae9692dbec7b2",
        "f82ab03ce009c964bdbc8eb89c7840b131fcd0a73ee113270a2e77a9175daeb3",
        "8a04e4ac237163ad3bac08022edc97034a1054ec8fadb2ab9c0461980020d1e5",
        "b140238580f03515e76b9d0701a08a9897762c5d6141f21424700a4f3765bcf3",
        "b83ab8d2e642ddffbaf5e16c986989c39cc141a0526ad640056659279b0b3c22",
        "aad69abc3db0d6036fb5274a4aac4822c760fb8a3feec01ebc881a92d5f6a0c6",
    ),
    "opponent": (
        "3dfc6d5e2e147695abfb8063aa36db8de34c0dfedcdd215b15b7728307909075",
        "8390741a37c17d9344f09c0e59e27113c437c6ce12900f87b84370f1e6981dbe",
        "51fa0d32701e8a21208ccb39b84df1fa940d253d6d8fb2874456a80a2511ca59",
        "ca89d6de516d9cc2467e421ff300de0b80f99add529505590d24ecf16fc8bdb2",
        "67fe2c675e166017ac8003d10a6f6e817f21f86fee0eb86b71d3a6faddcaca28",
        "45e905b84086d2e10a57ff4b36d51a3af94d2c9b6735e903222438e5ef0c5dcd",
        "315a48c8decbfbe7a744304a71dba6c76b64f57fee07d0a51ba118044dce7171",
        "d7c944a1e77756836c93e4ee67441a2ded39149cbe6a2d6add0026113fbcdd85",
        "81b3125a01351b7d112e5f23047f1ecf05c56fe21b8a5602e6a48b4bdcc6e06f",
        "f1fb58e6a47c403c19c8fcd4a098306c4013b0af659d87666db472f7c543c203",
        "2167a4533adcebefb5359ff8745382f29e385cef13cc3f5e558f81694dfbe2d4",
        "912bb30789f0c2d831ec28dec11cdb491d540e477fa8a25494da34102994ce2a",
        "65559f295211eed58f11634d5f23488ed260863d56f0a2801e2b69117f13e4c3",
        "5bfd8e7bc99c06adb7d987d8fcea90b21ab7d8c82f07154026a968370167228f",
        "bb4865f97a12180ac3be83d5eef4b3cc665085dad920032c73774f6f103f3e42",
        "d5349effc09772324bb2527ccb5acc4e7ae3ec71efd77c5cf7decb8dec939cf9",
        "75298df5e9a229cf05aa95355a5e8903c6c731a7481e59603a64ef61ecab4da3",
    ),
    "mover": (
        "b8e3eff9e5641454a3cb72ce6ee0911771958b33cd93aa100bd07cb05eeb864a",
        "ebd8e172d072d1f5d7f727647a13864c9d7a6ab918a403b0a30ef55cd84dce3f",
        "7418a0cc1154ee0d498e90747c0594900b36437b9e3f515b930e14f7e1ce5951",
        "194b009197c4a697335abd084371932759e0667539401f86da6485285e359155",
        "cafff31a22fdfc574cde20b2da7172931c466bfdf4a538e796652cdd26fc606e",
        "602ce7f7410d6045772b83d43ebaac56e27647f726dbb71a336b6f9aec9e9974",
        "b8ba332dc6b1637439581893f1e53a2ec1779584ce7e5e25487c20f49133ec87",
        "7b47bc18735eb47da536b8f30465598c7df5ac15aba75a7a9009625a9dc2afaf",
        "3ef808e37a0916ad5c895cf40c8f1879489690fe776c851d5cda96408ca061b4",
        "c5c32e491497c374930141c3089c7c8c2990122ef1dc2e8a0fed8b12968a6b5e",
        "42108017550f64a48145cbfa4dc521026b5d369b609b98c99f3b736cf31000b2",
        "f9e42384477f1a260663d79d0ab6a5d9fefbf0a325cf32b3e697cd352c2cf8e8",
        "b486e920389598a58af64312600bb3ff1c9d32fae7e20d0615a84c09f663c353",
        "81710df8e3291e76a58140bf8faaeb3b99c7f8fffd93eb3736acc206383a9602",
        "6c3a8a0bdb139da0813fef7f7c9b6563bc5e35421a63383a6b2b2550e362a0f2",
        "b65eebc2d98acfee6a6ca6f846ac8a28cbe14e50899a716cd0873d74002ede3f",
        "19f3643abae5ac699c3383108552d40595b6562a993b59a98798eff2400d7780",
    ),
}
"""`DIGESTS[double_lock][tiles]`."""


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


def write_database(
    path: Path, double_lock: str, layers: Iterable[SolvedLayer], highest: int = HIGHEST
) -> None:
    """Write the layers with at most `highest` tiles as they come; the file appears, whole, after the last one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    header: dict[str, Any] = {"double_lock": double_lock, "layers": {}}
    with whole_file(path) as file:
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
            header["layers"][layer.tiles] = {
                "at": file.tell(),
                "bytes": len(data),
                "bits": bits,
                "values": found,
            }
            file.write(data.tobytes())
        text = _FORMAT + json.dumps(header).encode()
        if len(text) >= _PAGE:
            raise DatabaseError("the header does not fit its page")
        file.seek(0)
        file.write(text.ljust(_PAGE, b"\n"))


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

    def solved_layers() -> Iterable[SolvedLayer]:
        mover = RubiksFlip(double_lock).double_lock_for_mover
        for solved in solve_layers(mover, workers=workers, on_progress=on_progress):
            if on_layer is not None:
                on_layer(solved)
            yield solved

    write_database(path, double_lock, solved_layers(), highest)


def expected_size(highest: int = HIGHEST) -> int:
    """About how many bytes a database takes that keeps positions of `highest` tiles or fewer: 4 bits an entry."""
    return total_entries(highest) // 2


def default_path(double_lock: str = "draw") -> Path:
    """The default path of a database: XDG_DATA_HOME, or the usual place for it."""
    home = os.environ.get("XDG_DATA_HOME")
    return Path(home or Path.home() / ".local/share", "saddlepoint", f"rubiks_flip-{double_lock}.solved")


# -- looking up ------------------------------------------------------------------------------------------------------


@jit
def look_up(game, state, tiles, classes, entries, data, bits, values, turns, out):
    """Fill `turns` with the legal turns and `out` with the values of the positions they lead to, of that layer."""
    count = game.legal_actions(state, (tiles - 1) & 1, turns)
    for k in range(count):
        out[k] = look_up_one(game.next_state(state, turns[k]), classes, entries, data, bits, values)
    return count


@jit
def look_up_one(state, classes, entries, data, bits, values):
    """The value of a position of that layer."""
    number = position_number(classes, entries, state.tiles0, state.tiles1, state.turned)
    each = 8 // bits
    return values[data[number // each] >> (number % each * bits) & ((1 << bits) - 1)]


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
            raise DatabaseError(
                f"there is no database {self.path}; `saddlepoint solve rubiks_flip` makes one"
            ) from None
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
        layer = self._layer(number_of_tiles(state))
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
            turns, values = found
            after = {
                turn: outcome_of(value) for turn, value in zip(turns.tolist(), values.tolist(), strict=True)
            }
        else:
            legal: list[int] = self.game.legal_actions(state, player)
            after = {turn: self._endgame.outcome(self.game.next_state(state, turn)) for turn in legal}
        lines = (Line(turn, outcome.before(), True) for turn, outcome in after.items())
        return sorted(lines, key=lambda line: -line.outcome.value)

    def keeps_after(self, state: State) -> bool:
        """Whether the positions after the turns of this one are kept, so that none has to be searched for."""
        return number_of_tiles(state) + 1 in self._about

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
        tiles = number_of_tiles(state) + 1
        layer = self._layer(tiles)
        if layer is None:
            return None
        turns, values = np.empty(self.game.max_actions, np.int64), np.empty(self.game.max_actions, np.int64)
        count = int(run(look_up, self.game, state, tiles, *layer, turns, values))
        return turns[:count], values[:count]

    def _layer(self, tiles: int) -> tuple[Any, ...] | None:
        """The arguments of `look_up` for a layer; None where it is not kept."""
        if tiles not in self._about:
            return None
        if tiles not in self._layers:
            layer, about = Layer(tiles), self._about[tiles]
            data = self._file[about["at"] : about["at"] + about["bytes"]]
            if len(data) * 8 < layer.entries * about["bits"]:  # compiled code would read what lies behind it
                raise DatabaseError(
                    f"{self.path} is no database of Rubik's Flip: positions with {tiles} tiles are missing"
                )
            values = np.zeros(1 << about["bits"], np.int64)
            values[: len(about["values"])] = about["values"]
            self._layers[tiles] = (layer.classes, layer.entries_per_class, data, about["bits"], values)
        return self._layers[tiles]


def _checked_layer(about: Any) -> dict[str, Any]:
    """The fields of a layer in a header; raises where they cannot be those of a database."""
    at, size, bits, values = about["at"], about["bytes"], about["bits"], about["values"]
    if (
        any(type(number) is not int for number in (at, size, bits, *values))
        or min(at, size) < 0
        or bits not in (4, 8)
        or len(values) > 1 << bits
        or any(abs(value) > _LARGEST for value in values)
    ):
        raise ValueError
    return about
