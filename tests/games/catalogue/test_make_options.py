"""An option that there is not is refused in a sentence that lists all there are."""

from dataclasses import fields

import pytest

from saddlepoint.algorithms import ALGORITHMS
from saddlepoint.game.spec import Spec, SpecError
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.players import roster
from saddlepoint.games.catalogue.searches import EVALUATORS

RIDERS = make_game("light_riders")


@pytest.mark.parametrize(
    "name", [*ALGORITHMS, *dict.fromkeys(entry.name for entry in roster()), "human", "cmd"]
)
def test_players(name: str) -> None:
    entry = next((one for one in roster() if one.name == name), None)
    game = make_game(entry.game) if entry is not None and entry.game else RIDERS
    with pytest.raises(SpecError) as refused:
        make_player(Spec(name, {"no_such_option": 1}), game)
    text = str(refused.value)
    assert "\n" not in text
    assert f"{name} has no option" in text
    if name in ALGORITHMS and entry is None:
        assert {field.name for field in fields(ALGORITHMS[name])} | {"depth", "nodes", "choice"} == listed(
            text
        )


@pytest.mark.parametrize("name", list(EVALUATORS))
def test_evaluators(name: str) -> None:
    with pytest.raises(SpecError) as refused:
        make_player(Spec("alphabeta", {"evaluator": Spec(name, {"no_such_option": 1})}), RIDERS)
    known = {field.name for field in fields(EVALUATORS[name]) if field.init}
    assert f"{name} has no option" in str(refused.value)
    assert listed(str(refused.value)) == known


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("saddle(evaluator=hands)", "tic_tac_toe"),
        ("alphabeta(evaluator=voronoi)", "connect_four"),
        ("mcts(evaluator=threats)", "othello"),
    ],
)
def test_an_evaluator_that_is_made_for_another_game_is_refused(spec: str, name: str) -> None:
    """When the player is made, not as a failed compilation in its first game."""
    game = make_game(name)
    with pytest.raises(SpecError) as refused:
        make_player(spec, game)
    made_for = EVALUATORS.made_for(game)
    assert f"is not made for {name}; made for it: {', '.join(made_for)}" in str(refused.value)
    for evaluator in made_for:
        make_player(f"alphabeta(evaluator={evaluator})", game).close()


@pytest.mark.parametrize("name", list(GAMES))
def test_games(name: str) -> None:
    with pytest.raises(ValueError, match="has no parameter 'no_such_option'; it has: ") as refused:
        make_game(name, no_such_option=1)
    assert set(str(refused.value).rpartition(": ")[2].split(", ")) == (
        set(GAMES[name].parameters) or {"none"}
    )


@pytest.mark.parametrize("spec", ["ace(depth=abc)", "ace(depth=2.5)", "ace(depth=true)", "ace(depth=none)"])
def test_a_value_of_another_kind_is_refused(spec: str) -> None:
    with pytest.raises(SpecError, match="ace: depth takes a whole number, not "):
        make_player(spec, make_game("rubiks_flip"))


def listed(text: str) -> set[str]:
    """The options that a message lists."""
    _, mark, names = text.rpartition("known: ")
    return set(names.split(", ")) if mark else set()
