"""Games by their texts, for interfaces whose users hand over texts."""

from ..game import Game
from ..own_games import load_game, split_file
from ..roster.games import game_spec, make_game
from ..spec import parse_spec
from ..testing.first_look import look_at


def game_of(game: Game | str) -> Game:
    """The game itself, or the one that a text names, with parameters if wanted: `name(width=8)`, `./FILE.py:CLASS`.

    The file is code, and it is run. Raises GameError, SpecError or KernelError for what there is not, or what cannot be right.
    """
    if isinstance(game, Game):
        return game
    own = split_file(game)
    if own is not None:
        spec = parse_spec(own[1])
        return look_at(load_game(own[0], spec.name, dict(spec.options)))
    spec = game_spec(game)
    return make_game(spec.name, **dict(spec.options))
