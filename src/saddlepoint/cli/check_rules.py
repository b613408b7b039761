"""`check FILE.py:CLASS`: are the rules of a game of one's own sound?"""

import typer

from ..console.terminal import Status, fail, print, print_json

_PLAYOUTS = 50


def check_rules(text: str, *, as_json: bool) -> None:
    """Hold a game in a file to what every game promises; exit code 1, and one sentence, for what it breaks."""
    from ..own_games import load_game, split_file
    from ..spec import parse_spec
    from ..testing import check_game

    own, broken = split_file(text), ""
    assert own is not None
    spec = parse_spec(own[1])
    with Status("random games"):
        game = load_game(own[0], spec.name, dict(spec.options))
        try:
            check_game(game, playouts=_PLAYOUTS)
        except AssertionError as error:
            broken = str(error)
    if as_json:
        print_json({"game": text, "ok": not broken, "playouts": _PLAYOUTS, "problem": broken or None})
    elif not broken:
        print(f"{game}: the rules keep what every game promises, in every position of {_PLAYOUTS} random games")
    if broken:
        if not as_json:
            fail(broken)
        raise typer.Exit(1)
