"""The player that plays from a solution's file."""

from pathlib import Path

import pytest

from saddlepoint.game.base import CHANCE, TERMINAL
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.players.base import PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.solvers.general import Solution, save_solution
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
GAME = Goofspiel(3)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solved") / "goofspiel3.sol"
    save_solution(path, Solution.of(solve_positions(GAME)))
    return path


@pytest.mark.compiles_long
def test_it_plays_whole_games_from_its_file_and_the_same_again_from_the_same_seed(file: Path) -> None:
    players = [make_player(f'solution("{file}")', GAME) for _ in range(2)]
    games: list[list[int]] = []
    for _ in range(2):
        for player, one in enumerate(players):
            one.begin(GAME, player, 7)
        state, played = GAME.initial_state(), list[int]()
        while (node := GAME.current_player(state)) != TERMINAL:
            if node == CHANCE:
                state = GAME.next_state(state, GAME.chance_outcomes(state)[0][0])
                continue
            answers = [one.choose(state, Clock(1.0, 1.0)) for one in players]
            assert all(answer.findings.exact for answer in answers)
            played += [answer.action for answer in answers]
            state = GAME.next_state(state, *(answer.action for answer in answers))
        games.append(played)
    assert games[0] == games[1]
    assert len(games[0]) == 6


def test_the_likeliest_action_if_asked(file: Path) -> None:
    player = make_player(f'solution(file="{file}", choice=best)', GAME)
    player.begin(GAME, 0, 1)
    state = GAME.next_state(GAME.initial_state(), 2)
    answer = player.choose(state, Clock(1.0, 1.0))
    mixture = answer.findings.strategies[0]
    assert mixture[answer.action] == max(mixture.values())


def test_another_game_a_missing_file_and_a_foreign_position_are_told(file: Path) -> None:
    with pytest.raises(SpecError, match="is a solution of"):
        make_player(f'solution(file="{file}")', Goofspiel(4))
    with pytest.raises(SpecError, match="cannot be read"):
        make_player('solution(file="nowhere.sol")', GAME)
    player = make_player(f'solution(file="{file}")', GAME)
    player.begin(GAME, 0, 1)
    with pytest.raises(PlayerError, match="cannot come about"):
        player.choose(GAME.initial_state()._replace(hand0=1, prize=0), Clock(1.0, 1.0))
