"""From a spec to a player."""

import inspect
from dataclasses import replace

from ..game import Game
from ..search import ALGORITHMS, Limits, UnsupportedGameError
from .algorithms import make_algorithm
from .base import Player
from .roster import ROSTER, entries_of
from .searching import SearchPlayer
from .spec import COMMAND, Spec, SpecError, parse_spec, suggestion

HUMAN = "human"


def make_player(spec: str | Spec, game: Game, limits: Limits | None = None) -> Player:
    """The player that a spec describes, for this game.

    `limits` bounds each move of a searching player besides its clock. Raises SpecError in one sentence.
    """
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    if parsed.name == COMMAND:
        return _command(parsed, game)
    if parsed.name == HUMAN:
        from .human import HumanPlayer

        best = next((one for one in entries_of("best") if one.game == game.name), None)
        return HumanPlayer(adviser=None if best is None else lambda: best.factory(game, None))
    entries = entries_of(parsed.name)
    if not entries and parsed.name in ALGORITHMS:
        return _search(parsed, game, limits)
    if not entries:
        known = [*dict.fromkeys(entry.name for entry in ROSTER), HUMAN, *ALGORITHMS]
        raise SpecError(f"no player is called {parsed.name!r}{suggestion(parsed.name, known)}")
    entry = next((one for one in entries if one.game in ("", game.name)), None)
    if entry is None:
        raise SpecError(f"{parsed.name} plays {' and '.join(one.game for one in entries)}, not {game.name}")
    _check_options(parsed, entry.factory)
    try:
        return entry.factory(game, limits, **parsed.options)
    except (TypeError, ValueError) as error:
        raise SpecError(f"{parsed}: {error}") from error


def _check_options(spec: Spec, factory: object) -> None:
    parameters = list(inspect.signature(factory).parameters.values())[2:]  # type: ignore[arg-type]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    names = [p.name for p in parameters]
    for key in spec.options:
        if key not in names:
            raise SpecError(
                f"{spec.name} has no option {key!r}{suggestion(key, names)}" if names else f"{spec.name} has no options"
            )


def _search(spec: Spec, game: Game, limits: Limits | None) -> Player:
    """An algorithm as a player: the algorithm's own options, and depth, nodes and choice of the player."""
    options = dict(spec.options)
    depth, nodes, choice = options.pop("depth", None), options.pop("nodes", None), options.pop("choice", "best")
    for key, number in (("depth", depth), ("nodes", nodes)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
            raise SpecError(f"{spec.name}: {key} takes a whole number, not {number!r}")
    if choice not in ("best", "mixture"):
        raise SpecError(f"{spec.name}: choice is best or mixture, not {choice!r}")
    try:
        bounds = Limits(depth, nodes) if limits is None else replace(  # type: ignore[arg-type]
            limits, depth=limits.depth if depth is None else depth, nodes=limits.nodes if nodes is None else nodes
        )
        algorithm = make_algorithm(Spec(spec.name, options))
        algorithm.check(game)
    except UnsupportedGameError as error:
        raise SpecError(f"{spec.name}: {error}") from error
    except SpecError:
        raise
    except ValueError as error:
        raise SpecError(f"{spec}: {error}") from error
    return SearchPlayer(algorithm, limits=bounds, choice=choice)  # type: ignore[arg-type]


def _command(spec: Spec, game: Game) -> Player:
    from ..games.tron41 import Tron41
    from .asp_bot import asp_player
    from .process import ProcessPlayer

    command = spec.options.get("command")
    if not isinstance(command, str) or len(spec.options) != 1:
        raise SpecError("cmd takes one option, the command: cmd:java -jar bot.jar")
    if isinstance(game, Tron41):
        return asp_player(command)
    return ProcessPlayer(command, game)


def player_version(spec: str | Spec) -> str:
    """What a player was at the time: this library's version and digest, or, for a program, a digest of its file.

    Empty where neither is known: a command that is found on the path, for one.
    """
    import hashlib
    import shlex
    from importlib.metadata import PackageNotFoundError, version
    from pathlib import Path

    from ..compiled.sources import package_digest

    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    if parsed.name != COMMAND:
        try:
            number = version("saddlepoint")
        except PackageNotFoundError:
            number = "unknown"
        return f"{number}+{package_digest()[:8]}"
    digest = hashlib.blake2b(digest_size=8)
    known = False
    for word in shlex.split(str(parsed.options["command"])):
        path = Path(word).expanduser()
        if path.is_file():
            digest.update(path.read_bytes())
            known = True
    return digest.hexdigest() if known else ""
