"""What is said of the named players is so: `best` is not behind, players keep to their limits, no summary promises more than was shown.

docs/measurements.md has rating tables of all games.
"""

import json
from collections import Counter

import numpy as np
import pytest
import ratings
from plain_bots import PlainBot, bots_of
from player_limits import measured, subjects

from helpers.points import points
from saddlepoint import BackwardInduction, Battlesnake, ConnectFour, Goofspiel, Limits, OshiZumo, Tron, search
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.players import roster
from saddlepoint.games.othello import PASS, Othello
from saddlepoint.games.rubiks_flip.database_player import FlipDatabasePlayer
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock
from saddlepoint.players.searching import SearchPlayer
from saddlepoint.players.solving import SolutionPlayer, SolveFirst

SETTINGS = ("killers", "history", "futility", "table")
WORDS = {"table": ("table", "cached tree")}
SEARCHING = [entry for entry in roster() if entry.name != "asp" and entry.game]


@pytest.mark.plain
@pytest.mark.parametrize("entry", SEARCHING, ids=lambda entry: f"{entry.game} {entry.name}")
def test_the_parts_of_a_search_that_the_roster_names_are_those_that_are_on(entry):
    player = entry.factory(make_game(entry.game), None)
    if isinstance(player, SearchPlayer):
        for setting in SETTINGS:
            on = getattr(player.algorithm, setting, False)
            on = player.algorithm.uses_table if setting == "table" else bool(on)
            assert any(word in entry.algorithm for word in WORDS.get(setting, (setting,))) == on, setting
    player.close()


# -- `best` --------------------------------------------------------------------------------------------------------------

SHORT = Clock(0.02, 0.02)


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["bid a share", "bid a third", "bid even parts"])
def test_best_of_oshi_zumo_is_not_behind_bots_that_bid_a_share_of_their_coins(bot):
    game = OshiZumo(coins=50)
    # Of 60 games, of which 30 points are expected at least: one run in 1,000 has fewer than 18.
    players = make_player("best", game), PlainBot(bots_of(game)[bot])
    assert points(game, players, 60, (SHORT, SHORT), wanted=18) >= 18


@pytest.mark.slow
def test_best_of_goofspiel_with_six_cards_knows_its_value_at_once():
    game = Goofspiel(6)
    best = make_player("best", game)
    best.begin(game, 0, 1)
    for outcome, _ in game.chance_outcomes(game.initial_state()):
        findings = Answer.of(best.choose(game.next_state(game.initial_state(), outcome), SHORT)).findings
        assert findings.exact
        assert abs(findings.value) < 1e-9  # both hands are alike


@pytest.mark.slow
def test_best_of_battlesnake_is_ahead_of_snake_voronoi_on_a_small_board():
    game = Battlesnake(7, 7)
    players = (
        make_player("best", game, Limits(nodes=2000)),
        make_player("snake_voronoi", game, Limits(nodes=3000)),
    )
    # 90 % of 60 games; with the weights and the contempt of 11x11 half of them, which is 17 or more in one run in 30.
    assert points(game, players, 24, wanted=17) >= 17


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["go straight", "keep to the wall", "keep to the open"])
def test_best_of_tron_beats_bots_of_a_few_lines_on_a_field_that_is_not_solved(bot):
    game = Tron(13, 13)
    players = make_player("best", game), PlainBot(bots_of(game)[bot])
    assert points(game, players, 6, (SHORT, SHORT), wanted=5) >= 5


# -- strength in games ---------------------------------------------------------------------------------------------------

CLOCKS = Clock(60.0, 60.0), Clock(60.0, 60.0)


def share_of_best(game, rival, games, limits):
    """The share of the points that `best` gets against a bot."""
    return points(game, (make_player("best", game, limits), PlainBot(rival)), games, CLOCKS) / games


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 8])
def test_othello_against_a_table_of_square_values(size):
    """100 for a corner, 10 on the edge, -20 next to a corner and -50 diagonally; random among equals."""
    values = np.array([[100, -20, 10], [-20, -50, -2], [10, -2, -1]])

    def table(game, state, player, draw):
        def worth(action):
            from_edge = [min(place, size - 1 - place, 2) for place in (action % 8, action // 8)]
            return (0 if action == PASS else values[from_edge[1], from_edge[0]]) + 0.5 * draw.random()

        return max(game.legal_actions(state, player), key=worth)

    assert share_of_best(Othello(size), table, 20, Limits(nodes=300)) >= 0.85


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (9, 6)])
def test_connect_four_against_who_looks_one_disc_ahead(columns, rows):
    """It wins at once, stops a win at once, and else takes a column near the middle; random among equals."""

    def careful(game, state, player, draw):
        actions = game.legal_actions(state, player)
        draw.shuffle(actions)
        for mover in (player, 1 - player):
            for action in actions:
                if game.next_state(state._replace(turn=mover), action).winner == mover:
                    return action
        return min(actions, key=lambda action: abs(2 * action - columns + 1))

    assert share_of_best(ConnectFour(columns, rows), careful, 30, Limits(nodes=300)) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("cards", [8, 13])
@pytest.mark.parametrize("more", [0, 1])
def test_goofspiel_against_who_bids_what_the_prize_is_worth(cards, more):
    """Or one more. An equilibrium has at least half of the points, but for chance (200 games: 4 standard errors are 0.14)."""

    def bidder(game, state, player, draw):
        return min(
            game.legal_actions(state, player), key=lambda card: (abs(card - state.prize - more), -card)
        )

    assert share_of_best(Goofspiel(cards), bidder, 200, Limits(depth=1)) >= 0.5 - 0.14


# -- Battlesnake ---------------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.compiles_long
def test_voronoi_does_not_enter_the_cell_that_a_longer_snake_may_enter():
    text = "battlesnake 7x7 round 9\nsnake 0 health 90: 2,3 1,3 0,3\nsnake 1 health 90: 4,3 5,3 6,3 6,2\nfood: 3,3"
    game = Battlesnake(7, 7)
    player = make_player("snake_voronoi", game, Limits(depth=2))
    player.begin(game, 0, 1)
    answer = player.choose(game.from_text(text), Clock(0.0, 5.0))
    assert game.action_to_string(None, 0, answer.action) in ("up", "down")


# -- Goofspiel -----------------------------------------------------------------------------------------------------------


@pytest.mark.compiles_long
@pytest.mark.plain
def test_best_draws_its_cards_from_the_equilibrium():
    """Three cards, the highest prize last: more than one card is played, each as often as the equilibrium says."""
    game = Goofspiel(3, "ascending", "points")
    state = game.next_state(game.initial_state(), 0, 2)
    expected = search(game, state, BackwardInduction(table=False)).strategy(0)
    assert expected == pytest.approx({1: 0.6, 2: 0.4})
    player, drawn = make_player("best", game, Limits(depth=6)), Counter()
    for seed in range(120):
        player.begin(game, 0, seed)
        drawn[player.choose(state, Clock(60.0, 60.0)).action] += 1
    assert {card: count / 120 for card, count in drawn.items()} == pytest.approx(expected, abs=0.2)


# -- limits --------------------------------------------------------------------------------------------------------------

UNCOUNTED = {"random", "wall", "safe", "snake_starter", "snake_space"}
"""Players that look at no position but the one they are in."""


@pytest.mark.skipif(PLAIN_PYTHON, reason="whole games")
@pytest.mark.slow
@pytest.mark.parametrize(("game", "player"), subjects(), ids=str)
@pytest.mark.parametrize("nodes", [1, 200])
def test_no_move_visits_more_positions_than_it_may(nodes, game, player):
    longest = measured(game, player, Limits(nodes=nodes), 80, 2)
    # Two games; some are over after one move, and one in which somebody is caught after any.
    assert longest.moves >= (2 if game == "pursuit_evasion" else min(6, 2 * make_game(game).max_depth))
    assert (longest.nodes is None) == (player in UNCOUNTED)
    assert longest.nodes is None or longest.nodes <= nodes + 1  # the position at which it stops is counted


# -- what is claimed -----------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("entry", roster(), ids=lambda entry: f"{entry.game} {entry.name}")
def test_what_is_said_of_a_player_was_proven(entry):
    said = " ".join((entry.summary, entry.algorithm, entry.factory.__doc__ or "")).lower()
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
