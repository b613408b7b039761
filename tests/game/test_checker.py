"""check_game: silent for games that keep their promises, one sentence for each promise broken."""

from inspect import isfunction
from typing import Any, ClassVar

import numpy as np
import pytest

from helpers.sizes import COMPILED_ONLY, scaled
from helpers.small_games import Guess, State, Turns
from saddlepoint import (
    Game,
    Goofspiel,
    LightRiders,
    Symmetry,
    check_game,
    kernel,
)
from saddlepoint.compiled import PLAIN_PYTHON, jit
from saddlepoint.games.simplexity import Simplexity

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(Guess(), marks=pytest.mark.compiles_soon),
        Guess(size=5, rounds=4),
        Turns(),
        pytest.param(Goofspiel(4), marks=[pytest.mark.compiles_soon, COMPILED_ONLY]),
        pytest.param(Goofspiel(5, "descending", "points"), marks=COMPILED_ONLY),
        LightRiders(4, 3),
        pytest.param(LightRiders(5, 5), marks=COMPILED_ONLY),
        pytest.param(LightRiders(9, 4, max_rounds=3), marks=COMPILED_ONLY),
        pytest.param(LightRiders(20, 6), marks=COMPILED_ONLY),
        pytest.param(LightRiders(32, 32, max_rounds=6), marks=COMPILED_ONLY),
    ],
    ids=repr,
)
def test_conforming_games_pass(game):
    check_game(game, playouts=scaled(4, 1) if game == LightRiders(32, 32, max_rounds=6) else scaled(20, 6))


class HidesThePosition(Guess):
    def illegal(self, state: Any, player: int, tried: object) -> Any:
        return type(super().illegal(state, player, tried))("no")

    def render(self, state: Any) -> str:
        return f"position {state}"


class CollidingHash(Guess):
    @kernel
    def hash(self, state):
        return np.uint64(7 + state.round)

    @kernel
    def legal_actions(self, state, player, out):
        # What is legal depends on the lead, so a search would be led astray.
        count = 1 + (abs(state.lead) + 1) % 3
        for action in range(count):
            out[action] = action
        return count


class CrookedSymmetry(Guess):
    def symmetries(self, state: Any) -> list[Symmetry]:
        reverse = tuple(reversed(range(self.size)))
        return [Symmetry(State(state.round, state.lead), reverse, tuple(range(self.size)), False)]


class UnevenSymmetry(Guess):
    def symmetries(self, state: Any) -> list[Symmetry]:
        same = tuple(range(self.size))
        return [
            Symmetry(state, same, same, True),
            Symmetry(State(state.round, -state.lead), same, same, True),
        ]


class PlanesOfOneSide(Guess):
    plane_shape = (1, 2, 1)

    @kernel
    def planes(self, state, player, out):
        out[0, 0, 0] = state.lead > 0


class PlanesBeyond(Guess):
    plane_shape = (1, 1, 1)

    @kernel
    def planes(self, state, player, out):
        out[0, 1, 0] = 1


class FlatPlanes(Guess):
    plane_shape = (4, 4)

    @kernel
    def planes(self, state, player, out):
        out[0, 0] = 1


class LoadedDice(Turns):
    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0] = 0
        probabilities[0] = 0.9
        return 1


class NegativeChance(Turns):
    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0] = 0
        out[1] = 1
        probabilities[0] = -0.5
        probabilities[1] = 1.5
        return 2


class ForgetsTheRound(Guess):
    """The lead alone, which is worth something else the fewer rounds there are to come."""

    size: ClassVar[int] = 2  # type: ignore[assignment]
    rounds: ClassVar[int] = 3  # type: ignore[assignment]

    @kernel
    def gain(self, action0, action1):
        return int(action0 == action1) if action0 == 0 else 2 * int(action0 == action1)

    @kernel
    def returns(self, state):
        return min(max(float(state.lead - 2), -1.0), 1.0)

    @kernel
    def hash(self, state):
        return np.uint64(1000 + state.lead)


@jit
def written(out, actions):
    for k in range(len(actions)):
        out[k] = actions[k]
    return len(actions)


def with_one_rule_changed(name: str, base: type[Game], rule: str, changed: Any) -> type[Game]:
    if isfunction(changed):
        changed.__name__ = rule  # a lambda would be refused
    globals()[name] = type(
        name, (base,), {"__module__": __name__, rule: changed}
    )  # where pickle looks for it
    return globals()[name]


BROKEN = {
    with_one_rule_changed(*changed): sentence
    for *changed, sentence in (
        (
            "WritesTooMany",
            Guess,
            "legal_actions",
            kernel(lambda self, state, player, out: written(out, (0, 1, 2, 3))),
            r"legal_actions must give at most max_actions = 3 actions, not 4",
        ),
        (
            "TwiceTheSame",
            Guess,
            "legal_actions",
            kernel(lambda self, state, player, out: written(out, (1, 1))),
            r"legal_actions must give different, non-negative actions, not \[1, 1\]",
        ),
        (
            "SearchesIllegal",
            Guess,
            "search_actions",
            kernel(lambda self, state, player, out: written(out, (3,))),
            r"search_actions must be some of the legal actions \[0, 1, 2\], not \[3\]",
        ),
        (
            "GreaterActions",
            Guess,
            "legal_actions",
            kernel(lambda self, state, player, out: written(out, (0, 2, 4))),
            r"actions must be 0 or more, and below distinct_actions, 3, not 0 to 4: set distinct_actions to",
        ),
        (
            "PromisesTooMuch",
            Turns,
            "winning_actions",
            kernel(lambda self, state, player, out: written(out, (1,)) if state.lead == 4 else 0),
            r"winning_actions must end the game at once with -1.0, not be \[1\]",
        ),
        # The highest number is the best one, and player 1 is not told; then neither is, and nobody is ahead.
        (
            "DropsTheBest",
            Guess,
            "search_actions",
            kernel(
                lambda self, state, player, out: (
                    written(out, (0,)) if player == 1 else self.legal_actions(state, player, out)
                )
            ),
            r"search_actions must keep what is needed: with all legal actions this is worth \S+, with those it gives one",
        ),
        (
            "BothDropTheBest",
            Guess,
            "search_actions",
            kernel(lambda self, state, player, out: written(out, (0,))),
            r"search_actions must keep what is needed: with all legal actions this is worth \S+, with those it gives one",
        ),
        (
            "NoActions",
            Guess,
            "legal_actions",
            kernel(lambda self, state, player, out: 0),
            r"player 0 must have a legal action where it is to choose[\s\S]*in the position \(0, 0\)",
        ),
        (
            "AcceptsAll",
            Guess,
            "next_state",
            lambda self, state, *actions: State(state.round + 1, state.lead),
            r"the illegal \(-3, \d\) must raise IllegalActionError",
        ),
        (
            "ForgetsInText",
            Guess,
            "from_text",
            lambda self, text: Guess.from_text(self, text)._replace(lead=0),
            r"from_text must be the inverse of to_text",
        ),
        ("NoReason", Guess, "why_over", lambda self, state: None, r"why_over must return a text, not None"),
        (
            "LooseEnding",
            Guess,
            "ending",
            lambda self, states: "has more",
            r"ending must give a pair, for each player an Ending or None, not 'has more'",
        ),
        (
            "SameNames",
            Guess,
            "action_to_string",
            lambda self, state, player, action: "move",
            r"string_to_action must be the inverse of action_to_string",
        ),
        (
            "AnyWord",
            Guess,
            "string_to_action",
            lambda self, state, player, text: int(text) if text.isdigit() else 0,
            r"string_to_action must raise IllegalActionError for what names no action",
        ),
        (
            "FoldsToNoImage",
            Guess,
            "canonical",
            kernel(lambda self, state: (State(state.round, abs(state.lead)), False)),
            r"canonical must give the position or one of its symmetries, not State\(.*\) without an exchange of players",
        ),
        (
            "FoldsToTheOther",
            Guess,
            "canonical",
            kernel(lambda self, state: (State(state.round, -state.lead), True)),
            r"canonical must give the same for State\(.*\), which is an image",
        ),
        (
            "ForgetsTheScore",
            Guess,
            "without_score",
            kernel(lambda self, state: (State(state.round, 0), 0.0)),
            r"the result must be the score 0.0 and that of State\(|must lead to the same without the score, also at the end",
        ),
        (
            "CountsRoundsAsScore",
            Guess,
            "without_score",
            kernel(lambda self, state: (State(state.round, 0), state.lead + state.round)),
            r"must lead to the same without the score",
        ),
        (
            "BoundsThatWiden",
            Guess,
            "bounds",
            kernel(lambda self, state: (-1.0, 1.0) if state.round > 1 else (-0.5, 0.5)),
            r"bounds (may only tighten along the play, and were -0.5 and 0.5 before: not -1 and 1|must hold the value)",
        ),
        (
            "RelabelsToOtherPositions",
            Guess,
            "relabelled",
            kernel(lambda self, state: State(state.round, abs(state.lead))),
            r"must (lead to positions that are the same relabelled|end with the same result)",
        ),
        (
            "RelabelsAgainAndAgain",
            Guess,
            "relabelled",
            kernel(lambda self, state: State(state.round, state.lead + 1)),
            r"relabelled must give State\(.*\), which stands for this position, for itself",
        ),
        (
            "FeaturesOfOneSide",
            Guess,
            "features",
            kernel(lambda self, state, player: (state.lead,)),
            r"features must be the other player's in the image State\(",
        ),
        (
            "SetsOfOneSide",
            Guess,
            "features",
            kernel(lambda self, state, player: (np.uint64(7 if state.lead > 0 else 0),)),
            r"features must be the other player's in the image State\(.*: \[\[",
        ),
        (
            "EndlessFeatures",
            Guess,
            "features",
            kernel(lambda self, state, player: (1.0, np.inf)),
            r"features must give a tuple of finite numbers, not \(1.0, inf\)",
        ),
        (
            "OneFeature",
            Guess,
            "features",
            kernel(lambda self, state, player: state.lead),
            r"features must give a tuple of finite numbers, not 0",
        ),
        (
            "FewerDistinctActions",
            Guess,
            "distinct_actions",
            2,
            r"actions must be 0 or more, and below distinct_actions, 2, not 0 to 2: set distinct_actions to",
        ),
        (
            "RichReturns",
            Guess,
            "returns",
            kernel(lambda self, state: 2.0),
            r"returns must lie between min_utility -1.0 and max_utility 1.0, not be 2.0",
        ),
        (
            "NoNumber",
            Guess,
            "returns",
            kernel(lambda self, state: np.nan),
            r"returns must lie between .* not be nan",
        ),
        (
            "NeverEnds",
            Guess,
            "current_player",
            kernel(lambda self, state: -2),
            r"a game must end within max_depth = 2 steps",
        ),
        (
            "OddPlayer",
            Guess,
            "current_player",
            kernel(lambda self, state: 2 if state.round == 1 else -2),
            r"current_player must give 0, 1, SIMULTANEOUS, CHANCE or TERMINAL, not 2",
        ),
        (
            "SameOutcomes",
            Turns,
            "outcome_to_string",
            lambda self, state, outcome: "a die is thrown",
            r"outcome_to_string must give every outcome a name that no other one has, not \['a die is thrown', 'a die is thrown'",
        ),
        (
            "RaisesInPlainPython",
            Guess,
            "returns",
            kernel(lambda self, state: float(undefined_name if state.round > 100 else state.lead.missing)),  # noqa: F821
            r"returns must not raise in plain Python",
        ),
        ("NoLimits", Guess, "max_actions", 0, r"max_actions must be set"),
        ("NoDepth", Guess, "max_depth", 0, r"max_depth must be set"),
        ("Reversed", Guess, "min_utility", 3.0, r"min_utility 3.0 must not exceed max_utility 1.0"),
        (
            "ActsAtTheEnd",
            Guess,
            "players_to_act",
            lambda self, state: (0, 1),
            r"nobody may have a legal action when the game is over",
        ),
        (
            "KeepsTheColumn",
            Simplexity,
            "image_action",
            kernel(lambda self, action: action),
            r"image_action must give \d+ for \d+",
        ),
        (
            "FoldsWithoutAWord",
            Simplexity,
            "canonical_hash",
            kernel(lambda self, state: (min(self.hash(state), self.mirror_hash(state)), False)),
            r"one of the two must be the image",
        ),
        (
            "WrongBounds",
            Guess,
            "bounds",
            kernel(lambda self, state: (-1.0, -0.5) if state.lead > 0 else (-1.0, 1.0)),
            r"bounds must hold the value, which is -?\d\S* here, and are -1 and -0.5",
        ),
        (
            "BoundsOutOfRange",
            Guess,
            "bounds",
            kernel(lambda self, state: (-2.0, 1.0)),
            r"bounds must be a range within min_utility and max_utility",
        ),
        (
            "HalfPoints",
            Guess,
            "next_state",
            kernel(lambda self, state, a, b: State(state.round + 1, state.lead + (a - b) / 2)),
            r"'lead', which is annotated as a whole number|'lead' is annotated int and holds",
        ),
        (
            "FailsAtRunTime",
            Guess,
            "returns",
            kernel(lambda self, state: float(1 // (state.round - 2))),
            r"returns must not raise",
        ),
    )
} | {
    HidesThePosition: r"must show the position",
    CollidingHash: r"hash must tell positions apart",
    CrookedSymmetry: r"symmetries must commute with next_state",
    UnevenSymmetry: r"symmetries must commute with next_state|must be worth",
    PlanesOfOneSide: r"planes must be the other player's, but for places, in the image State\(",
    PlanesBeyond: r"planes must stay within its arrays and tuples: IndexError: index 1 is out of bounds",
    FlatPlanes: r"plane_shape must be \(planes, rows, columns\), three whole numbers from 1, not \(4, 4\)",
    LoadedDice: r"probabilities must be at least 0 and sum to 1, not be \[0.9\]",
    NegativeChance: r"probabilities must be at least 0 and sum to 1",
    ForgetsTheRound: r"hash must tell positions apart",
}


@pytest.mark.parametrize("game", BROKEN, ids=lambda game: game.__name__)
def test_each_broken_promise_is_named(game):
    kwargs = {"rounds": 4} if game is CollidingHash else {}
    with pytest.raises(AssertionError, match=BROKEN[game]) as caught:
        check_game(game(**kwargs), seed=5)
    message = str(caught.value)
    assert message.startswith(game.__name__)
    assert "seed=5" in message


class Wraps(Guess):
    """Compiled arithmetic has 64 bits, Python's has no end: the same source, two results."""

    @kernel
    def returns(self, state):
        return 1.0 if state.lead + 9223372036854775807 + state.round > 0 else -1.0


@pytest.mark.compiles_soon
@pytest.mark.skipif(PLAIN_PYTHON, reason="compares compiled with plain Python")
def test_a_difference_between_compiled_and_plain_is_found():
    with pytest.raises(AssertionError, match=r"returns\(state\) must be the same compiled and plain"):
        check_game(Wraps())


def test_without_a_seed_other_games_are_played():
    with pytest.raises(AssertionError) as first:
        check_game(globals()["RichReturns"]())
    with pytest.raises(AssertionError) as second:
        check_game(globals()["RichReturns"]())
    assert str(first.value).splitlines()[-1] != str(second.value).splitlines()[-1]


class OneNameForSeveral(Turns):
    """More actions than are read back in each position."""

    max_actions = 40

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return str(20 if 20 <= action < 23 else action)


@pytest.mark.compiles_soon
def test_of_many_actions_each_must_have_a_name_of_its_own():
    with pytest.raises(AssertionError, match=r"a name of its own, not \['20'\]"):
        check_game(OneNameForSeveral(), seed=5)
