"""ColorShapeLinks' protocol `csl 1` for Simplexity: our engine's side, over pipes or TCP."""

from typing import Any, NoReturn

from ..protocol import Protocol


def _bot(player: str, load: Any, source: Any, answers: Any) -> bool:
    from .server import run_pipe

    return run_pipe(player, load, source, answers.buffer)


def _serve(player: str, load: Any, port: int) -> NoReturn:
    from .server import run_tcp

    run_tcp(player, load, port)


CSL = Protocol("csl", "simplexity", bot=_bot, serve=_serve, quiet=True)
