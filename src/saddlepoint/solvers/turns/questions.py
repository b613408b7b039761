"""Searches to the end of the game that tell, while they run, between which bounds the value is proven to lie."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...algorithms import Memory, PrincipalVariation, ProofNumber, UnsupportedGameError
from ...algorithms.turns.position_value import ResultValue
from ...algorithms.turns.principal_variation_kernel import search_from
from ...compiled import run
from ...game import Game

_STEP = 2.0**-40


def least_step(game: Game) -> float:
    """Less than two results of the game differ by; far above the width of a null window."""
    return _STEP * max(abs(game.min_utility), abs(game.max_utility), 1e-30)


def _nobody(low: float, high: float) -> None:
    pass


@dataclass(frozen=True)
class AlphaBetaToTheEnd(PrincipalVariation):
    """Alpha-beta by null windows alone, each to the end of the game: MTD(f) (Plaat et al., Artificial Intelligence 87, 1996).

    Each window asks whether the value reaches a number, and its answer is a bound that stays true: `told(low, high)` hears of it.
    With a `target` that is the one question. All of them share the table.
    """

    discount: float = 0.0
    target: float | None = field(default=None, repr=False)
    told: Callable[[float, float], None] = field(default=_nobody, repr=False, compare=False)

    name: ClassVar[str] = "alpha_beta"

    def check(self, game: Game) -> None:
        super().check(game)
        if game.has_chance:
            raise UnsupportedGameError(f"{self.name} solves games without chance; {type(game).__name__} has chance nodes")

    def depths(self, wanted: int, deepen: bool) -> tuple[int, ...]:
        return (wanted,)

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        self.set_up(game, state, ws)
        table, step, values = self.table_in(memory), least_step(game), ResultValue(self.leaf)
        low, high = float(game.min_utility), float(game.max_utility)
        wanted = (low + high) / 2.0 if self.target is None else self.target
        while low < high and low < wanted <= high:
            edge = wanted - float(ws["grain"])
            value = run(search_from, game, values, None, None, state, depth, 0, edge, wanted, ws, table)
            if ws["stop"]:
                break
            if not ws["proven"]:
                raise UnsupportedGameError(f"{self.name} looks {depth} moves ahead at most, and the game may last longer")
            if value >= wanted - float(ws["noise"]):
                low = max(low, value)
                wanted = low + step
            else:
                high = max(low, min(high, value))
                wanted = high
            if high - low < step:
                high = low
            self.told(low, high)
            if self.target is not None:
                ws["estimates"] += low < high
                break
        return low


@dataclass(frozen=True)
class ProofToTheEnd(ProofNumber):
    """Proof-number search that tells, after each of its questions, between which bounds the value lies."""

    target: float | None = field(default=None, repr=False)
    told: Callable[[float, float], None] = field(default=_nobody, repr=False, compare=False)

    name: ClassVar[str] = "proof_number"

    def _ask(self, game: Any, state: Any, target: float, ws: Any, table: Any) -> None:
        super()._ask(game, state, target, ws, table)
        self.told(float(ws["floor"]), float(ws["ceiling"]))
