"""Puzzles: files of them, what comes with the library, which moves are good at depths that can be followed by hand, players at them."""

import json

import pytest
from battlesnake_puzzles import is_proven, lines_of, losses, only_good_move

from helpers.sizes import COMPILED_ONLY
from saddlepoint import BackwardInduction, Battlesnake, Limits, Simplexity
from saddlepoint.algorithms.analysis import find_alternatives
from saddlepoint.games.battlesnake.game import DIRECTIONS
from saddlepoint.games.catalogue.games import make_game, names_of_sets, read_own, read_set
from saddlepoint.play.puzzles import Puzzle, PuzzleError, attempts, scores
from saddlepoint.players.base import Answer, Player, PlayerError
from saddlepoint.players.clock import Clock

SETS = names_of_sets()
KNOWN = read_set("battlesnake")
GAME = Battlesnake(7, 7)
CLOCK = Clock(1.0, 0.0)


# -- files ----------------------------------------------------------------------------------------------------------------


def test_the_set_is_large_has_every_theme_and_both_sizes():
    assert 40 <= len(KNOWN) <= 100
    assert {puzzle.theme for puzzle in KNOWN} == {
        "head-to-head",
        "not trapped",
        "food before starving",
        "longer wins ties",
        "shutting in",
        "tail chase",
    }
    assert {puzzle.make_game().width for puzzle in KNOWN} == {7, 11}
    assert {puzzle.player for puzzle in KNOWN} == {0, 1}
    assert len({(puzzle.position, puzzle.player) for puzzle in KNOWN}) == len(KNOWN)


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("game", SETS)
def test_every_puzzle_has_another_move_that_does_not_lose_at_once(game):
    for puzzle in read_set(game):
        rules = puzzle.make_game()
        state = rules.from_text(puzzle.position)
        moves = [
            rules.action_to_string(state, puzzle.player, one)
            for one in rules.search_actions(state, puzzle.player)
        ]
        assert puzzle.solution in moves
        assert len(moves) > 1
        assert 1 <= puzzle.shown <= puzzle.depth
        assert rules.to_text(state) == puzzle.position


@pytest.mark.slow
@pytest.mark.parametrize("game", SETS)
def test_every_puzzle_is_proven_again(game):
    assert [number for number, puzzle in enumerate(read_set(game), 1) if not is_proven(puzzle)] == []


@pytest.mark.parametrize(
    ("between", "encoding"), [("\n", "utf-8"), ("\r\n", "utf-8-sig"), ("\r\n", "utf-16")]
)
def test_a_file_is_read_as_it_was_written_and_another_programs_in_its_form(tmp_path, between, encoding):
    path = tmp_path / "own.jsonl"
    path.write_text(between.join(lines_of(KNOWN[:3])), encoding=encoding, newline="")
    assert read_own(path) == KNOWN[:3]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": "chess"}, "line 2: no game is called 'chess'"),
        ({"game": 3}, "line 2: 'game' must be a string"),
        ({"position": "x"}, "line 2: "),
        ({"player": 2}, "player 2 has no move"),
        ({"solution": "north"}, "line 2: "),
        ({"depth": 0}, "'depth' must be a whole number >= 1"),
        ({"depth": True}, "'depth' must be a whole number"),
        ({"parameters": {"width": 99}}, "line 2: "),
        (b"", ""),
        (b"[1]", ""),
        (b"\xff\n", ""),
        (b"{" * 3000, ""),
        (b"{}", ""),
    ],
)
def test_what_is_no_puzzle_or_no_file_of_puzzles_is_refused_in_one_sentence(tmp_path, change, told):
    path = tmp_path / "own.jsonl"
    if isinstance(change, bytes):
        path.write_bytes(change)
    else:
        path.write_text("\n".join([*lines_of(KNOWN[:1]), json.dumps(KNOWN[0].to_json() | change)]))
    with pytest.raises(PuzzleError) as error:
        read_own(path)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_game_without_puzzles_is_told():
    with pytest.raises(PuzzleError, match="no puzzles of goofspiel; there are of battlesnake"):
        read_set("goofspiel")


# -- which moves are good -------------------------------------------------------------------------------------------------


def position(first, second, food="", health=(90, 90)):
    return f"battlesnake 7x7 round 9\nsnake 0 health {health[0]}: {first}\nsnake 1 health {health[1]}: {second}\nfood: {food}".rstrip()


# With health 2 the piece two cells away is reached just in time; in the other directions there is none.
STARVING = position("3,3 3,4 3,5", "6,0 6,1 6,2", food="1,3", health=(2, 90))
# On the left there is one cell; nobody is near.
POCKET = position("1,0 1,1 1,2 0,2 0,1 0,1 0,1", "6,6 6,5 6,4")


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(
    ("text", "depth", "lost"),
    [
        (STARVING, 2, {"right": 1, "down": 1, "left": 0}),
        (STARVING, 1, {"right": 0, "down": 0, "left": 0}),
        (POCKET, 2, {"right": 0, "left": 1}),
    ],
    ids=["food before starving", "not seen from so near", "a pocket is left alone"],
)
def test_what_each_move_loses_can_be_followed_by_hand(text, depth, lost):
    found = losses(GAME, GAME.from_text(text), 0, depth)
    assert {DIRECTIONS[action]: pytest.approx(worth) for action, worth in found.items()} == lost


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(
    ("solution", "depth", "proven"), [("right", 2, True), ("left", 2, False), ("right", 1, False)]
)
def test_a_puzzle_is_proven_by_its_own_move_at_its_own_depth(solution, depth, proven):
    puzzle = Puzzle("battlesnake", {}, POCKET, 0, solution, depth, depth, 1.0, "not trapped", make_game)
    assert is_proven(puzzle) == proven


@pytest.mark.plain
@pytest.mark.parametrize(
    ("lost", "good"),
    [
        ({0: 0.0, 1: 1.0, 2: 0.0}, None),
        ({0: 0.0, 1: 0.5}, None),
        ({0: 0.0}, None),
        ({0: 0.0, 1: 1.0, 3: 2.0}, 0),
    ],
)
def test_two_good_moves_or_too_small_a_loss_make_no_puzzle(lost, good):
    assert only_good_move(lost, 1.0) == good


@pytest.mark.plain
@pytest.mark.compiles_long
@COMPILED_ONLY
def test_the_losses_are_those_of_the_whole_tree():
    """Of a plain search without windows or bounds."""
    puzzle = next(one for one in KNOWN if one.make_game().width == 7)
    state = GAME.from_text(puzzle.position)
    stage = find_alternatives(GAME.quiet(), state, BackwardInduction(table=False), Limits(depth=3))
    for player in (0, 1):
        for action, lost in losses(GAME, state, player, 3).items():
            assert lost == pytest.approx(stage.losses()[player][action], abs=1e-6)


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_game_of_turns_has_losses_too():
    game = Simplexity()
    found = losses(game, game.initial_state(), 0, 1)
    assert set(found.values()) == {0.0}
    assert only_good_move(found, 1.0) is None


# -- players at puzzles ---------------------------------------------------------------------------------------------------


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
    chosen = [one for one in KNOWN if one.make_game().width == 7][:4]
    wrong = next(way for way in ("up", "down", "left", "right") if way != chosen[1].solution)
    answers = (chosen[0].solution, wrong, 9, PlayerError("it is gone\nmore"))
    moves = {one.position: answer for one, answer in zip(chosen, answers, strict=True)}
    log = []
    made = list(attempts(lambda game: Scripted(game, moves, log), chosen, CLOCK, 1))
    assert [one.solved for one in made] == [True, False, False, False]
    assert [one.move for one in made] == [chosen[0].solution, wrong, None, None]
    assert [one.problem for one in made] == ["", "", "illegal action 9", "it is gone"]
    assert log == ["warm", "closed"]


def test_players_are_closed_where_one_fails():
    log = []
    with pytest.raises(KeyError):
        list(attempts(lambda game: Scripted(game, {}, log), KNOWN[:1], CLOCK))
    assert log == ["warm", "closed"]


def test_scores_are_counted_by_theme():
    moves = {one.position: one.solution for one in KNOWN}
    made = list(attempts(lambda game: Scripted(game, moves, []), KNOWN, CLOCK))
    found = scores(made)
    assert list(found) == list(dict.fromkeys(one.theme for one in KNOWN))
    assert all(solved == of > 0 for solved, of in found.values())
    assert sum(of for _, of in found.values()) == len(KNOWN)
