"""What the roster says of the named players is so."""

import pytest

from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.players import roster
from saddlepoint.players.searching import SearchPlayer

SETTINGS = ("killers", "history", "futility", "table")
WORDS = {"table": ("table", "cached tree")}
SEARCHING = [entry for entry in roster() if entry.name != "asp" and entry.game]


@pytest.mark.plain
@pytest.mark.parametrize("entry", SEARCHING, ids=lambda entry: f"{entry.game} {entry.name}")
def test_the_parts_of_a_search_that_the_roster_names_are_those_that_are_on(entry):
    game = make_game(entry.game)
    player = entry.factory(game, None)
    if isinstance(player, SearchPlayer):
        for setting in SETTINGS:
            on = getattr(player.algorithm, setting, False)
            on = player.algorithm.uses_table if setting == "table" else bool(on)
            assert any(word in entry.algorithm for word in WORDS.get(setting, (setting,))) == on, setting
    player.close()
