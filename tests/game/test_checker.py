"""check_game: silent for games that keep their promises, one sentence for each promise broken."""

from inspect import isfunction
from typing import Any, ClassVar

import numpy as np
import pytest

from helpers.sizes import COMPILED_ONLY, scaled
from helpers.small_games import Guess, State, Turns
from saddlepoint import (
    CHANCE,
    TERMINAL,
    Goofspiel,
    LightRiders,
    Symmetry,
    check_game,
    kernel,
)
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game import equivalences, promises
from saddlepoint.game.checker import CHECKS, QUICK, WHOLE
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


@COMPILED_ONLY
def test_playouts_start_from_the_given_states():
    game = LightRiders(9, 4, max_rounds=3)
    check_game(game, playouts=scaled(8, 1), states=game.starts()[::3])


class WritesTooMany(Guess):
    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.size + 1):
            out[action] = action
        return self.size + 1


class NoActions(Guess):
    @kernel
    def legal_actions(self, state, player, out):
        return 0


class TwiceTheSame(Guess):
    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 1
        out[1] = 1
        return 2


class SearchesIllegal(Guess):
    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        return 1

    @kernel
    def search_actions(self, state, player, out):
        out[0] = 2
        return 1


class AcceptsAll(Guess):
    def next_state(self, state: Any, *actions: int) -> Any:
        return State(state.round + 1, state.lead)


class HidesThePosition(Guess):
    def illegal(self, state: Any, player: int, tried: object) -> Any:
        error = super().illegal(state, player, tried)
        return type(error)("no")

    def render(self, state: Any) -> str:
        return f"position {state}"


class ForgetsInText(Guess):
    def from_text(self, text: str) -> Any:
        return super().from_text(text)._replace(lead=0)


class NoReason(Guess):
    def why_over(self, state: Any) -> Any:
        return None


class LooseEnding(Guess):
    def ending(self, states: Any) -> Any:
        return "has more"


class SameNames(Guess):
    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return "move"


class AnyWord(Guess):
    def string_to_action(self, state: Any, player: int, text: str) -> int:
        return int(text) if text.isdigit() else 0


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


class FoldsToNoImage(Guess):
    @kernel
    def canonical(self, state):
        return State(state.round, abs(state.lead)), False


class FoldsToTheOther(Guess):
    @kernel
    def canonical(self, state):
        return State(state.round, -state.lead), True


class ForgetsTheScore(Guess):
    @kernel
    def without_score(self, state):
        return State(state.round, 0), 0.0


class CountsRoundsAsScore(Guess):
    @kernel
    def without_score(self, state):
        return State(state.round, 0), state.lead + state.round


class BoundsThatWiden(Guess):
    @kernel
    def bounds(self, state):
        return (-1.0, 1.0) if state.round > 1 else (-0.5, 0.5)


class RelabelsToOtherPositions(Guess):
    @kernel
    def relabelled(self, state):
        return State(state.round, abs(state.lead))


class RelabelsAgainAndAgain(Guess):
    @kernel
    def relabelled(self, state):
        return State(state.round, state.lead + 1)


class FeaturesOfOneSide(Guess):
    @kernel
    def features(self, state, player):
        return (state.lead,)

    def symmetries(self, state: Any) -> list[Symmetry]:
        same = tuple(range(self.size))
        return [Symmetry(State(state.round, -state.lead), same, same, True)]


class SetsOfOneSide(Guess):
    @kernel
    def features(self, state, player):
        return (np.uint64(7 if state.lead > 0 else 0),)

    def symmetries(self, state: Any) -> list[Symmetry]:
        same = tuple(range(self.size))
        return [Symmetry(State(state.round, -state.lead), same, same, True)]


class EndlessFeatures(Guess):
    @kernel
    def features(self, state, player):
        return 1.0, np.inf


class OneFeature(Guess):
    @kernel
    def features(self, state, player):
        return state.lead


class PlanesOfOneSide(Guess):
    plane_shape = (1, 2, 1)

    @kernel
    def planes(self, state, player, out):
        out[0, 0, 0] = state.lead > 0

    def symmetries(self, state: Any) -> list[Symmetry]:
        same = tuple(range(self.size))
        return [Symmetry(State(state.round, -state.lead), same, same, True)]


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


class FewerDistinctActions(Guess):
    distinct_actions = 2


class GreaterActions(Guess):
    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.size):
            out[action] = 2 * action
        return self.size


class RichReturns(Guess):
    @kernel
    def returns(self, state):
        return 2.0


class NoNumber(Guess):
    @kernel
    def returns(self, state):
        return np.nan


class NeverEnds(Guess):
    @kernel
    def current_player(self, state):
        return -2


class OddPlayer(Guess):
    @kernel
    def current_player(self, state):
        return 2 if state.round == 1 else -2


class LoadedDice(Turns):
    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0] = 0
        probabilities[0] = 0.9
        return 1


class SameOutcomes(Turns):
    def outcome_to_string(self, state, outcome):
        return "a die is thrown"


class NegativeChance(Turns):
    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0] = 0
        out[1] = 1
        probabilities[0] = -0.5
        probabilities[1] = 1.5
        return 2


class RaisesInPlainPython(Guess):
    @kernel
    def returns(self, state):
        return float(undefined_name if state.round > 100 else state.lead.missing)  # noqa: F821


class SubtractsBooleans(Guess):
    """Python's booleans can be subtracted, NumPy's cannot; actions come out of NumPy arrays."""

    @kernel
    def gain(self, action0, action1):
        return (action0 > action1) - (action0 < action1)


class NoLimits(Guess):
    max_actions: ClassVar[int] = 0  # type: ignore[assignment]


class NoDepth(Guess):
    max_depth: ClassVar[int] = 0  # type: ignore[assignment]


class Reversed(Guess):
    min_utility: ClassVar[float] = 3.0


class PromisesTooMuch(Turns):
    @kernel
    def winning_actions(self, state, player, out):
        out[0] = 1
        return 1 if state.lead == 4 else 0


class ActsAtTheEnd(Guess):
    def players_to_act(self, state: Any) -> tuple[int, ...]:
        return (0, 1)


class KeepsTheColumn(Simplexity):
    @kernel
    def image_action(self, action):
        return action


class FoldsWithoutAWord(Simplexity):
    @kernel
    def canonical_hash(self, state):
        return min(self.hash(state), self.mirror_hash(state)), False


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


class WrongBounds(Guess):
    @kernel
    def bounds(self, state):
        return (-1.0, -0.5) if state.lead > 0 else (-1.0, 1.0)


class BoundsOutOfRange(Guess):
    @kernel
    def bounds(self, state):
        return -2.0, 1.0


class DropsTheBest(Guess):
    """The highest number is the best one, and player 1 is not told."""

    @kernel
    def search_actions(self, state, player, out):
        if player == 1:
            out[0] = 0
            return 1
        return self.legal_actions(state, player, out)


class BothDropTheBest(Guess):
    """The highest number is the best one; where nobody is told, nobody is ahead."""

    @kernel
    def search_actions(self, state, player, out):
        out[0] = 0
        return 1


class HalfPoints(Guess):
    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, state.lead + (action0 - action1) / 2)


class FailsAtRunTime(Guess):
    @kernel
    def returns(self, state):
        return float(1 // (state.round - 2))


BROKEN = {
    ForgetsTheRound: r"hash must tell positions apart",
    WrongBounds: r"bounds must hold the value, which is -?\d\S* here, and are -1 and -0.5",
    BoundsOutOfRange: r"bounds must be a range within min_utility and max_utility",
    DropsTheBest: r"search_actions must keep what is needed: with all legal actions this is worth \S+, with those it gives one",
    BothDropTheBest: r"search_actions must keep what is needed: with all legal actions this is worth \S+, with those it gives one",
    HalfPoints: r"'lead', which is annotated as a whole number|'lead' is annotated int and holds",
    FailsAtRunTime: r"returns must not raise",
    WritesTooMany: r"legal_actions must give at most max_actions = 3 actions, not 4",
    NoActions: r"player 0 must have a legal action where it is to choose",
    TwiceTheSame: r"legal_actions must give different, non-negative actions, not \[1, 1\]",
    SearchesIllegal: r"search_actions must be some of the legal actions \[0\], not \[2\]",
    AcceptsAll: r"the illegal \(-3, \d\) must raise IllegalActionError",
    HidesThePosition: r"must show the position",
    ForgetsInText: r"from_text must be the inverse of to_text",
    NoReason: r"why_over must return a text, not None",
    LooseEnding: r"ending must give a pair, for each player an Ending or None, not 'has more'",
    SameNames: r"string_to_action must be the inverse of action_to_string",
    AnyWord: r"string_to_action must raise IllegalActionError for what names no action",
    CollidingHash: r"hash must tell positions apart",
    CrookedSymmetry: r"symmetries must commute with next_state",
    UnevenSymmetry: r"symmetries must commute with next_state|must be worth",
    FoldsToNoImage: r"canonical must give the position or one of its symmetries, not State\(.*\) without an exchange of players",
    FoldsToTheOther: r"canonical must give the same for State\(.*\), which is an image",
    ForgetsTheScore: r"the result must be the score 0.0 and that of State\(|must lead to the same without the score, also at the end",
    BoundsThatWiden: r"bounds (may only tighten along the play, and were -0.5 and 0.5 before: not -1 and 1|must hold the value)",
    RelabelsToOtherPositions: r"must (lead to positions that are the same relabelled|end with the same result)",
    RelabelsAgainAndAgain: r"relabelled must give State\(.*\), which stands for this position, for itself",
    CountsRoundsAsScore: r"must lead to the same without the score",
    FeaturesOfOneSide: r"features must be the other player's in the image State\(",
    SetsOfOneSide: r"features must be the other player's in the image State\(.*: \[\[",
    EndlessFeatures: r"features must give a tuple of finite numbers, not \(1.0, inf\)",
    OneFeature: r"features must give a tuple of finite numbers, not 0",
    PlanesOfOneSide: r"planes must be the other player's, but for places, in the image State\(",
    PlanesBeyond: r"planes must stay within its arrays and tuples: IndexError: index 1 is out of bounds",
    FlatPlanes: r"plane_shape must be \(planes, rows, columns\), three whole numbers from 1, not \(4, 4\)",
    FewerDistinctActions: r"actions must be 0 or more, and below distinct_actions, 2, not 0 to 2: set distinct_actions to",
    GreaterActions: r"actions must be 0 or more, and below distinct_actions, 3, not 0 to 4: set distinct_actions to",
    RichReturns: r"returns must lie between min_utility -1.0 and max_utility 1.0, not be 2.0",
    NoNumber: r"returns must lie between .* not be nan",
    NeverEnds: r"a game must end within max_depth = 2 steps",
    OddPlayer: r"current_player must give 0, 1, SIMULTANEOUS, CHANCE or TERMINAL, not 2",
    LoadedDice: r"probabilities must be at least 0 and sum to 1, not be \[0.9\]",
    SameOutcomes: r"outcome_to_string must give every outcome a name that no other one has, not \['a die is thrown', 'a die is thrown'",
    NegativeChance: r"probabilities must be at least 0 and sum to 1",
    RaisesInPlainPython: r"returns must not raise in plain Python",
    SubtractsBooleans: r"next_state must not raise in plain Python: TypeError: numpy boolean subtract",
    NoLimits: r"max_actions must be set",
    NoDepth: r"max_depth must be set",
    Reversed: r"min_utility 3.0 must not exceed max_utility 1.0",
    PromisesTooMuch: r"winning_actions must end the game at once with -1.0, not be \[1\]",
    KeepsTheColumn: r"image_action must give \d+ for \d+",
    FoldsWithoutAWord: r"one of the two must be the image",
    ActsAtTheEnd: r"nobody may have a legal action when the game is over",
}


@pytest.mark.parametrize("game", BROKEN, ids=lambda game: game.__name__)
def test_each_broken_promise_is_named(game):
    kwargs = {"rounds": 4} if game is CollidingHash else {}
    with pytest.raises(AssertionError, match=BROKEN[game]) as caught:
        check_game(game(**kwargs), seed=5)
    message = str(caught.value)
    assert message.startswith(game.__name__)
    assert "seed=5" in message


@pytest.mark.compiles_soon
def test_the_message_shows_the_position():
    with pytest.raises(AssertionError, match=r"in the position \(0, 0\)"):
        check_game(NoActions())


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
        check_game(RichReturns())
    with pytest.raises(AssertionError) as second:
        check_game(RichReturns())
    assert str(first.value).splitlines()[-1] != str(second.value).splitlines()[-1]


def test_every_check_is_in_the_list_with_its_level():
    functions = [
        function
        for module in (promises, equivalences)
        for function in vars(module).values()
        if isfunction(function)
    ]
    checks = {
        one
        for one in functions
        if one.__module__ in (promises.__name__, equivalences.__name__) and one.__name__[0] != "_"
    }
    helpers = {promises.check_picture, equivalences.moves_of, promises.is_whole}
    assert checks - helpers == {check.function for check in CHECKS}
    assert {check.level for check in CHECKS} == {QUICK, WHOLE}


def test_constants_are_the_documented_ones():
    assert (CHANCE, TERMINAL) == (-1, -4)
