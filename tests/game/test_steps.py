"""What chance did is told in words of its own wherever a step is told to people: no word for a move stands for it."""

from types import SimpleNamespace
from typing import Any

import pytest

from helpers.random_trees import RandomGame
from helpers.recorded_games import line_of
from saddlepoint import CHANCE, Battlesnake, Game, Goofspiel, LightRiders, Soccer, Tron41
from saddlepoint.algorithms.result import Line
from saddlepoint.arena.replaying import export_text
from saddlepoint.game.steps import step_in_words
from saddlepoint.games.catalogue.games import GAMES as CATALOGUE, replay_of
from saddlepoint.play.viewer import game_data
from saddlepoint.web.catalogue import KnownGames
from saddlepoint.web.positions import Reference, ReferencedPositions

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
BY_CHANCE: list[Game] = [
    Goofspiel(4),
    Soccer(),
    Battlesnake(7, 7),
    Battlesnake(7, 7, mode="royale", shrink_every=3),
    Tron41("divider"),
]
DIRECTIONS = {"up", "right", "down", "left", "U", "R", "D", "L"}


def test_every_game_of_the_catalogue_with_chance_is_tried_here() -> None:
    assert {name for name, entry in CATALOGUE.items() if entry.game_class().has_chance} == {
        game.name for game in BY_CHANCE
    }


@pytest.mark.parametrize("game", BY_CHANCE, ids=repr)
def test_each_outcome_has_a_name_of_its_own_that_is_no_number_and_no_move(game: Game) -> None:
    seen = [
        state for state in replay_of(line_of(game, seed=1)).states() if game.current_player(state) == CHANCE
    ]
    assert seen
    for state in seen:
        outcomes = [outcome for outcome, _ in game.chance_outcomes(state)]
        assert max(outcomes) < game.max_outcomes, "other libraries ask how many there are"
        names = [game.outcome_to_string(state, outcome) for outcome in outcomes]
        assert len(set(names)) == len(names)
        assert not [name for name in names if name.isdigit() or name.startswith("outcome")]
        assert not DIRECTIONS & set(names)


def test_a_game_that_says_nothing_tells_the_outcomes_number() -> None:
    """Its actions' names, which may know nothing of an outcome, are not asked."""

    class Named(RandomGame):
        def action_to_string(self, state: Any, player: int, action: int) -> str:
            return ("left", "right")[action]

    assert Named().outcome_to_string(Named().initial_state(), 7) == "outcome 7"


@pytest.mark.parametrize("game", BY_CHANCE, ids=repr)
def test_replays_exports_and_the_page_tell_what_chance_did(game: Game) -> None:
    replay = replay_of(line_of(game, seed=1))
    states = list(replay.states())
    outcomes = {
        step: game.outcome_to_string(states[step], played.chance)
        for step, played in enumerate(replay.rounds)
        if played.chance is not None
    }
    assert outcomes
    data = game_data(game, replay)
    assert {
        step: one["chance"] for step, one in enumerate(data["positions"][1:]) if "chance" in one
    } == outcomes
    played = SimpleNamespace(
        job=SimpleNamespace(number=1, players=("a", "b"), seed=3, opening=replay.start),
        actions=[tuple(one) for one in data["actions"]],
        points=0.5,
        reason="it ended",
    )
    text = " ".join(export_text(game, SimpleNamespace(id=1, tournament=1, played=played)).split())  # type: ignore[arg-type]
    assert all(f"{step + 1}. {{{name}}}" in text for step, name in outcomes.items())
    games = KnownGames()
    moves = tuple((one[0], one[1]) for one in data["actions"])
    _, places = ReferencedPositions(games).line(Reference(data["game"], replay.start, moves))
    assert {
        step: place.names[0] for step, place in enumerate(places[1:]) if step in outcomes and place.names
    } == outcomes
    for step, name in outcomes.items():
        assert step_in_words(game, states[step], moves[step]) == f"chance: {name}"


def test_a_step_of_players_is_told_by_their_moves() -> None:
    game = LightRiders(6, 6)
    start = game.initial_state(1, 3)
    a, b = (game.legal_actions(start, player)[0] for player in (0, 1))
    assert (
        step_in_words(game, start, (a, b))
        == f"{game.action_to_string(start, 0, a)} {game.action_to_string(start, 1, b)}"
    )


def test_a_line_ends_where_its_steps_are_none_of_the_games() -> None:
    """As one that was found in the form of a game without chance does, where chance is to move."""
    game = Goofspiel(3)
    (prize, _), *_ = game.chance_outcomes(game.initial_state())
    said = Line([(prize, -1), (0, 1), (0, 1)]).in_words(game, game.initial_state())
    assert said == [f"chance: {game.outcome_to_string(game.initial_state(), prize)}", "1 2"]
    assert Line([(-1, -1)]).in_words(game, game.initial_state()) == []
