"""How solutions are shown: a position with its value and strategies, and a certificate."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..._text import value_text
from ...console.tables import Column
from ...console.terminal import print, print_table
from ...spec import name_of

if TYPE_CHECKING:
    from ...solvers.general import Certificate, Solution

_LEAST = 5e-7
"""Smaller probabilities are not shown."""


def subject_row(solution: "Solution") -> dict[str, Any]:
    """What the values are true of, as plain data."""
    game = solution.game
    return {
        "game": name_of(game), "rules": repr(game), "start": game.to_text(solution.root), "discount": solution.discount,
        "clock_left_out": solution.clock_left_out, "folded": solution.is_folded,
    }  # fmt: skip


def stage_row(solution: "Solution", state: Any) -> dict[str, Any]:
    """A position's value and strategies, by the names of the actions."""
    stage = solution.at(state)
    game = solution.game
    named = [
        {game.action_to_string(state, player, action): weight for action, weight in stage.strategies[player].items()}
        for player in (0, 1)
    ]
    return {"position": game.to_text(state), "value": stage.value, "strategies": named}


def print_stage(solution: "Solution", state: Any) -> None:
    """A position, its value, and what is played there with which probability."""
    game, stage = solution.game, solution.at(state)
    print(game.render(state), end="\n\n")
    print(f"value {value_text(stage.value, '+.9g')} for player 0")
    rows = [
        [player, game.action_to_string(state, player, action), f"{weight:.6f}"]
        for player in (0, 1)
        for action, weight in stage.strategies[player].items()
        if weight > _LEAST
    ]
    if rows:
        print_table([Column("player"), Column("action"), Column("probability")], rows)
    elif chances := game.chance_outcomes(state):
        worth = zip(chances, stage.matrix, strict=True)
        print_table(
            [Column("outcome", text=True), Column("probability"), Column("value")],
            [
                [game.outcome_to_string(state, outcome), f"{chance:.6f}", value_text(value, "+.9g")]
                for (outcome, chance), (value,) in worth
            ],
        )


def folding_note(solution: "Solution") -> str:
    """What is said after the number of positions."""
    return "; folded: of those that are worth the same, one" if solution.is_folded else ""


def certificate_row(certificate: "Certificate | None") -> dict[str, Any] | None:
    """A certificate as plain data."""
    return None if certificate is None else asdict(certificate) | {"gap": certificate.gap}


def print_certificate(certificate: "Certificate | None", is_claim: bool = False) -> None:
    """What a certificate proves, in words; or what a file claims that nobody has checked."""
    if certificate is not None:
        bounds = f"[{value_text(certificate.lower, '.12g')}, {value_text(certificate.upper, '.12g')}]"
        print(
            ("the file claims, not checked, that " if is_claim else "")
            + f"best responses gain {certificate.gap:.2g} from the start, {certificate.worst_gap:.2g} from any of "
            f"{certificate.positions:,} positions; the value is in {bounds}"
        )
