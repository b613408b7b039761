"""What the roster says of a player is proven, or was shown by games: no summary promises more."""

import json

import pytest
import ratings

from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.players import roster
from saddlepoint.games.rubiks_flip.database_player import FlipDatabasePlayer
from saddlepoint.players.searching import SearchPlayer
from saddlepoint.players.solving import SolutionPlayer, SolveFirst

UNPROVEN = ("strongest", "unbeatable", "never loses")
"""Words that no games show."""
PROVEN = ("perfect", "cannot be exploited", "an equilibrium of the")
"""Words for players that play from a solved game, and for nobody else."""
SHOWN_BY_GAMES = "behind nobody in the games played so far"
TABLES = json.loads(ratings.FILE.read_text(encoding="utf-8"))


def behind_in():
    """The games whose rating table has another player certainly ahead of `best`."""
    return {name for name, table in TABLES.items() if ratings.best_is_behind(table)}


def plays_solutions(entry):
    player = entry.factory(make_game(entry.game), None)
    if isinstance(player, SearchPlayer):
        return any(isinstance(one, SolveFirst) for one in player.plans)
    return isinstance(player, (SolutionPlayer, FlipDatabasePlayer))


def words_of(entry):
    return " ".join((entry.summary, entry.algorithm, entry.factory.__doc__ or "")).lower()


@pytest.mark.parametrize("entry", roster(), ids=lambda entry: f"{entry.game} {entry.name}")
def test_what_is_said_of_a_player_was_proven(entry):
    said = words_of(entry)
    allowed = (
        "never loses" if entry.game == "tic_tac_toe" else ""
    )  # tests/players/test_solving.py plays all games
    assert [word for word in UNPROVEN if word in said and word != allowed] == []
    if entry.game and any(word in said for word in PROVEN):
        assert plays_solutions(entry), said
    solved = "cannot be exploited where the game is solved before its clock runs"
    assert said.count("cannot be exploited") == said.count(solved)


def test_of_a_game_in_which_best_is_behind_the_summary_says_so():
    for entry in roster():
        if entry.name == "best" and entry.game in behind_in():
            assert "ahead of it" in entry.summary, entry.game


def test_who_is_said_to_be_behind_nobody_was_not_found_behind():
    said = [entry for entry in roster() if SHOWN_BY_GAMES in entry.summary]
    assert said
    for entry in said:
        assert entry.game not in behind_in()
        assert entry.game in TABLES
