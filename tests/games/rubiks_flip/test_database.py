"""The database of Rubik's Flip: what is written is looked up again; a file appears whole or not at all."""

import random
from pathlib import Path

import numpy as np
import pytest

from helpers.flip_positions import minimax, played, worth
from saddlepoint import GameError, RubiksFlip
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.rubiks_flip.database import Database, DatabaseError, write_database
from saddlepoint.games.rubiks_flip.patterns import Layer, position_number
from saddlepoint.games.rubiks_flip.sweep import SolvedLayer, solve_layers

pytestmark = pytest.mark.compiles_long

TOP = 3 if PLAIN_PYTHON else 6
GAME = RubiksFlip("opponent")


def made_up_layers(kinds: int) -> list[SolvedLayer]:
    """The layers up to TOP tiles below one with made-up values, of so many kinds."""
    layer, rng = Layer(TOP), np.random.default_rng(kinds)
    values = rng.choice(
        np.concatenate([np.arange(63 - kinds // 2, 64), np.arange(-63, kinds // 2 - 63)]), layer.entries
    )
    values = values.astype(np.int8)
    top = SolvedLayer(layer, values, dict.fromkeys(np.unique(values).tolist(), 1))
    return [top, *solve_layers(-1, after=(layer, values))]


@pytest.fixture(params=[5, 24], ids=["4 bits", "8 bits"])
def made_up(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, list[SolvedLayer]]:
    layers = made_up_layers(request.param)
    write_database(tmp_path / "new" / "flip.solved", "opponent", layers)
    return tmp_path / "new" / "flip.solved", layers


@pytest.mark.plain
def test_every_position_is_looked_up_as_it_was_written(made_up):
    path, layers = made_up
    database, rng = Database(path), random.Random(2)
    assert database.game == GAME
    for layer, values, _ in layers:
        for _ in range(20):
            state = played(GAME, layer.tiles, rng)
            value = int(values[position_number(layer.classes, layer.entries_per_class, *map(int, state))])
            assert worth(database.outcome(state)) == (np.sign(value) * (36 + abs(value)) if value else 0)


@pytest.mark.plain
def test_all_turns_come_with_their_worth_the_best_first(made_up):
    database, rng = Database(made_up[0]), random.Random(3)
    database.warm()
    for tiles in range(TOP):
        state = played(GAME, tiles, rng)
        lines = database.turns(state)
        assert sorted(line.action for line in lines) == sorted(GAME.legal_actions(state, tiles % 2))
        assert [worth(line.outcome) for line in lines] == sorted(
            (worth(line.outcome) for line in lines), reverse=True
        )
        assert lines[0].outcome == database.outcome(state)
        for line in lines[:: 1 + len(lines) // 10]:
            assert database.outcome(GAME.next_state(state, line.action)).before() == line.outcome
        losing = sum(line.outcome.result < 0 for line in lines) / len(lines)
        assert database.losing_share(state) == pytest.approx(losing)


@pytest.mark.plain
def test_what_is_not_kept_is_searched(made_up):
    database = Database(made_up[0])
    state = RubiksFlip().from_text("BBYW/RWWB/RY.B/WRBY")
    assert database.losing_share(state) is None
    assert database.outcome(state) == minimax(GAME, state)
    assert database.turns(state)[0].outcome == minimax(GAME, state)
    over = GAME.from_text("RRRB/YYY./..../....")
    assert str(database._endgame.outcome(over)) == "L0"
    with pytest.raises(GameError, match="the game is over"):
        database.turns(over)


@pytest.mark.plain
def test_what_interrupts_the_sweep_leaves_the_directory_as_it_was(tmp_path):
    path = tmp_path / "flip.solved"
    path.write_text("something older")

    def interrupted():
        yield made_up_layers(5)[-1]
        assert len(list(tmp_path.iterdir())) == 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_database(path, "draw", interrupted())
    assert [p.name for p in tmp_path.iterdir()] == ["flip.solved"]
    assert path.read_text() == "something older"


@pytest.mark.plain
def test_other_files_are_refused_in_a_sentence(tmp_path, made_up):
    whole = made_up[0].read_bytes()
    (tmp_path / "short").write_bytes(whole[:-1])
    (tmp_path / "text").write_text("not a database")
    (tmp_path / "damaged").write_bytes(whole[:40] + b"}" + whole[41:])
    for name, message in {
        "none": "there is no database .*none; `saddlepoint solve rubiks_flip` makes one",
        "short": "short is cut short",
        "text": "text is no database of Rubik's Flip",
        "damaged": "damaged is no database of Rubik's Flip",
    }.items():
        with pytest.raises(DatabaseError, match=message):
            Database(tmp_path / name)
