"""Beginners' mistakes: each is a good game with something changed, and what it must be told by.

`edits` are (what stands there, what was written). `says` and `way` are pieces of the sentence: what is wrong and what to do. `line` is a
piece of the line of the file that must be shown, where the mistake is in one line. Mistakes that only positions tell, and that a match of two
random players may go through without a word, are for `check_game` alone: `only_checked`.
"""

# ruff: noqa: E501

from typing import NamedTuple

GOOD = """\
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from saddlepoint import CHANCE, SIMULTANEOUS, TERMINAL, Game, kernel, with_item


class State(NamedTuple):
    round: int
    lead: int
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Mine(Game):
    max_actions = 3
    max_depth = 2

    def initial_state(self):
        return State(0, 0, (0, 0))

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == 2 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(3):
            out[action] = action
        return 3

    @kernel
    def next_state(self, state, action0, action1):
        lead = state.lead + action0 - action1
        return State(state.round + 1, lead, state.cells)

    @kernel
    def returns(self, state):
        return float(np.sign(state.lead))
"""
_NEXT = "        return State(state.round + 1, lead, state.cells)\n"
_RETURNS = "        return float(np.sign(state.lead))\n"
_LEGAL = "        for action in range(3):\n            out[action] = action\n        return 3\n"
_MOVE = "def next_state(self, state, action0, action1):"
_LEAD = "        lead = state.lead + action0 - action1\n"
_PLAYER = "        return TERMINAL if state.round == 2 else SIMULTANEOUS\n"
_START = "        return State(0, 0, (0, 0))\n"
_AT_ONCE = "else SIMULTANEOUS"
_IN_TURN = [
    (_AT_ONCE, "else state.round % 2"),
    (_MOVE, "def next_state(self, state, action):"),
    ("action0 - action1", "action + 1"),
]
_DRAW = """\

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        out[0] = 0
        out[1] = 1
        probabilities[0] = 0.5
        probabilities[1] = 0.5
        return 2
"""
_BY_CHANCE = [
    (_AT_ONCE, "else CHANCE if state.round == 1 else SIMULTANEOUS"),
    (_RETURNS, _RETURNS + _DRAW),
    ("max_depth = 2", "max_depth = 3"),
]


class Mistake(NamedTuple):
    name: str
    wrote: str
    """What was written, in a few words."""
    edits: list[tuple[str, str]]
    says: str
    way: str
    line: str = ""
    method: str = ""
    """What is named: a method, or the file."""
    only_checked: bool = False
    compiles: bool = False
    """Whether it is found when it is compiled, and not before."""
    spec: str = "Mine"
    """How the command line is asked for the game."""
    only_command: bool = False
    """Whether there is no game that `check_game` could be given."""


def source(mistake: Mistake) -> str:
    """The file with the mistake."""
    text = GOOD
    for old, new in mistake.edits:
        assert old in text, (mistake.name, old)
        text = text.replace(old, new)
    return text


def method(name: str, *lines: str) -> list[tuple[str, str]]:
    """An edit that adds a method for Python at the end."""
    return [
        (_RETURNS, _RETURNS + "\n    def " + name + ":\n" + "".join(f"        {line}\n" for line in lines))
    ]


NEW = [
    Mistake(
        "one_action",
        "`next_state(self, state, action)`, and both move at once",
        [(_MOVE, "def next_state(self, state, action):"), ("action0 - action1", "action")],
        "takes one action, and current_player says SIMULTANEOUS",
        "write def next_state(self, state, action0, action1)",
        "def next_state(self, state, action):",
        "next_state",
    ),
    Mistake(
        "one_action_number",
        "the same, with -2 for SIMULTANEOUS",
        [
            (_MOVE, "def next_state(self, state, action):"),
            ("action0 - action1", "action"),
            (_AT_ONCE, "else -2"),
        ],
        "must take both actions where current_player says SIMULTANEOUS",
        "write def next_state(self, state, action0, action1)",
        "def next_state(self, state, action):",
        "next_state",
    ),
    Mistake(
        "other_dropped",
        "`action0` alone is used in a game in turn with two actions",
        [
            (_AT_ONCE, "else state.round % 2"),
            ("action0 - action1", "action0"),
            ("round == 2", "round == 4"),
            ("max_depth = 2", "max_depth = 4"),
        ],
        "must make use of player 1's action",
        "use action1",
        "def next_state",
        "next_state",
    ),
    Mistake(
        "same_action_twice",
        "`action0` where `action1` was meant",
        [
            ("action0 - action1", "action0 - 2 * action0"),
            ("round == 2", "round == 4"),
            ("max_depth = 2", "max_depth = 4"),
        ],
        "must make use of player 1's action",
        "use action1",
        "def next_state",
        "next_state",
    ),
    Mistake(
        "endless_loop",
        "a loop that does not end",
        [
            (
                _LEGAL,
                "        count = 0\n        while count < 3:\n            out[0] = count\n        return 3\n",
            )
        ],
        "must come to an end: legal_actions(state, 0) was stopped after",
        "does its loop ever end?",
        "count",
        "legal_actions",
    ),
    Mistake(
        "endless_helper",
        "a loop that does not end, in a kernel that a rule calls",
        [
            (_LEAD, "        lead = self.sum(action0)\n"),
            (
                _RETURNS,
                _RETURNS
                + "\n    @kernel\n    def sum(self, n):\n        total = 0\n        while n >= 0:\n            total += n\n        return total\n",
            ),
        ],
        "must come to an end: next_state(state, ",
        "does its loop ever end?",
        "n",
        "next_state",
    ),
    Mistake(
        "bare_return",
        "a branch of `returns` that is `return` alone",
        [(_RETURNS, "        if state.lead == 0:\n            return\n        return 1.0\n")],
        "returns nothing in this line",
        "must return player 0's result on every way",
        "return",
        "returns",
    ),
    Mistake(
        "no_else",
        "an `if` in `returns` without the rest",
        [(_RETURNS, "        if state.lead > 0:\n            return 1.0\n")],
        "has a way to its end without a value",
        "add a last line that returns player 0's result",
        "def returns(self, state):",
        "returns",
    ),
    Mistake(
        "no_count",
        "`legal_actions` that does not return its count",
        [(_LEGAL, _LEGAL.replace("        return 3\n", ""))],
        "has a way to its end without a value",
        "add a last line that returns how many actions it wrote into out",
        "def legal_actions",
        "legal_actions",
    ),
    Mistake(
        "yields",
        "`legal_actions` with `yield`",
        [(_LEGAL, "        for action in range(3):\n            yield action\n")],
        "uses yield, which a kernel cannot",
        "a kernel fills its arrays and returns how many it wrote",
        "yield action",
        "legal_actions",
    ),
    Mistake(
        "kernel_start",
        "`@kernel` above `initial_state`",
        [("    def initial_state", "    @kernel\n    def initial_state")],
        "is called by Python and is not compiled",
        "take @kernel away",
        "def initial_state(self):",
        "initial_state",
    ),
    Mistake(
        "text_in_state",
        "a `str` in a state",
        [("    lead: int\n", "    lead: str\n"), (_START, '        return State(0, "a", (0, 0))\n')],
        "a state cannot hold str",
        "use an int that stands for it",
        "class State(NamedTuple):",
        "initial_state",
    ),
    Mistake(
        "none_in_state",
        "`None` in a state",
        [("    lead: int\n", "    lead: int | None\n"), (_START, "        return State(0, None, (0, 0))\n")],
        "a state cannot hold None",
        "annotate the field int",
        "class State(NamedTuple):",
        "initial_state",
    ),
    Mistake(
        "none_for_int",
        "`None` where the state has an `int`",
        [(_START, "        return State(0, None, (0, 0))\n")],
        "the field 'lead' is annotated int and holds None",
        "such as -1, may stand for nothing",
        "def initial_state(self):",
        "initial_state",
    ),
    Mistake(
        "array_in_state",
        "an array in a state",
        [("tuple[int, ...]", "np.ndarray"), (_START, "        return State(0, 0, np.zeros(2))\n")],
        "a state cannot hold an array",
        "use a tuple, annotated tuple[int, ...]",
        "class State(NamedTuple):",
        "initial_state",
    ),
    Mistake(
        "array_for_tuple",
        "an array where the state has a tuple",
        [(_START, "        return State(0, 0, np.zeros(2, int))\n")],
        "a state's field annotated tuple[int, ...] holds a ndarray",
        "make it a tuple",
        "",
        "initial_state",
    ),
    Mistake(
        "growing_tuple",
        "a tuple that grows",
        [("lead, state.cells)", "lead, state.cells + (action0,))")],
        "must keep the length of every tuple, and 'cells' had 2 items and has 3 items",
        "make it as long as it can get in initial_state",
        "def next_state",
        "next_state",
    ),
    Mistake(
        "tuple_of_list",
        "`tuple(a_list)` in a kernel",
        [
            (
                _NEXT,
                "        cells = [c for c in state.cells]\n        cells[0] = 1\n"
                "        return State(state.round + 1, lead, tuple(cells))\n",
            )
        ],
        "tuple(...) of a list has no length",
        "board = with_item(board, index, value)",
        "tuple(cells)",
        "next_state",
        compiles=True,
    ),
    Mistake(
        "no_base",
        "`class Mine:` without `Game`",
        [("class Mine(Game):", "class Mine:")],
        "Game",
        "write class Mine(Game)",
        "",
        "Mine",
    ),
    Mistake(
        "render_none",
        "a `render` that prints and returns nothing",
        method("render(self, state)", "print(state.round)"),
        "must return a text, not None",
        "end it with return",
        "def render(self, state):",
        "render",
    ),
    Mistake(
        "swapped",
        "a state's arguments in another order",
        [("lead, state.cells)", "state.cells, lead)")],
        "the field 'lead' is annotated int and holds (0, 0)",
        "are its arguments in the order of State(round, lead, cells)?",
        "def next_state",
        "next_state",
    ),
    Mistake(
        "lambda_rule",
        "a rule that is a `lambda`",
        [
            (
                "    @kernel\n    def returns(self, state):\n" + _RETURNS,
                "    returns = kernel(lambda self, state: 1.0)\n",
            )
        ],
        "is a lambda and must be a method",
        "write @kernel above def returns(self, state)",
        "lambda",
        "returns",
    ),
    Mistake(
        "lambda_inside",
        "`max(..., key=lambda ...)` in a kernel",
        [(_LEAD, "        lead = max((action0, action1), key=lambda a: -a)\n")],
        "max(...) takes no key in compiled code",
        "write a loop",
        "key=lambda",
        "next_state",
        compiles=True,
    ),
    Mistake(
        "value_error",
        "a `string_to_action` that raises ValueError",
        method("string_to_action(self, state, player, text)", "return int(text)"),
        "string_to_action must raise IllegalActionError for what names no action, not ValueError",
        "write raise self.illegal(state, player, text)",
        "return int(text)",
        "string_to_action",
        only_checked=True,
    ),
    Mistake(
        "start_raises",
        "an `initial_state` that raises",
        [(_START, "        return State(0, 0, CELLS)\n")],
        "must not raise: NameError: name 'CELLS' is not defined",
        "define it above the class, or correct the name",
        "CELLS",
        "initial_state",
    ),
    Mistake(
        "start_arguments",
        "an `initial_state` that needs an argument",
        [("def initial_state(self):", "def initial_state(self, size):")],
        "must not raise: TypeError",
        "give",
        "def initial_state(self, size):",
        "initial_state",
    ),
    Mistake(
        "start_plain_tuple",
        "a plain tuple as the state",
        [(_START, "        return (0, 0, (0, 0))\n")],
        "a state must be a NamedTuple, not a tuple",
        "write class State(NamedTuple)",
        "def initial_state(self):",
        "initial_state",
    ),
    Mistake(
        "start_none",
        "an `initial_state` that returns nothing",
        [(_START, "        State(0, 0, (0, 0))\n")],
        "a state must be a NamedTuple, not None",
        "end it with return State(...)",
        "def initial_state(self):",
        "initial_state",
    ),
    Mistake(
        "plain_tuple",
        "a plain tuple as the next state",
        [("return State(state.round + 1, lead, state.cells)", "return (state.round + 1, lead, state.cells)")],
        "must give a State, not a tuple",
        "return State(...)",
        "def next_state",
        "next_state",
    ),
    Mistake(
        "no_annotations",
        "`namedtuple` instead of `NamedTuple`",
        [
            (
                "class State(NamedTuple):\n    round: int\n    lead: int\n    cells: tuple[int, ...]\n",
                'from collections import namedtuple\nState = namedtuple("State", "round lead cells")\n',
            )
        ],
        "a state's fields need annotations",
        "write class State(NamedTuple) with `round: int` in it",
        "",
        "initial_state",
    ),
    Mistake(
        "property_forgotten",
        "`def max_actions(self)` without `@property`",
        [("    max_actions = 3\n", "    def max_actions(self):\n        return 3\n")],
        "is a method and must be a number",
        "put @property above it",
        "def max_actions(self):",
        "max_actions",
    ),
    Mistake(
        "text_for_number",
        '`max_depth = "2"`',
        [("max_depth = 2", 'max_depth = "2"')],
        "max_depth must be a whole number, not '2'",
        "must be",
        "class Mine(Game):",
        "max_depth",
    ),
    Mistake(
        "no_self",
        "`def returns(state)` without `self`",
        [("def returns(self, state):", "def returns(state):")],
        "takes (state)",
        "must be written def returns(self, state)",
        "def returns(state):",
        "returns",
    ),
    Mistake(
        "player_given",
        "`returns(self, state, player)`, as in OpenSpiel",
        [("def returns(self, state):", "def returns(self, state, player):")],
        "takes (self, state, player)",
        "must be written def returns(self, state)",
        "def returns(self, state, player):",
        "returns",
    ),
    Mistake(
        "pair",
        "a pair from `returns`",
        [(_RETURNS, "        return 1.0, -1.0\n")],
        "must give one number, player 0's result, not (1.0, -1.0)",
        "must give one number",
        "def returns(self, state):",
        "returns",
    ),
    Mistake(
        "static",
        "`@staticmethod` above a rule",
        [
            (
                "    @kernel\n    def returns(self, state):",
                "    @staticmethod\n    @kernel\n    def returns(state):",
            )
        ],
        "is a staticmethod and must be a rule",
        "write @kernel above def returns(self, state)",
        "def returns(state):",
        "returns",
    ),
    Mistake(
        "list_of_actions",
        "`legal_actions` that returns a list",
        [(_LEGAL, "        return [0, 1, 2]\n")],
        "must return how many actions it wrote into out, not [0, 1, 2]",
        "must return how many",
        "def legal_actions",
        "legal_actions",
    ),
    Mistake(
        "wrote_fewer",
        "a count that is larger than what was written",
        [(_LEGAL, _LEGAL.replace("range(3)", "range(2)"))],
        "it returns 3 and wrote 2",
        "must write as many actions as it returns",
        "def legal_actions",
        "legal_actions",
    ),
    Mistake(
        "replace",
        "`state._replace(...)` in a kernel",
        [(_NEXT, "        return state._replace(round=state.round + 1, lead=lead)\n")],
        "State has no _replace in compiled code",
        "write State(...) with all of its fields",
        "state._replace",
        "next_state",
        compiles=True,
    ),
    Mistake(
        "append",
        "`append` on a state's tuple",
        [(_NEXT, "        state.cells.append(1)\n" + _NEXT)],
        "'tuple' object has no attribute 'append'",
        "a tuple never grows; set an item: board = with_item(board, index, value)",
        "state.cells.append(1)",
        "next_state",
    ),
    Mistake(
        "no_decorator",
        "no `@dataclass`",
        [("@dataclass(frozen=True)\n", "")],
        "dataclass",
        "put @dataclass(frozen=True) above",
        "",
        "Mine",
    ),
    Mistake(
        "not_frozen",
        "`@dataclass` without `frozen`",
        [("@dataclass(frozen=True)", "@dataclass")],
        "must be that of a frozen dataclass",
        "put @dataclass(frozen=True) above the class",
        "class Mine(Game):",
        "Mine",
    ),
    Mistake(
        "random_rule",
        "`np.random` in a rule",
        [(_LEAD, "        lead = state.lead + np.random.randint(3)\n")],
        "draws random numbers",
        "let current_player say CHANCE",
        "np.random.randint(3)",
        "next_state",
    ),
    Mistake(
        "global_count",
        "`global` in a kernel",
        [
            ("class State", "COUNT = 0\n\n\nclass State"),
            (_LEAD, "        global COUNT\n        COUNT += 1\n" + _LEAD),
        ],
        "changes the module's COUNT",
        "keep what changes in the state",
        "global COUNT",
        "next_state",
    ),
    Mistake(
        "missing_rule",
        "no `returns`",
        [("    @kernel\n    def returns(self, state):\n" + _RETURNS, "")],
        "returns must be there",
        "write @kernel above def returns(self, state)",
        "class Mine(Game):",
        "returns",
    ),
    Mistake(
        "misspelt_rule",
        "`legal_action` for `legal_actions`",
        [("def legal_actions", "def legal_action")],
        "legal_actions must be there",
        "is legal_action meant",
        "class Mine(Game):",
        "legal_actions",
    ),
    Mistake(
        "text_of_number",
        "an `action_to_string` that gives a number",
        method("action_to_string(self, state, player, action)", "return action + 1"),
        "action_to_string must return a text, not 1",
        "end it with return and a str",
        "def action_to_string",
        "action_to_string",
        only_checked=True,
    ),
    Mistake(
        "render_raises",
        "a `render` that raises",
        method("render(self, state)", "return str(state.cells[5])"),
        "must not raise: IndexError: tuple index",
        "look at the index before you use it",
        "state.cells[5]",
        "render",
    ),
    Mistake(
        "chance_without_outcomes",
        "CHANCE without `chance_outcomes`",
        [(_AT_ONCE, "else CHANCE")],
        "must not say CHANCE without chance_outcomes",
        "write @kernel above def chance_outcomes(self, state, out, probabilities)",
        "def current_player",
        "current_player",
    ),
    Mistake(
        "outcome_without_probability",
        "an outcome of chance without its probability",
        [*_BY_CHANCE, ("        probabilities[1] = 0.5\n", "")],
        "must write a probability for every outcome",
        "probabilities[k] = ...",
        "def chance_outcomes",
        "chance_outcomes",
    ),
    Mistake(
        "class_given",
        "the class in place of a game, `check_game(Mine)`",
        [],
        "Mine is a class",
        "check_game takes a game, Mine()",
        "class Mine(Game):",
        "Mine",
        only_checked=True,
    ),
]

BEFORE = [
    Mistake(
        "too_many_actions",
        "more actions than `max_actions`",
        [("max_actions = 3", "max_actions = 2")],
        "must give at most max_actions = 2 actions, not 3",
        "set max_actions to the most there are",
        "def legal_actions",
        "legal_actions",
    ),
    Mistake(
        "no_actions",
        "a player without an action",
        [(_LEGAL, "        return 0\n")],
        "player 0 must have a legal action where it is to choose",
        "must write at least one action",
        "def legal_actions",
        "legal_actions",
    ),
    Mistake(
        "twice",
        "the same action twice",
        [("out[action] = action", "out[action] = 1")],
        "must give different, non-negative actions, not [1, 1, 1]",
        "must give",
        "def legal_actions",
        "legal_actions",
    ),
    Mistake(
        "negative_action",
        "an action below 0",
        [("out[action] = action", "out[action] = action - 1")],
        "must give different, non-negative actions, not [-1, 0, 1]",
        "must give",
        "def legal_actions",
        "legal_actions",
    ),
    Mistake(
        "not_ending",
        "a game longer than `max_depth`",
        [("round == 2", "round == 20")],
        "a game must end within max_depth = 2 steps",
        "set max_depth to the most there are",
        "def current_player",
        "current_player",
    ),
    Mistake(
        "no_max_depth",
        "no `max_depth`",
        [("    max_depth = 2\n", "")],
        "max_depth must be set to the most steps a game can last",
        "must be set",
        "class Mine(Game):",
        "max_depth",
    ),
    Mistake(
        "no_max_actions",
        "no `max_actions`",
        [("    max_actions = 3\n", "")],
        "max_actions must be set to the most actions any position has",
        "must be set",
        "class Mine(Game):",
        "max_actions",
    ),
    Mistake(
        "nan",
        "a result that is no number",
        [(_RETURNS, "        return np.nan\n")],
        "returns must lie between min_utility -1.0 and max_utility 1.0, not be nan",
        "look where a division",
        "def returns",
        "returns",
    ),
    Mistake(
        "rich",
        "a result beyond the range",
        [(_RETURNS, "        return 5.0\n")],
        "must lie between min_utility -1.0 and max_utility 1.0, not be 5.0",
        "set min_utility and max_utility",
        "def returns",
        "returns",
    ),
    Mistake(
        "odd_player",
        "`current_player` that says 2",
        [(_AT_ONCE, "else 2")],
        "must give 0, 1, SIMULTANEOUS, CHANCE or TERMINAL, not 2",
        "must give",
        "def current_player",
        "current_player",
    ),
    Mistake(
        "loaded_dice",
        "probabilities that do not sum to 1",
        [*_BY_CHANCE, ("probabilities[1] = 0.5", "probabilities[1] = 0.4")],
        "probabilities must be at least 0 and sum to 1, not be [0.5, 0.4]",
        "must give every outcome a chance",
        "def chance_outcomes",
        "chance_outcomes",
    ),
    Mistake(
        "no_player",
        "`legal_actions(self, state, out)`",
        [("def legal_actions(self, state, player, out):", "def legal_actions(self, state, out):")],
        "takes (self, state, out)",
        "must be written def legal_actions(self, state, player, out)",
        "def legal_actions(self, state, out):",
        "legal_actions",
    ),
    Mistake(
        "unmarked",
        "a rule without `@kernel`",
        [("    @kernel\n    def returns", "    def returns")],
        "is a rule without @kernel",
        "put @kernel above it",
        "def returns",
        "returns",
    ),
    Mistake(
        "same_names",
        "two actions of one name",
        method("action_to_string(self, state, player, action)", 'return "move"'),
        "string_to_action must be the inverse of action_to_string",
        "give every action a name of its own",
        "",
        "string_to_action",
        only_checked=True,
    ),
    Mistake(
        "one_hash",
        "one hash for different positions",
        [
            (_RETURNS, _RETURNS + "\n    @kernel\n    def hash(self, state):\n        return np.uint64(7)\n"),
            (_LEGAL, _LEGAL.replace("3", "1 + (state.round + abs(state.lead)) % 3")),
        ],
        "hash must tell positions apart",
        "mix all into it that matters",
        "def hash(self, state):",
        "hash",
        only_checked=True,
    ),
    Mistake(
        "forgetful_text",
        "a `from_text` that forgets",
        method("from_text(self, text)", "return super().from_text(text)._replace(round=7)"),
        "from_text must be the inverse of to_text",
        "must be the inverse",
        "def from_text",
        "from_text",
        only_checked=True,
    ),
    Mistake(
        "mutable_default",
        "a list as a default",
        [("    max_depth = 2\n", "    max_depth = 2\n    walls: list = []\n")],
        "mutable default <class 'list'> for field walls",
        "use default_factory",
        "",
        "mine.py",
        only_command=True,
    ),
    Mistake(
        "syntax",
        "a missing colon",
        [("def returns(self, state):", "def returns(self, state)")],
        "cannot be loaded: SyntaxError: expected ':'",
        "expected ':'",
        "",
        "mine.py",
        only_command=True,
    ),
    Mistake(
        "no_module",
        "an import of what is not there",
        [("import numpy as np", "import numppy as np")],
        "cannot be loaded: ModuleNotFoundError: No module named 'numppy'",
        "No module named",
        "",
        "mine.py",
        only_command=True,
    ),
    Mistake(
        "no_class",
        "a class that is not there",
        [],
        "mine.py has no game 'Yours'",
        "it has: Mine",
        "",
        "mine.py",
        spec="Yours",
        only_command=True,
    ),
    Mistake(
        "no_argument",
        "a parameter without a value",
        [("    max_depth = 2\n", "    max_depth = 2\n    size: int\n")],
        "Mine needs size",
        "Mine(size=...)",
        "",
        "Mine",
        only_command=True,
    ),
    Mistake(
        "no_parameter",
        "a parameter that the game does not have",
        [],
        "Mine has no parameter 'size'",
        "it has:",
        "",
        "Mine",
        spec="Mine(size=3)",
        only_command=True,
    ),
]

LAST = {
    "Undefined": ("a misspelt variable", "define it above the class, or correct the name"),
    "WrongField": ("a field that the state does not have", "correct the name, or add it"),
    "WrongConstant": ("`self.step`, which the game does not have", "correct the name, or add it"),
    "WrongCount": ("too few arguments for another kernel", "give it all of its arguments"),
    "StateFields": ("`State(...)` without one of its fields", "give it all of its arguments"),
    "MixIntStr": ('`"round " + state.round`', "both sides must be numbers"),
    "TryExcept": ("`except ZeroDivisionError:`", "look before you compute, or write `except Exception:`"),
    "PlainHelper": ("an ordinary function of the module", "decorate it with saddlepoint.compiled.jit_inline"),
    "TwoTypes": ("a state in one branch, a tuple in another", "return State(...)"),
    "Missing": ("a method that is not there", "correct the name, or add it"),
    "FString": ('`print(f"{state.round:>3}")`', "a rule makes no texts, leave them to render"),
    "WithStatement": ("`with open(...)`", "a rule reads no files; read them when the module is imported"),
    "Generator": ("`sum(x for x in ...)`", "write a loop"),
    "NpUnknown": ("a function that NumPy does not have", "correct the name, or add it"),
    "PyDict": (
        "a dict of the class",
        "inside compiled code a constant is a number, a string, a tuple of these or a NumPy array",
    ),
    "GlobalDict": (
        "a dict of the module",
        "inside compiled code a constant is a number, a string, a tuple of these or a NumPy array",
    ),
    "BadLocal": (
        "a variable that is an int or a text",
        "a state holds no texts, use a number that stands for it",
    ),
    "Index": ("an index into a number", "only a tuple or an array has items"),
    "InDeeper": ("a wrong field, two kernels deeper", "correct the name, or add it"),
    "Assign": ("`state.round = 3`", "a state never changes; make a new one"),
    "SetOnSelf": ("`self.cache = 3`", "never changes; make a new one"),
    "Unassigned": ("a variable used before it has a value", "give it a value first, on every way"),
    "FloatIndex": ("`out[3 / 2]`", "use // or int(...) for an index"),
    "Raises": ("a `raise`", "a rule must answer for every position that can occur"),
    "ImportInside": ("`import` inside a kernel", "imports belong to the top of the file"),
    "ForgottenKernel": ("a method without `@kernel`, called by a kernel", "put @kernel above it"),
    "SetsItem": ("`board[0] = 1`", "make a new tuple: board = with_item(board, index, value)"),
    "Recursion": ("a kernel that calls itself", "write a loop instead"),
    "GivesList": ("a list where the state has a tuple", "use a tuple"),
    "Fraction": ("`/` for a field that is an int", "use // and int(...)"),
    "FractionAsItem": ("a float for an item of a tuple of ints", "use // and int(...)"),
    "Append": ("an empty list", "use np.zeros(n, np.int64), or a tuple"),
}
"""Mistakes in the body of a kernel (compiled/mistakes.py): what was written, and what to do. Python tells most, compiling the rest."""
