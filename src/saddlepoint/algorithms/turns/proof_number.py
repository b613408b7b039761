"""Depth-first proof-number search and its table; it proves who wins."""

import math
import zlib
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from ...compiled import jit, jit_inline, run
from ...compiled.bits import bucket_of, empty_table
from ...game.base import NO_ACTION, TERMINAL, Game
from ..algorithm import Memory, UnsupportedGameError
from ..table import enter, table_key
from .turn_algorithm import TurnAlgorithm, new_turn_workspace

ENTRY = np.dtype([("key", "u8"), ("proof", "u4"), ("disproof", "u4"), ("work", "u8")])
BUCKET = 2

INFINITE = 2**31
"""The proof number of what cannot be proven."""


@jit_inline
def numbers_of(table, key):
    """(found, proof number, disproof number) of a position."""
    first = bucket_of(table, key, BUCKET)
    for slot in range(first, first + BUCKET):
        if table[slot].key == key:
            return True, np.int64(table[slot].proof), np.int64(table[slot].disproof)
    return False, np.int64(1), np.int64(1)


@jit_inline
def keep_numbers(table, key, proof, disproof, work):
    """Store a position's numbers; the first place of a bucket is for what took more work, the second for anything."""
    first = bucket_of(table, key, BUCKET)
    slot = first + 1
    if table[slot].key != key and (table[first].key == key or table[first].work <= np.uint64(work)):
        slot = first
    entry = table[slot]
    entry.key = key
    entry.proof = min(proof, INFINITE)
    entry.disproof = min(disproof, INFINITE)
    entry.work = work


# Depth-first proof-number search: who wins, without looking at anything else.
#
# Nagai, Df-pn algorithm for searching AND/OR trees and its applications (2002), with the 1 + epsilon thresholds of
# Pawlewicz and Lew (2007). Numbers are those of the claim that player 0 reaches the target, whoever moves.


@jit_inline
def first_numbers(game, state, ply, ws, table):
    """Proof and disproof number of a position that is not searched now."""
    node = game.current_player(state)
    reached, missed = False, False
    if node == TERMINAL:
        ws.leaves += 1
        result = game.returns(state)
        if result != ws.worst and result != ws.best and result != ws.middle:
            ws.others = 1
        reached = result >= ws.target
        missed = not reached
    elif ply >= ws.last_ply:  # deeper than can be looked
        ws.horizon = 1
        missed = True
    else:
        if ws.use_bounds:
            floor, ceiling = game.bounds(state)
            reached, missed = floor >= ws.target, ceiling < ws.target
            if reached or missed:
                ws.others = 1  # the bound may stand for any result
        if (
            ws.winning_actions
            and not reached
            and not missed
            and game.winning_actions(state, node, ws.actions[ply]) > 0
        ):
            ws.leaves += 1
            reached = node == 0
            missed = node == 1
    if reached:
        return np.int64(0), np.int64(INFINITE)
    if missed:
        return np.int64(INFINITE), np.int64(0)
    found, proof, disproof = numbers_of(table, table_key(game.hash(state) ^ ws.salt, 0))
    if found:
        ws.table_hits += 1
    return proof, disproof


@jit
def df_pn(game, state, ply, most_proof, most_disproof, ws, table):
    """Search until the position's proof or disproof number reaches its limit; they are left in the workspace.

    Returns the place of the action that is nearest to what its player wants.
    """
    if enter(ws):
        return 0
    before = ws.nodes
    node = game.current_player(state)
    actions = ws.actions[ply]
    count = game.search_actions(state, node, actions)
    # The player to move needs one good action (`own`), the other an answer to each of them (`other`).
    if node == 0:
        own, other, most_own, most_other = ws.proofs[ply], ws.disproofs[ply], most_proof, most_disproof
    else:
        own, other, most_own, most_other = ws.disproofs[ply], ws.proofs[ply], most_disproof, most_proof
    for k in range(count):
        proof, disproof = first_numbers(game, game.next_state(state, actions[k]), ply + 1, ws, table)
        own[k], other[k] = (proof, disproof) if node == 0 else (disproof, proof)
        # Sound: one action that reaches what its player wants proves the position, whatever the others do.
        if own[k] == 0:
            count = k + 1
            break
    if ply == 0:
        ws.root_count = count
    while True:
        first, least, second, total = 0, np.int64(2 * INFINITE), np.int64(2 * INFINITE), np.int64(0)
        for k in range(count):
            total += other[k]
            if own[k] < least:
                first, least, second = k, own[k], least
            elif own[k] < second:
                second = own[k]
        if least == 0:
            total = np.int64(INFINITE)
        total, least = min(total, np.int64(INFINITE)), min(least, np.int64(INFINITE))
        # Sound: above a limit another position is nearer to a proof of the root; these numbers are stored, and searched on later.
        if least >= most_own or total >= most_other:
            break
        own_limit = min(most_own, second + second // 4 + 1)
        other_limit = most_other - total + other[first] if most_other < INFINITE else most_other
        child = game.next_state(state, actions[first])
        if node == 0:
            df_pn(game, child, ply + 1, own_limit, other_limit, ws, table)
        else:
            df_pn(game, child, ply + 1, other_limit, own_limit, ws, table)
        if ws.stop:
            return first
        own[first], other[first] = (ws.proof, ws.disproof) if node == 0 else (ws.disproof, ws.proof)
    ws.proof, ws.disproof = (least, total) if node == 0 else (total, least)
    keep_numbers(
        table, table_key(game.hash(state) ^ ws.salt, 0), ws.proof, ws.disproof, ws.nodes - before + 1
    )
    return first


@dataclass(frozen=True)
class ProofNumber(TurnAlgorithm):
    """Df-pn for turn-based games without chance, win, loss or neither; the evaluator is not asked.

    `winning_actions`: uses the game's kernel of that name (immediate wins), where it has one.

    Without a `target` two questions are asked: does player 0 reach its best result, does it do better than its worst.
    Where it does the second but not the first, the value is given as the middle of the range: exact where no result was met
    but the best, the worst and that one. With a `target` the one question is whether player 0 reaches that much, and the answer is in the
    result's `bounds`. The principal variation is a line of the proof tree, in which the loser plays any move.

    >>> from saddlepoint import ProofNumber, TicTacToe, search
    >>> game = TicTacToe()
    >>> search(game, game.initial_state(), ProofNumber()).bounds
    (0.0, 0.0)
    """

    target: float | None = None
    megabytes: float = 64.0
    winning_actions: bool = True

    name: ClassVar[str] = "dfpn"
    title: ClassVar[str] = "Depth-first proof-number search"
    goes_by_depth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(cast(Any, self.target), float | int | None):  # a word in a spec
            raise ValueError(f"target must be a number, not {self.target!r}")

    def check(self, game: Game) -> None:
        super().check(game)
        if game.has_chance:
            raise UnsupportedGameError(
                f"{self.name} proves wins without chance; {type(game).__name__} has chance nodes"
            )

    def workspace(self, game: Game) -> Any:
        own = (
            ("proof", "i8"),
            ("disproof", "i8"),
            *((name, "f8") for name in ("target", "middle", "floor", "ceiling")),
        )
        return new_turn_workspace(game, self, own, proofs=np.int64, disproofs=np.int64)

    def reset(self, ws: Any) -> None:
        super().reset(ws)
        ws["floor"], ws["ceiling"] = -math.inf, math.inf

    def depths(self, wanted: int, deepen: bool) -> tuple[int, ...]:
        return (wanted,)

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        low, high = float(game.min_utility), float(game.max_utility)
        player = game.current_player(state)
        ws["use_bounds"], ws["root_player"] = game.has_bounds, player
        ws["winning_actions"] = self.winning_actions and game.has_winning_actions
        ws["middle"], ws["floor"], ws["ceiling"] = (low + high) / 2.0, low, high
        megabytes = memory.megabytes_of(self.megabytes, ENTRY)
        table = memory.keep(
            ("proof table", megabytes), lambda: empty_table(ENTRY, BUCKET, megabytes, memory.ahead)
        )
        targets = (high, np.nextafter(low, high)) if self.target is None else (self.target,)
        # First whether the player to move wins.
        for target in targets if player == 0 else reversed(targets):
            if ws["floor"] >= target or ws["ceiling"] < target:
                continue
            self._ask(game, state, float(target), ws, table)
            if ws["stop"]:
                return 0.0
        if self.target is None and ws["ceiling"] < high and ws["floor"] > low:
            if not ws["others"]:  # of three results it is the one between
                ws["floor"] = ws["ceiling"] = ws["middle"]
        if ws["floor"] < ws["ceiling"]:
            ws["estimates"] += 1  # an answer, not the value
        if self.target is not None:
            return float(ws["floor"])
        if ws["floor"] > low and ws["floor"] < high:
            return float(ws["middle"])
        return low if ws["floor"] <= low else high

    def bounds(self, game: Game, value: float, solved: bool, ws: Any) -> tuple[float, float]:
        return float(ws["floor"]), float(ws["ceiling"])

    def _ask(self, game: Any, state: Any, target: float, ws: Any, table: Any) -> None:
        """Whether player 0's value reaches the target: raises the floor, or lowers the ceiling to just below it."""
        ws["target"] = target
        ws["salt"] = ws["identity"] ^ np.uint64(zlib.crc32(repr(target).encode()))
        place = run(df_pn, game, state, 0, INFINITE, INFINITE, ws, table)
        player = int(ws["root_player"])
        if ws["preferred"][player] == NO_ACTION:
            ws["preferred"][player] = ws["actions"][0, 0]
        if ws["stop"]:
            ws["preferred"][player] = ws["actions"][0, place]
            return
        if int(ws["proof"]) == 0:
            ws["floor"] = target
        elif not ws["horizon"]:  # else it was not disproven, only not found as far as could be looked
            ws["ceiling"] = np.nextafter(target, -np.inf)
        if (int(ws["proof"]) == 0) == (player == 0):
            ws["preferred"][player] = ws["actions"][0, place]
