"""A seat in `kaggle_environments` for a player of this library, in the games that both have: its package is not needed here.

from kaggle_environments import make
from saddlepoint.interop.kaggle import agent_of

make("open_spiel_goofspiel").run([agent_of("best"), my_language_model])
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..algorithms.limits import Limits
from ..game.base import CHANCE, SIMULTANEOUS, TERMINAL, Game, GameError
from ..games.catalogue.games import replay_formats
from ..games.catalogue.make import make_player
from ..play.kaggle import OPEN_SPIEL, KaggleFormat, KaggleGame, joint_here, parameters_there
from ..players.base import Answer, Player
from ..players.clock import Clock
from ..system.text import error_line

_PROXY = "_proxy"
_NUMBERS = 1 << 12
"""Actions there have numbers below it."""


class Shown(NamedTuple):
    """The content of an agent's observation."""

    kind: KaggleGame
    """The game's entry in the list of Kaggle's games."""
    game: Game
    state: Any
    player: int
    """Who is asked, 0 or 1."""


def agent_of(
    player: str = "best", seconds: float = 1.0, nodes: int | None = None
) -> Callable[[Any, Any], Any]:
    """An agent for `kaggle_environments`: a function of an observation and a configuration that gives an
    action.

    player: a spec, like `best` or `alphabeta(depth=4)`. seconds: its time for a move, above 0; nodes: the
    number of nodes it may visit, besides. It knows the position from the observation alone, so one agent may
    play several games. In OpenSpiel's games the observation must contain the state
    (`serializedGameAndState`), as it does unless the game hides something. The agent raises GameError, in one
    sentence, for another environment or variant.
    """
    players: dict[Game, Player] = {}
    clock = Clock(seconds, 0.0)

    def agent(observation: Any, configuration: Any = None) -> Any:
        observation, settings = dict(observation), dict(configuration or {})
        is_open_spiel = "openSpielGameName" in settings
        text = observation.get("serializedGameAndState")
        if is_open_spiel and not text:  # the first step there asks for nothing
            return {"submission": -1}
        kind, game, state, side = position_shown(observation, settings)
        if side not in game.players_to_act(state):
            # Some games there go on for a move or two that decides nothing.
            return {"submission": (observation.get("legalActions") or [0])[0]} if is_open_spiel else 0
        asked = players.get(game)
        if asked is None:
            asked = players[game] = make_player(player, game, Limits(nodes=nodes) if nodes else None)
            asked.warm(game, state, (side,))
        asked.begin(game, side)
        action = Answer.of(asked.choose(state, clock)).action
        number = next(number for number in range(_NUMBERS) if kind.action(number) == action)
        return {"submission": number} if is_open_spiel else number

    return agent


def position_shown(observation: Mapping[str, Any], settings: Mapping[str, Any]) -> Shown:
    """The game and position of an observation and a configuration.

    Raises GameError for a game that is not played here.
    """
    if "openSpielGameName" not in settings:
        if "inarow" not in settings or "board" not in observation:
            raise GameError(
                "this environment has no game that is played here: they are connectx and some of OpenSpiel's (open_spiel_...)"
            )
        kind = _kind("connectx")
        game = kind.game("connectx", settings)
        return Shown(
            kind,
            game,
            _of_board(game, observation["board"], KaggleGame.whole(settings, "columns", 7)),
            int(observation["mark"]) - 1,
        )
    name = OPEN_SPIEL + str(settings["openSpielGameName"]).removesuffix(_PROXY)
    kind = _kind(name)
    try:
        parameters = parameters_there(str(settings["openSpielGameString"]))
    except (KeyError, ValueError) as error:
        raise GameError(f"this variant is not played here: {error_line(error)}") from error
    game = kind.game(name, parameters)
    return Shown(
        kind,
        game,
        _after(kind, game, _history(str(observation["serializedGameAndState"]))),
        int(observation["playerId"]),
    )


def _kind(name: str) -> KaggleGame:
    for _, one in replay_formats():
        if isinstance(one, KaggleFormat) and name in one.there.environments:
            return one.there
    raise GameError(f"{name} is not played here")


def _of_board(game: Game, board: list[int], columns: int) -> Any:
    """The position of a board by rows from the top, 1 and 2 for the players' discs."""
    rows = [board[at : at + columns] for at in range(0, len(board), columns)]
    return game.from_text("\n".join("".join(".xo"[cell] for cell in row) for row in rows))


def _history(text: str) -> list[int]:
    """All actions so far, chance's among them, of a state that OpenSpiel has serialised: a number a line, or `history=0:3,1:4`."""
    _, _, state = text.partition("[State]\n")
    lines = state.split("\n")
    history = next((line.removeprefix("history=") for line in lines if line.startswith("history=")), None)
    try:
        return (
            [int(one.rpartition(":")[2]) for one in history.split(",") if one]
            if history is not None
            else [int(line) for line in lines if line.strip()]
        )
    except ValueError:
        raise GameError("the observation's serializedGameAndState tells no actions") from None


def _after(kind: KaggleGame, game: Game, history: list[int]) -> Any:
    """The position after these actions; two of them are a move where both move at once."""
    state, at = game.initial_state(), 0
    while at < len(history):
        node = game.current_player(state)
        if node == TERMINAL:
            break
        both = node == SIMULTANEOUS
        if both and at + 1 == len(history):
            raise GameError("the observation tells half of a move")
        state = game.next_state(state, *joint_here(kind, node, history[at : at + 2] if both else history[at]))
        at += 2 if both else 1
    while game.current_player(state) == CHANCE and len(outcomes := game.chance_outcomes(state)) == 1:
        state = game.next_state(state, outcomes[0][0])  # what is certain may not be written down there
    return state
