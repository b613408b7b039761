"""Every protocol says where both its sides are, and they are there."""

from saddlepoint.games.catalogue.games import make_game, protocols, protocols_of


def test_every_side_of_every_protocol_is_there() -> None:
    for one in protocols():
        sides = [
            side
            for side in (
                one.player,
                one.bot,
                one.serve,
                one.client,
                one.http,
                one.looks,
                one.claims,
                one.opening,
                one.version,
            )
            if side
        ]
        assert sides
        assert all(callable(one.load(side)) for side in sides)
        assert not one.game or make_game(one.game).name == one.game
        assert not one.game or one in protocols_of(one.game), "it is brought by its game"


def test_a_game_has_one_contest_on_either_side() -> None:
    for side in ("player", "bot", "http"):
        games = [one.game for one in protocols() if one.game and getattr(one, side)]
        assert len(games) == len(set(games))
