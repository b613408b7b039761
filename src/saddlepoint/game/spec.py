"""Specs: the short text that names a player or a game with its options, and its exact inverse.

    spec   = name [ "(" [ option { "," option } ] ")" ]
    name   = letters, digits and _; within a spec also ./FILE.py:CLASS, a class in a file of one's own, which is quoted with its options
             where a folder's name has a blank or another mark: "./my folder/FILE.py:CLASS(scale=10)"
    option = name "=" value | "quoted"
    value  = number | true | false | none | word | "quoted" | name "(" ... ")"

A word is the same as a quoted string of these letters; a nested spec without options is written `name()`. A quoted string alone
is the name of a file: `solution("a.sol")` stands for `solution(file="a.sol")`.
`cmd:COMMAND` (or a path that begins with `./`, `../`, `/` or `~/`) is a program that plays, or a Python file that
defines a player; it stands for `cmd(command="COMMAND")`, which also takes a `protocol`.
`http://HOST:PORT` (or `https://...`, with a path if wanted) is a server that plays; it stands for `snake(url="http://HOST:PORT")`.
"""

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, NoReturn, TypeAlias, Union

Value: TypeAlias = Union[int, float, bool, str, "Spec", None]

COMMAND, HUMAN, SNAKE = "cmd", "human", "snake"
"""The players of every game: a program, a person, and a server that is asked over HTTP."""
_ADDRESS = re.compile(r"https?://[!-~]*")
_BARE_FILE = re.compile(r"[A-Za-z0-9_][^\s()\"']*(/[^\s()\"']*|\.py)")
"""A file without a folder, which looks like a name."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OWN = re.compile(r"(?:\.{1,2}/|~/|/)[^\s()\"'=,:]*\.py:[A-Za-z_][A-Za-z0-9_]*")
"""A class in somebody's own file: it may stand where an evaluator is named."""
_ANY_OWN = re.compile(r"(?:\.{1,2}/|~/|/)[^\n]*?\.py:[A-Za-z_][A-Za-z0-9_]*")
"""The same where nothing else can stand, so that its folders may have any name; within a spec it is quoted."""
_TEXTS = ("command", "file")
"""Options whose quoted text is never read as a class."""
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BLANK = re.compile(r"\s*")
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "none": None}
_DEEPEST = 20
_LONGEST_INTEGER = 100


class SpecError(ValueError):
    """A text that is no spec, or a spec that names nothing; the message says where and what was expected."""


@dataclass(frozen=True)
class Spec:
    """A name with its options; `str` gives the text, `parse_spec` reads it back."""

    name: str
    options: Mapping[str, Value] = field(default_factory=dict[str, Value])

    def __post_init__(self) -> None:
        for name in (*(() if self.is_own else (self.name,)), *self.options):
            if not _NAME.fullmatch(name):
                raise SpecError(
                    f"{name!r} is no name: expected letters, digits and _, beginning with a letter"
                )
        for key, value in self.options.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise SpecError(f"{key} must be a finite number")

    @property
    def is_own(self) -> bool:
        """Whether its name is a class in somebody's own file, which is run when it is made: `./FILE.py:CLASS`."""
        return _ANY_OWN.fullmatch(self.name) is not None

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        command = self.options.get("command")
        if (
            self.name == COMMAND
            and len(self.options) == 1
            and isinstance(command, str)
            and command == command.strip() != ""
        ):
            return f"{COMMAND}:{command}"
        url = self.options.get("url")
        if self.name == SNAKE and len(self.options) == 1 and isinstance(url, str) and _ADDRESS.fullmatch(url):
            return url
        return self._written() if self.options else self.name

    def _written(self) -> str:
        return (
            f"{self.name}({', '.join(f'{key}={_value_text(value)}' for key, value in self.options.items())})"
        )


def name_of(game: Any) -> str:
    """A game's name; of a game of one's own, which need not have one, that of its class."""
    return game.name or type(game).__name__


def spec_of(game: Any) -> Spec:
    """The spec of a game: its name, and the parameters that are not the usual ones."""
    options: dict[str, Value] = {}
    for one in fields(game):
        value = getattr(game, one.name)
        if not _is_usual(value, (one.default if one.default_factory is MISSING else one.default_factory())):
            plain = isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value))
            options[one.name] = value if plain else _identity(value)
    return Spec(name_of(game), options)


def _is_usual(value: Any, usual: Any) -> bool:
    """Whether a parameter is the usual one: a number may be written in another type, 1 for 1.0."""
    if isinstance(value, (bool, int, float)) and isinstance(usual, (bool, int, float)):
        return value == usual and math.copysign(1, value) == math.copysign(1, usual)
    return _identity(value) == _identity(usual)


def _identity(value: Any) -> str:
    from ..compiled import identity  # a game has loaded it before

    return identity(value)


def _value_text(value: Value) -> str:
    if isinstance(value, Spec):
        written = value._written()  # pyright: ignore[reportPrivateUsage]
        return json.dumps(written) if value.is_own and _OWN.fullmatch(value.name) is None else written
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, str):
        return value if _NAME.fullmatch(value) and value not in _CONSTANTS else json.dumps(value)
    return repr(value)


def parse_spec(text: str) -> Spec:
    """The spec that a text describes; raises SpecError saying where it fails and what was expected there."""
    stripped = text.strip()
    prefix = f"{COMMAND}:"
    if stripped.startswith((prefix, "./", "../", "/", "~/")):
        command = stripped.removeprefix(prefix).strip()
        if not command:
            raise SpecError("a command is expected after 'cmd:'")
        return Spec(COMMAND, {"command": command})
    if stripped.startswith(("http://", "https://")):
        if not _ADDRESS.fullmatch(stripped):
            raise SpecError(
                f"an address has no blanks and nothing but ASCII, such as http://127.0.0.1:8000, not {stripped!r}"
            )
        return Spec(SNAKE, {"url": stripped})
    try:
        return _Parser(text).whole(_NAME)
    except SpecError as error:
        if _BARE_FILE.fullmatch(stripped):
            raise SpecError(f"{error}; a file is written with its folder: ./{stripped}") from None
        raise


def canonical(text: str) -> str:
    """The same text for specs that differ in how they are written only; what is no spec as it is."""
    try:
        return str(parse_spec(text))
    except SpecError:
        return text


def parse_own(text: str) -> Spec | None:
    """The spec of a class in somebody's own file, `./FILE.py:CLASS(...)`; None for another text."""
    stripped = text.strip()
    if _ANY_OWN.match(stripped) is None:
        return None
    try:
        return _Parser(stripped).whole(_ANY_OWN)
    except SpecError:
        return None


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def whole(self, kind: re.Pattern[str]) -> Spec:
        """The whole text, whose name is of that kind."""
        self._skip(_BLANK)
        name = self._skip(kind) or self._fail("a name")
        spec = self._options(name, 0) if self._next() == "(" else Spec(name)
        if self._next():
            self._fail("the end" if spec.options else "'(' or the end")
        return spec

    def _options(self, name: str, depth: int) -> Spec:
        if depth >= _DEEPEST:
            self._fail(f"at most {_DEEPEST} specs inside each other")
        self._take("(")
        options: dict[str, Value] = {}
        while self._next() != ")":
            if options:
                self._take(",", "',' or ')'")
            self._next()
            at = self._at
            alone = self._text.startswith('"', at)
            key = (
                "file" if alone else self._name("an option's name" if options else "an option's name or ')'")
            )
            if key in options:
                self._at = at
                self._fail(f"each option once ({key!r} is there twice)")
            if not alone:
                self._take("=", f"'=' after {key!r}")
            options[key] = self._value(depth, key not in _TEXTS)
        self._take(")")
        return Spec(name, options)

    def _value(self, depth: int, may_be_own: bool) -> Value:
        self._next()
        if quoted := self._skip(_QUOTED):
            try:
                text = str(json.loads(quoted, strict=False))
            except ValueError:
                self._at -= len(quoted)
                self._fail("a quoted string with JSON's escapes")
            return (parse_own(text) if may_be_own else None) or text
        if own := self._skip(_OWN):
            return self._options(own, depth + 1) if self._next() == "(" else Spec(own)
        if number := self._skip(_NUMBER):
            return self._number(number)
        name = self._name("a number, true, false, none, a word, a quoted string or a spec")
        return self._options(name, depth + 1) if self._next() == "(" else _CONSTANTS.get(name, name)

    def _number(self, text: str) -> int | float:
        if text.lstrip("+-").isdigit():
            if len(text) <= _LONGEST_INTEGER:
                return int(text)
        elif math.isfinite(float(text)):
            return float(text)
        self._at -= len(text)
        self._fail("a smaller number")

    def _next(self) -> str:
        """The next character that is not blank, or an empty string at the end."""
        self._skip(_BLANK)
        return self._text[self._at : self._at + 1]

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match[0]

    def _name(self, expected: str) -> str:
        return self._skip(_NAME) or self._fail(expected)

    def _take(self, mark: str, expected: str | None = None) -> None:
        if self._next() != mark:
            self._fail(expected or repr(mark))
        self._at += 1

    def _fail(self, expected: str) -> NoReturn:
        found = repr(self._text[self._at : self._at + 12]) if self._at < len(self._text) else "the end"
        raise SpecError(f"in {self._text!r} at position {self._at + 1}: expected {expected}, found {found}")


def starts_a_program(spec: Spec) -> bool:
    """Whether a player of this spec is a program, or a Python file, that is started on this machine."""
    return spec.name == COMMAND or (spec.name == SNAKE and "command" in spec.options)


def suggestion(name: str, known: Iterable[str]) -> str:
    """A sentence's tail for a name that is not known: what may have been meant, and what there is."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"; {meant}known: {', '.join(names)}" if names else ""


def without_folders(spec: str) -> str:
    """A spec whose files are named without their folders: shorter to read, and an export reveals no folders of this machine."""
    return re.sub(r'[^\s(,="]*/', "", re.sub(r'"[^"]*/', '"', spec))
