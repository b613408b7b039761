"""Players at puzzles."""

import pytest

from saddlepoint.games.catalogue.games import read_set
from saddlepoint.play.puzzles import attempts, scores
from saddlepoint.players.base import Answer, Player, PlayerError
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.plain
CLOCK = Clock(1.0, 0.0)


class Scripted(Player):
    """Plays what it is told, by position."""

    def __init__(self, game, moves, log):
        self.rules, self.moves, self.log = game, moves, log

    def warm(self, game, state, seats=(0, 1)):
        self.log.append("warm")

    def choose(self, state, clock):
        move = self.moves[self.rules.to_text(state)]
        if isinstance(move, Exception):
            raise move
        return Answer(
            move if isinstance(move, int) else self.rules.string_to_action(state, self.player, move)
        )

    def close(self):
        self.log.append("closed")


def test_right_wrong_illegal_and_no_answers_are_told_apart():
    chosen = [one for one in read_set("battlesnake") if one.make_game().width == 7][:4]
    wrong = next(way for way in ("up", "down", "left", "right") if way != chosen[1].solution)
    moves = {
        chosen[0].position: chosen[0].solution,
        chosen[1].position: wrong,
        chosen[2].position: 9,
        chosen[3].position: PlayerError("it is gone\nmore"),
    }
    log = []
    made = list(attempts(lambda game: Scripted(game, moves, log), chosen, CLOCK, 1))
    assert [one.solved for one in made] == [True, False, False, False]
    assert [one.move for one in made] == [chosen[0].solution, wrong, None, None]
    assert [one.problem for one in made] == ["", "", "illegal action 9", "it is gone"]
    assert log == ["warm", "closed"]


def test_players_are_closed_where_one_fails():
    log = []
    chosen = read_set("battlesnake")[:1]
    with pytest.raises(KeyError):
        list(attempts(lambda game: Scripted(game, {}, log), chosen, CLOCK))
    assert log == ["warm", "closed"]


def test_scores_are_counted_by_theme():
    chosen = read_set("battlesnake")
    moves = {one.position: one.solution for one in chosen}
    made = list(attempts(lambda game: Scripted(game, moves, []), chosen, CLOCK))
    found = scores(made)
    assert list(found) == list(dict.fromkeys(one.theme for one in chosen))
    assert all(score.solved == score.of > 0 for score in found.values())
    assert sum(score.of for score in found.values()) == len(chosen)
