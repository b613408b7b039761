"""Weights that the command line gives: a level of their game, and an evaluator of the analysis; of no other game."""

from pathlib import Path
from typing import Any

import pytest

from helpers.analysis_client import client_of, running_server
from helpers.fitted_files import random_weights, random_weights_file
from helpers.web_client import client
from saddlepoint import Goofspiel, TicTacToe
from saddlepoint.evaluators.network.file import load_weights, save_weights
from saddlepoint.evaluators.territory import prospects

CORNER = {"game": "tic_tac_toe", "start": None, "moves": [[0, -1]]}
BIDS = {"game": "goofspiel(cards=3)", "start": None, "moves": [[0, -1]]}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("weights")
    games = {"t.weights": TicTacToe(), "g.weights": Goofspiel(cards=3)}
    return tuple(str(random_weights_file(folder / name, game)) for name, game in games.items())  # type: ignore[return-value]


def test_their_game_has_a_level_below_best_and_an_evaluator_more(files: tuple[str, str]) -> None:
    with client(weights=files) as asked:
        rows = {row["spec"]: row for row in asked.get("/api/catalogue")["games"]}
        levels = [level["name"] for level in rows["tic_tac_toe"]["levels"]]
        assert levels[-2:] == ["fitted (t.weights)", "best"]
        assert len(levels) == 5
        assert rows["tic_tac_toe"]["evaluators"][-1] == {
            "name": "fitted (t.weights)",
            "spec": f'fitted(file="{files[0]}")',
        }
        assert [level["name"] for level in rows["goofspiel"]["levels"]][
            -2
        ] == "fitted (g.weights)"  # its parameters are chosen later
        assert "fitted" not in str(rows["othello"]["levels"]) + str(rows["othello"]["evaluators"])


def test_files_of_one_name_are_told_apart(files: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "later").mkdir()
    other = random_weights_file(tmp_path / "later" / "t.weights", TicTacToe())
    with client(weights=(files[0], str(other), files[0])) as asked:
        levels = next(row for row in asked.get("/api/catalogue")["games"] if row["spec"] == "tic_tac_toe")[
            "levels"
        ]
        assert [level["name"] for level in levels[-3:-1]] == [
            f"fitted ({Path(files[0]).parent.name}/t.weights)",
            "fitted (later/t.weights)",
        ]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_the_level_plays_in_turn_and_at_once(files: tuple[str, str]) -> None:
    with client(weights=files) as asked:
        told = asked.told("/api/answer", CORNER | {"player": 1, "level": "fitted (t.weights)", "nodes": 500})
        assert told["action"] in range(1, 9)
        assert told["nodes"] > 1
        told = asked.told("/api/answer", BIDS | {"player": 1, "level": "fitted (g.weights)", "nodes": 500})
        assert sum(share for _, _, share in told["strategy"]) == pytest.approx(1)
        assert "no level is called" in asked.refused(
            "/api/answer", BIDS | {"player": 1, "level": "fitted (t.weights)"}
        )
        assert "is fitted to goofspiel with cards=3" in asked.refused(
            "/api/answer", BIDS | {"game": "goofspiel(cards=4)", "player": 1, "level": "fitted (g.weights)"}
        )


@pytest.mark.slow
def test_the_analysis_searches_with_it_and_with_no_other_file(files: tuple[str, str], tmp_path: Path) -> None:
    other = random_weights_file(tmp_path / "other.weights", TicTacToe())
    with running_server(weights=files) as address, client_of(address) as asked:
        asked.end_of(**CORNER, seconds=60, evaluator=f'fitted(file="{files[0]}")')
        assert asked.of("search")[-1]["exact"]
        for about, file, said in (
            (BIDS | {"game": "goofspiel(cards=4)"}, files[1], "is fitted to goofspiel with cards=3"),
            (CORNER, other, "no evaluator is called"),
            (CORNER, files[1], "no evaluator is called"),
        ):
            assert said in asked.refused(**about, seconds=60, evaluator=f'fitted(file="{file}")')


@pytest.mark.plain
@pytest.mark.compiles_long
def test_those_of_an_evaluators_features_are_a_level_too(cli: Any, tmp_path: Path) -> None:
    """Also those that come with the library: a copy of them is a file like another."""
    shipped = Path(prospects.__file__).with_name("prospects.weights")
    mine = tmp_path / "riders.weights"
    save_weights(mine, load_weights(shipped)._replace(game={"name": "light_riders", "parameters": {}}))
    with client(weights=(str(mine),)) as asked:
        row = next(row for row in asked.get("/api/catalogue")["games"] if row["spec"] == "light_riders")
        assert [level["name"] for level in row["levels"]][-2:] == ["prospects (riders.weights)", "best"]
        assert row["evaluators"][-1] == {
            "name": "prospects (riders.weights)",
            "spec": f'prospects(weights="{mine}")',
        }
        riders = {"game": "light_riders(width=6, height=6)", "start": None, "moves": []}
        told = asked.told(
            "/api/answer", riders | {"player": 0, "level": "prospects (riders.weights)", "nodes": 200}
        )
        assert sum(share for _, _, share in told["strategy"]) == pytest.approx(1)
    elsewhere = tmp_path / "reach.weights"
    save_weights(elsewhere, load_weights(mine)._replace(evaluator={"class": "Reach", "digest": "0"}))
    err = cli.refused("serve", "--no-browser", "--weights", str(elsewhere))
    assert "is fitted to features of Reach, which the page does not have" in err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no.weights", "holds no weights"),
        ("missing.weights", "cannot be read"),
        ("mine.weights", "is fitted to mine, which the page does not have"),
    ],
)
def test_what_holds_no_weights_is_told_before_the_page_is_served(
    name: str, said: str, cli: Any, tmp_path: Path
) -> None:
    (tmp_path / "no.weights").write_text("nothing")
    save_weights(
        tmp_path / "mine.weights",
        random_weights(TicTacToe())._replace(game={"name": "mine", "parameters": {}}),
    )
    assert said in cli.refused("serve", "--no-browser", "--weights", str(tmp_path / name))
