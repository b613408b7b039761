"""Regular expressions: from what Python's own parser makes of them to JavaScript's form, in which some signs mean something else."""

import re
from re import _constants as sre, _parser as parser  # pyright: ignore[reportAttributeAccessIssue] (not in the stubs)
from typing import Any

from ..lowering import ExportError

_DIGIT, _BLANK, _LETTER = r"\p{Nd}", r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000", r"\p{L}\p{N}_"
_ASCII = {"DIGIT": "0-9", "SPACE": r"\t-\r\x20", "WORD": "0-9A-Za-z_"}
_UNICODE = {"DIGIT": _DIGIT, "SPACE": _BLANK, "WORD": _LETTER}
_SPECIAL = frozenset("^$\\.*+?()[]{}|/")


def pattern_source(pattern: re.Pattern[str]) -> tuple[str, str]:
    """The source and the flags of the same pattern in JavaScript; raises ExportError for what it has no like of."""
    unknown = pattern.flags & ~(re.UNICODE | re.MULTILINE | re.IGNORECASE | re.DOTALL | re.ASCII | re.VERBOSE)
    if unknown:
        raise ExportError(f"the regular expression {pattern.pattern!r} cannot be translated to JavaScript: its flags")
    names = {number: name for name, number in pattern.groupindex.items()}
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if pattern.flags & re.ASCII else pattern.flags)
    return _Writer(pattern, names).sequence(tree), "ui" if pattern.flags & re.IGNORECASE else "u"


class _Writer:
    def __init__(self, pattern: re.Pattern[str], names: dict[int, str]) -> None:
        self.pattern, self.names, self.flags = pattern, names, pattern.flags
        self.kinds = _ASCII if pattern.flags & re.ASCII else _UNICODE

    def refuse(self, what: Any) -> ExportError:
        return ExportError(f"the regular expression {self.pattern.pattern!r} cannot be translated to JavaScript: {str(what).lower()}")

    def sequence(self, items: Any) -> str:
        return "".join(self.item(*one) for one in items)

    def item(self, kind: Any, value: Any) -> str:
        name = str(kind)
        if name == "LITERAL":
            return _sign(value)
        if name == "NOT_LITERAL":
            return f"[^{_member(value)}]"
        if name == "ANY":
            return "[^]" if self.flags & re.DOTALL else r"[^\n]"
        if name == "IN":
            return self.members(value)
        if name == "AT":
            return self.place(str(value))
        if name == "BRANCH":
            return f"(?:{'|'.join(self.sequence(one) for one in value[1])})"
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self.repeated(value, "?" if name == "MIN_REPEAT" else "")
        if name == "SUBPATTERN":
            number, added, removed, inner = value
            if added or removed:
                raise self.refuse("flags of a part")
            start = "?:" if number is None else f"?<{self.names[number]}>" if number in self.names else ""
            return f"({start}{self.sequence(inner)})"
        if name in ("ASSERT", "ASSERT_NOT"):
            direction, inner = value
            return f"(?{'<' if direction < 0 else ''}{'=' if name == 'ASSERT' else '!'}{self.sequence(inner)})"
        if name == "GROUPREF":
            return f"(?:\\{value})"
        raise self.refuse(kind)

    def members(self, items: Any) -> str:
        found, negated = "", ""
        for kind, value in items:
            if str(kind) == "NEGATE":
                negated = "^"
            elif str(kind) == "LITERAL":
                found += _member(value)
            elif str(kind) == "RANGE":
                found += f"{_member(value[0])}-{_member(value[1])}"
            else:
                found += self.category(str(value).removeprefix("CATEGORY_"), alone=len(items) == 1)
        return f"[{negated}{found}]"

    def category(self, name: str, alone: bool) -> str:
        if not name.startswith("NOT_"):
            return self.kinds[name]
        if not alone:
            raise self.refuse("a class without a kind of characters")
        return f"^{self.kinds[name.removeprefix('NOT_')]}"

    def place(self, name: str) -> str:
        many = self.flags & re.MULTILINE
        word = f"[{self.kinds['WORD']}]"
        places = {
            "AT_BEGINNING": r"(?:^|(?<=\n))" if many else "^", "AT_BEGINNING_STRING": "^", "AT_END_STRING": "$",
            "AT_END": r"(?=\n|$)" if many else r"(?=\n?$)",
            "AT_BOUNDARY": f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))",
            "AT_NON_BOUNDARY": f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))",
        }  # fmt: skip
        return places[name]

    def repeated(self, value: Any, lazy: str) -> str:
        least, most, inner = value
        times = {(0, sre.MAXREPEAT): "*", (1, sre.MAXREPEAT): "+", (0, 1): "?"}.get((least, most))
        if times is None:
            times = f"{{{least}}}" if least == most else f"{{{least},{'' if most == sre.MAXREPEAT else most}}}"
        text = self.sequence(inner)
        return f"{text if len(inner) == 1 and str(inner[0][0]) not in ('AT', 'MAX_REPEAT', 'MIN_REPEAT') else f'(?:{text})'}{times}{lazy}"


def _sign(number: int) -> str:
    """A character, as it stands in a pattern."""
    mark = chr(number)
    if mark in _SPECIAL:
        return "\\" + mark
    return mark if mark.isascii() and mark.isprintable() else f"\\u{{{number:x}}}"


def _member(number: int) -> str:
    """The same in brackets, where a hyphen has a meaning."""
    return "\\-" if chr(number) == "-" else _sign(number)
