"""What `check_game` asks of a game that says which of its positions are worth the same: by images, or but for a score."""

from collections.abc import Callable
from typing import Any, NoReturn

from ..game import CHANCE, NO_ACTION, TERMINAL, Game

_TOLERANCE = 1e-9

Fail = Callable[[str, Any], NoReturn]
Call = Callable[..., Any]


class FoldedPositions:
    """`canonical`, `without_score` and `relabelled` of positions, held against `symmetries` and the rules.

    `call(name, state)` gives a kernel's answer, the same compiled and plain.
    """

    def __init__(self, game: Game, call: Call, fail: Fail) -> None:
        self._game, self._call, self._fail = game, call, fail

    def check(self, state: Any) -> None:
        """Ask all of one position."""
        if self._game.has_canonical and self._game.current_player(state) != TERMINAL:
            self._check_canonical(state)
        if self._game.has_score:
            self._check_score(state)
        if self._game.has_relabelled and self._game.current_player(state) != TERMINAL:
            self._check_relabelled(state)

    def _check_canonical(self, state: Any) -> None:
        kept = self._canonical(state)
        for symmetry in self._game.symmetries(state):
            if self._canonical(symmetry.state) != kept:
                self._fail(f"canonical must give the same for {symmetry.state!r}, which is an image", state)
        if self._canonical(kept) != kept:
            self._fail(f"canonical must give {kept!r}, which stands for this position, for itself", state)

    def _canonical(self, state: Any) -> Any:
        kept, exchanged = self._call("canonical", state)
        images = [(symmetry.state, symmetry.swap) for symmetry in self._game.symmetries(state)]
        if (kept, bool(exchanged)) not in [(state, False), *images]:
            players = "with" if exchanged else "without"
            self._fail(f"canonical must give the position or one of its symmetries, not {kept!r} {players} an exchange of players", state)
        return kept

    def _check_score(self, state: Any) -> None:
        game = self._game
        bare, score = self._call("without_score", state)
        node = game.current_player(state)
        if game.current_player(bare) != node:
            self._fail(f"who moves must be the same without the score, in {bare!r}", state)
        if node == TERMINAL:
            if abs(score + game.returns(bare) - game.returns(state)) > _TOLERANCE:
                self._fail(f"the result must be the score {score} and that of {bare!r}", state)
            return
        if game.has_canonical:
            self._canonical(bare)
        joint, chances = self._joint(state)
        if (joint, chances) != self._joint(bare):
            self._fail(f"the moves must be the same without the score, in {bare!r}", state)
        for first, second in joint:
            after, beyond = game.advance(state, first, second), game.advance(bare, first, second)
            if game.current_player(after) == game.current_player(beyond) == TERMINAL:  # only results are asked of ended positions
                if abs(score + game.returns(beyond) - game.returns(after)) > _TOLERANCE:
                    self._fail(f"the moves {first}, {second} must lead to the same without the score, also at the end", state)
                continue
            (there, total), (beside, part) = (self._call("without_score", one) for one in (after, beyond))
            if there != beside or abs(score + part - total) > _TOLERANCE:
                self._fail(f"the moves {first}, {second} must lead to the same without the score: {there!r} and {beside!r}", state)

    def _check_relabelled(self, state: Any) -> None:
        game, plain = self._game, self._call("relabelled", state)
        if self._call("relabelled", plain) != plain:
            self._fail(f"relabelled must give {plain!r}, which stands for this position, for itself", state)
        if game.current_player(plain) != game.current_player(state):
            self._fail(f"who moves must be the same relabelled, in {plain!r}", state)
        (joint, chances), (there, as_likely) = self._joint(state), self._joint(plain)
        own, beside = ([len(game.legal_actions(one, player)) for player in (0, 1)] for one in (state, plain))
        if own != beside or chances != as_likely:
            self._fail(f"relabelled must give a position with as many moves, as likely where chance draws, not {plain!r}", state)
        if game.has_canonical and self._call("relabelled", self._canonical(plain)) != self._canonical(plain):
            self._fail(f"canonical must leave a relabelled position relabelled, {plain!r}", state)
        for mine, other in zip(joint, there, strict=True):
            after, beyond = game.advance(state, *mine), game.advance(plain, *other)
            if game.current_player(after) != game.current_player(beyond):
                self._fail(f"the moves {mine}, and {other} relabelled, must leave the same player to move", state)
            if game.current_player(after) == TERMINAL:
                if abs(game.returns(after) - game.returns(beyond)) > _TOLERANCE:
                    self._fail(f"the moves {mine}, and {other} relabelled, must end with the same result", state)
            elif self._call("relabelled", after) != self._call("relabelled", beyond):
                self._fail(f"the moves {mine}, and {other} relabelled, must lead to positions that are the same relabelled", state)

    def _joint(self, state: Any) -> tuple[list[tuple[int, int]], list[float]]:
        """All joint moves, or chance's outcomes with their probabilities."""
        game = self._game
        if game.current_player(state) == CHANCE:
            outcomes = game.chance_outcomes(state)
            return [(outcome, NO_ACTION) for outcome, _ in outcomes], [weight for _, weight in outcomes]
        own = [game.legal_actions(state, player) or [NO_ACTION] for player in (0, 1)]
        return [(a, b) for a in own[0] for b in own[1]], []
