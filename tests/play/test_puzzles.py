"""Files of puzzles, and what comes with the library."""

import json

import pytest

from saddlepoint.games.catalogue.games import names_of_sets, read_own, read_set
from saddlepoint.play.puzzles import PuzzleError, is_proven, lines_of

SETS = names_of_sets()


@pytest.fixture(scope="module")
def known():
    return read_set("battlesnake")


def test_the_set_is_large_has_every_theme_and_both_sizes(known):
    assert 40 <= len(known) <= 100
    themes = {puzzle.theme for puzzle in known}
    assert {
        "head-to-head",
        "not trapped",
        "food before starving",
        "longer wins ties",
        "shutting in",
        "tail chase",
    } == themes
    assert {puzzle.make_game().width for puzzle in known} == {7, 11}
    assert {puzzle.player for puzzle in known} == {0, 1}
    assert len({(puzzle.position, puzzle.player) for puzzle in known}) == len(known)


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


def test_a_file_is_read_as_it_was_written(known, tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(lines_of(known[:3])))
    assert read_own(path) == known[:3]


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
    ],
)
def test_a_line_that_is_no_puzzle_is_refused_in_one_sentence(known, tmp_path, change, told):
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join([*lines_of(known[:1]), json.dumps(known[0].to_json() | change)]))
    with pytest.raises(PuzzleError) as error:
        read_own(path)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_of_another_program_is_read_in_its_form(known, tmp_path, encoding):
    path = tmp_path / "own.jsonl"
    path.write_text("\r\n".join(lines_of(known[:2])), encoding=encoding, newline="")
    assert read_own(path) == known[:2]


@pytest.mark.parametrize("content", [b"", b"[1]", b"\xff\n", b"{" * 3000, b"{}"])
def test_what_is_no_file_of_puzzles_is_refused(tmp_path, content):
    path = tmp_path / "own.jsonl"
    path.write_bytes(content)
    with pytest.raises(PuzzleError):
        read_own(path)


def test_a_game_without_puzzles_is_told():
    with pytest.raises(PuzzleError, match="no puzzles of goofspiel; there are of battlesnake"):
        read_set("goofspiel")
