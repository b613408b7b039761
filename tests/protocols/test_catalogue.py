"""Every protocol is a folder and a line of the catalogue, and both its sides are where the line says."""

from pathlib import Path

import saddlepoint.protocols
from saddlepoint.games.catalogue import make_game
from saddlepoint.protocols.catalogue import PROTOCOLS


def test_every_folder_is_a_protocol_and_every_side_is_there() -> None:
    folders = {path.parent.name for path in Path(saddlepoint.protocols.__file__).parent.glob("*/__init__.py")}
    assert {one.name for one in PROTOCOLS} == folders
    for one in PROTOCOLS:
        sides = [side for side in (one.player, one.bot, one.serve, one.client, one.http, one.looks, one.claims) if side]
        assert sides
        assert all(callable(one.load(side)) for side in sides)
        assert not one.game or make_game(one.game).name == one.game


def test_a_game_has_one_contest_on_either_side() -> None:
    for side in ("player", "bot", "http"):
        games = [one.game for one in PROTOCOLS if one.game and getattr(one, side)]
        assert len(games) == len(set(games))
