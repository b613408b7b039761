"""Games as JSON objects of `kaggle_environments`. A game lists the environments that play it.

The format was found in the files and the source of release 1.33.2. An environment of OpenSpiel's games
(`open_spiel_...`) lists all actions in `info.actionHistory`, chance's included; others list for each step the
players to act and their actions.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import msgspec

from ..game.base import CHANCE, SIMULTANEOUS, TERMINAL, Game, GameError
from ..game.own_games import finder_of, parameters_of
from ..game.steps import names_of
from ..players.base import Fault, FaultKind
from ..system.foreign import Number
from ..system.text import error_line
from .reading import ReplayFormat, fail, in_form, object_in
from .replay import Replay, Round

OPEN_SPIEL = "open_spiel_"
"""The prefix of the environments of OpenSpiel's games."""
MOST_SHOWN = 60
"""Characters of what is refused."""


@dataclass(frozen=True)
class KaggleGame:
    """The place of a game in Kaggle's files."""

    environments: tuple[str, ...]
    """Their names there."""
    game_of: Callable[[str, Mapping[str, Any]], Game]
    """From an environment's name and the parameters there to the game; raises GameError for a variant that is not played here."""
    parameters: tuple[str, ...] = ()
    """Those of OpenSpiel's game there that `game_of` takes, and those that change no rule; another one may change them."""
    action: Callable[[int], int] = lambda number: number
    """From the number of an action there to that here."""
    outcome: Callable[[int], int] = lambda number: number
    """The same of an outcome of chance."""
    by_difference: Callable[[Game], bool] = lambda game: False
    """Whether the result is the difference of the rewards; else it is the first agent's reward, and the other's negative."""
    most_left: int = 0
    """Actions, and outcomes, that may be left over there when the game is over here, since they decide nothing."""

    @staticmethod
    def whole(told: Mapping[str, Any], name: str, usual: int) -> int:
        """A parameter that is a whole number; raises GameError for another one."""
        value = told.get(name, usual)
        if type(value) is not int:
            raise GameError(f"{name} must be a whole number, not {str(value)[:MOST_SHOWN]!r}")
        return value

    def recognises(self, first: bytes) -> bool:
        """Whether a file with this first line is one of the game."""
        names = "|".join(map(re.escape, self.environments)).encode()
        named = re.search(rb'"name"\s*:\s*"(' + names + rb')"', first)
        return named is not None and b'"specification"' in first and b'"steps"' in first

    def game(self, environment: str, told: Mapping[str, Any]) -> Game:
        """The game of an environment with these parameters; raises GameError in one sentence for a variant that is not played here."""
        try:
            if environment.startswith(OPEN_SPIEL) and (
                others := [name for name in told if name not in self.parameters]
            ):
                raise GameError(f"nothing is known here of the parameter {others[0][:MOST_SHOWN]!r}")
            return self.game_of(environment, told)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise GameError(f"this variant is not played here: {error_line(error)}") from error


_KINDS = {"TIMEOUT": FaultKind.LATE, "ERROR": FaultKind.ERROR, "INVALID": FaultKind.ILLEGAL}
"""The statuses of an agent that was at fault."""
_SAID = {FaultKind.LATE: "no answer in time", FaultKind.ERROR: "the agent failed"}
"""The words for these; for an illegal move, what it was."""
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class KaggleFormat(ReplayFormat):
    """Such files of one game."""

    there: KaggleGame
    """The description of the game in Kaggle's files; `interop.kaggle` uses it, too."""


def format_of(there: KaggleGame) -> KaggleFormat:
    """The format of replays of a game that is found there."""
    return KaggleFormat(there.recognises, partial(_read, there), there)


def _read(there: KaggleGame, raw: Sequence[bytes]) -> Replay:
    """The game of a file; raises ReplayError in one sentence."""
    if any(line.strip() for line in raw[1:]):
        fail("line 2", "expected a game of kaggle_environments, a JSON object")
    episode = in_form(object_in(raw[0], 1), _Episode, "line 1")
    try:
        game = there.game(episode.name, episode.parameters())
    except ValueError as error:
        fail("line 1", str(error))
    return _replay(game, there, episode)


class _Agent(msgspec.Struct):
    status: str
    action: Any = None
    observation: Any = None

    @property
    def submitted(self) -> Any:
        """Its action, where it acted."""
        return self.action.get("submission") if isinstance(self.action, dict) else self.action


class _Info(msgspec.Struct):
    history: list[Any] | None = msgspec.field(default=None, name="actionHistory")
    game: Annotated[str, msgspec.Meta(max_length=10_000)] | None = msgspec.field(
        default=None, name="openSpielGameStringResolved"
    )
    durations: list[Any] | None = msgspec.field(default=None, name="moveDurations")
    teams: list[Any] | None = msgspec.field(default=None, name="TeamNames")
    agents: list[Any] | None = msgspec.field(default=None, name="Agents")


class _Reward(msgspec.Struct):
    enum: Any = None


class _Specification(msgspec.Struct):
    reward: _Reward | None = None


class _Episode(msgspec.Struct):
    name: str
    configuration: dict[str, Any]
    statuses: tuple[str | None, str | None]
    rewards: tuple[Number | None, Number | None]
    steps: list[list[_Agent]]
    info: _Info | None = None
    specification: _Specification | None = None

    @property
    def of_open_spiel(self) -> bool:
        """Whether it is a game of OpenSpiel."""
        return self.name.startswith(OPEN_SPIEL)

    @property
    def told(self) -> _Info:
        """The episode's information besides its steps."""
        return self.info or _Info()

    @property
    def is_done(self) -> bool:
        """Whether both agents played on to the end."""
        return self.statuses == ("DONE", "DONE")

    def parameters(self) -> Mapping[str, Any]:
        """The parameters of the game there; raises ValueError."""
        if not self.of_open_spiel:
            return self.configuration
        return parameters_there(str(self.told.game or self.configuration.get("openSpielGameString")))

    def agent(self, at: int, player: int) -> _Agent:
        """An agent in a step; an empty one where there is none."""
        try:
            return self.steps[at][player]
        except IndexError:
            return _Agent("")


def parameters_there(told: str) -> Mapping[str, Any]:
    """The parameters of a game as OpenSpiel writes it, `name(num_cards=4,points_order=random)`; raises ValueError for another text."""
    found = re.fullmatch(r"\w+(?:\((.*)\))?", told, re.DOTALL)
    if found is None:
        raise ValueError(f"no name of a game of OpenSpiel: {told[:MOST_SHOWN]!r}")
    parts = (part.partition("=") for part in (found[1] or "").split(",") if part)
    return {name.strip(): _value(value) for name, _, value in parts}


def _value(text: str) -> Any:
    """A parameter as OpenSpiel writes it: a number, True or False, else a text."""
    if text in ("True", "False"):
        return text == "True"
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text


def _moves(episode: _Episode) -> list[Any]:
    """The actions in order: a number where one player, or chance, moves alone.

    A list of two where both move at once.
    """
    if episode.of_open_spiel:
        return [_number_or_pair(one, at) for at, one in enumerate(episode.told.history or (), 1)]
    moves: list[Any] = []
    before: list[str] = []
    for at, agents in enumerate(episode.steps):
        acted = [one for one, earlier in zip(agents, before, strict=False) if earlier == "ACTIVE"]
        before = [one.status for one in agents]
        if acted and not any(one.status in _KINDS for one in acted):
            actions = [one.action for one in acted]
            if any(type(one) is not int for one in actions):
                fail("line 1", f"step {at}: 'action' must be a whole number, not {str(actions)[:MOST_SHOWN]}")
            moves.append(actions if len(actions) > 1 else actions[0])
    return moves


def _number_or_pair(told: Any, at: int) -> Any:
    try:
        found = json.loads(told) if isinstance(told, str) and len(told) < MOST_SHOWN else told
    except ValueError:
        found = None
    numbers = found if isinstance(found, list) else [found]
    if not all(isinstance(one, int) and not isinstance(one, bool) and abs(one) < 1 << 62 for one in numbers):
        fail(
            "line 1",
            f"'actionHistory', entry {at}: expected the number of an action, or two, not {str(told)[:MOST_SHOWN]!r}",
        )
    return found


def _replay(game: Game, kind: KaggleGame, episode: _Episode) -> Replay:
    state = start = game.initial_state()
    durations = iter(episode.told.durations or ())
    rounds: list[Round] = []
    moves = _moves(episode)
    for at, move in enumerate(moves, 1):
        node = game.current_player(state)
        if node == TERMINAL:
            if len(moves) - at >= kind.most_left:
                fail("line 1", f"the game is over after {at - 1} moves by the rules, and more follow")
            break
        try:
            joint = joint_here(kind, node, move)
            after = game.next_state(state, *joint)
        except GameError as error:
            fail("line 1", f"move {at}: {error_line(error)}")
        rounds.append(_round(game, state, joint, durations))
        state = after
    faults = (
        _faults(game, state, len(rounds), kind, episode)
        if game.current_player(state) != TERMINAL
        else (None, None)
    )
    if not any(faults) and episode.is_done:  # what is forced at the end is not written down there
        forced, state = _forced(game, state)
        rounds += forced
    result, reason = _result(game, state, faults, episode, kind.by_difference(game))
    return Replay(
        game.name,
        parameters_of(game),
        _names(episode.told),
        game.to_text(start),
        tuple(rounds),
        result,
        reason,
        faults,
        find=finder_of(game),
    )


def joint_here(kind: KaggleGame, node: int, move: Any) -> tuple[int, ...]:
    """The move as `next_state` takes it."""
    if (node == SIMULTANEOUS) != isinstance(move, list):
        raise GameError("expected " + ("two actions" if node == SIMULTANEOUS else "one action"))
    if node == CHANCE:
        return (kind.outcome(move),)
    return tuple(map(kind.action, move)) if isinstance(move, list) else (kind.action(move),)


def _round(game: Game, state: Any, joint: tuple[int, ...], durations: Any) -> Round:
    node = game.current_player(state)
    if node == CHANCE:
        return Round((None, None), (None, None), (0.0, 0.0), (None, None), chance=joint[0])
    moves = names_of(game, state, (joint[0], joint[-1]))
    seconds = [0.0 if move is None else next(durations, 0.0) for move in moves]
    a, b = (
        round(float(one) * 1000, 1) if isinstance(one, int | float) and 0 <= one < 1e9 else 0.0
        for one in seconds
    )
    return Round(moves, moves, (a, b), (None, None))


def _forced(game: Game, state: Any) -> tuple[list[Round], Any]:
    """The rest of a game in which nobody has a choice, and the end; nothing of it where somebody has one."""
    rounds: list[Round] = []
    at = state
    while (node := game.current_player(at)) != TERMINAL:
        own = (
            [[one for one, _ in game.chance_outcomes(at)]]
            if node == CHANCE
            else [game.legal_actions(at, player) for player in game.players_to_act(at)]
        )
        if any(len(one) != 1 for one in own):
            return [], state
        joint = tuple(one[0] for one in own)
        rounds.append(_round(game, at, joint, iter(())))
        at = game.next_state(at, *joint)
    return rounds, at


def _faults(
    game: Game, state: Any, step: int, there: KaggleGame, episode: _Episode
) -> tuple[Fault | None, Fault | None]:
    """The faults by the players' status, or by an illegal move without a status.

    Refuses a history that was cut off.
    """
    rewards: Any = episode.rewards
    to_act = game.players_to_act(state)
    kinds = [_KINDS.get(status or "") for status in episode.statuses]
    if any(kinds):
        guilty = [player for player in to_act if kinds[player]] or [
            player for player in (0, 1) if kinds[player]
        ]
    elif (
        None not in rewards and rewards[0] != rewards[1] and episode.is_done and _forced(game, state)[0] == []
    ):
        guilty = [int(rewards[1] < rewards[0])]
        if not _was_illegal(game, state, guilty[0], there, episode):
            fail("line 1", "the history ends before the game does, and nobody is at fault")
    else:
        return None, None
    made: list[Fault | None] = [None, None]
    for player in guilty:
        kind = kinds[player] or FaultKind.ILLEGAL
        move = f"{str(episode.agent(-1, player).submitted)[:MOST_SHOWN]} is no legal move"
        made[player] = Fault(kind, player, step, _SAID.get(kind, move))
    return made[0], made[1]


def _was_illegal(game: Game, state: Any, player: int, there: KaggleGame, episode: _Episode) -> bool:
    """Whether the game ended there, in this position, since what this player was asked for is no legal move by the rules."""
    before, last = (episode.agent(at, player) for at in (-2, -1))
    shown, told = last.observation, last.submitted
    if player not in game.players_to_act(state) or (before.status, last.status) != ("ACTIVE", "DONE"):
        return False
    if isinstance(shown, dict) and shown.get("isTerminal") is True:  # over by the rules, so it ended later
        return False
    return type(told) is not int or there.action(told) not in game.legal_actions(state, player)


def _result(
    game: Game, state: Any, faults: tuple[Fault | None, Fault | None], episode: _Episode, by_difference: bool
) -> tuple[float | None, str]:
    """Player 0's result by the rules, which must agree with the rewards, and its reason.

    A fault gives the worst result.
    """
    low, high = float(game.min_utility), float(game.max_utility)
    if any(faults):
        at_fault = [one for one in faults if one is not None]
        result = (low + high) / 2 if len(at_fault) == 2 else low if faults[0] is not None else high
        return result, "; ".join(f"player {one.player} was at fault: {one.text}" for one in at_fault)
    if game.current_player(state) != TERMINAL:
        return None, "the game is not over"
    rewards, result = _rewards(episode, low, high), float(game.returns(state))
    if None not in rewards:
        paid = rewards[0] - rewards[1] if by_difference else rewards[0]
        if abs(paid - result) > _TOLERANCE or not (by_difference or rewards[0] == -rewards[1]):
            fail(
                "line 1",
                f"the rewards {rewards[0]:g} and {rewards[1]:g} are not the result by the rules, {result:g} for the first agent",
            )
    return result, ""


def _rewards(episode: _Episode, low: float, high: float) -> tuple[Any, Any]:
    """The agents' rewards in units of the game.

    Early releases of ConnectX (1.0.0) paid 0, 0.5 and 1, as the file states.
    """
    reward = episode.specification and episode.specification.reward
    levels = reward.enum if reward else None
    if (
        not isinstance(levels, list)
        or not all(type(one) in (int, float) for one in levels)
        or len(set(levels)) < 2
        or None in episode.rewards
    ):
        return episode.rewards
    least, most = min(levels), max(levels)
    a, b = (low + (one - least) / (most - least) * (high - low) for one in episode.rewards if one is not None)
    return a, b


def _names(info: _Info) -> tuple[str, str]:
    told = info.teams
    if told is None:
        told = [one.get("Name") if isinstance(one, dict) else None for one in info.agents or ()]
    names = [
        one[:100] if isinstance(one, str) and one.strip() else f"agent {at}"
        for at, one in enumerate(told[:2])
    ]
    return (names[0], names[1]) if len(names) == 2 else ("agent 0", "agent 1")
