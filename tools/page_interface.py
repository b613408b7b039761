"""Write the fields of the page's requests into docs/page_interface.md, from the structs of web/messages.py.

python tools/page_interface.py          # a test says when the page is out of date
"""

import re
from pathlib import Path
from typing import Any

from msgspec import inspect

from saddlepoint.web import limits, messages

DOCS = Path(__file__).parents[1] / "docs" / "page_interface.md"
REQUESTS = {
    "GAME": messages.Reference,
    "`/api/new`": messages.NewGame,
    "`/api/middle`": messages.MiddleGame,
    "`/api/from-text`": messages.PositionText,
    "`/api/positions`": messages.Positions,
    "`/api/branches`": messages.Branches,
    "`/api/chance`": messages.Reference,
    "`/api/answer`": messages.AskedAnswer,
    "`/api/line`, `/api/export`": messages.PlayedGame,
    "`/api/tables`": messages.NewTable,
    "`/api/rooms`": messages.NewRoom,
    "`analyse`": messages.Analyse,
    "`review`": messages.Review,
    "`stop`": messages.Stop,
    "`open`": messages.Open,
    "`sit`": messages.Sit,
    "`choose`": messages.Choose,
    "`wish`": messages.Wish,
    "`look`": messages.Look,
    "`decline`, `resign`, `round`": messages.Resign,
}
"""The struct of each request."""
_TEXTS = {
    None: "text",
    limits.SPEC: "short text",
    limits.TEXT: "long text",
    limits.NAME: "name",
    limits.KEY: "key",
}
"""Texts by their greatest length; the page says what the words mean."""
_TABLE = re.compile(r"(?<=<!-- fields -->\n).*?(?=<!-- end of fields -->)", re.DOTALL)


def table() -> str:
    """The table, in Markdown; GAME stands for its three fields."""
    rows = ["| request | must have | may have |", "|---|---|---|"]
    shared = set(messages.Reference.__struct_fields__)
    for name, kind in REQUESTS.items():
        must: list[str] = []
        may: list[str] = []
        is_game = issubclass(kind, messages.Reference) and name != "GAME"
        if is_game:
            must.append("GAME")
        for field in inspect.type_info(kind).fields:  # pyright: ignore[reportAttributeAccessIssue]
            if is_game and field.name in shared:
                continue
            words = in_words(field.type)
            if field.default is None:  # null is as good as missing, everywhere
                words = words.replace(" or null", "")
            (must if field.required else may).append(f"`{field.encode_name}` {words}{_default(field)}")
        rows.append(f"| {name} | {'; '.join(must)} | {'; '.join(may)} |")
    return "\n".join(rows) + "\n"


def in_words(kind: Any) -> str:
    """What values a field takes."""
    match kind:
        case inspect.Metadata():
            said = (kind.extra_json_schema or {}).get("description")
            return f"{in_words(kind.type)} ({said})" if said else in_words(kind.type)
        case inspect.StrType():
            return _TEXTS[kind.max_length]
        case inspect.IntType(ge=-1, lt=2147483648):
            return "action"
        case inspect.IntType() | inspect.FloatType():
            what = "whole number" if isinstance(kind, inspect.IntType) else "number"
            return (
                what
                if kind.ge is None
                else f"{what} {_number(kind.ge)} to {_number(kind.le or (kind.lt or 0) - 1)}"
            )
        case inspect.LiteralType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.TupleType():
            parts = [in_words(one) for one in kind.item_types]
            return (
                f"two {parts[0]}s"
                if parts == parts[:1] * 2 and parts[0] != "action"
                else f"[{', '.join(parts)}]"
            )
        case inspect.VarTupleType():
            return f"list of at most {kind.max_length:,} {in_words(kind.item_type)}"
        case inspect.UnionType():
            return " or ".join(
                "null" if isinstance(one, inspect.NoneType) else in_words(one) for one in kind.types
            )
        case _:
            raise TypeError(f"{kind} has no words")


def _number(value: float) -> str:
    size = int(abs(value)).bit_length()
    if size < 30:
        return f"{value:,}"
    return f"{'-' if value < 0 else ''}2^{size - 1}" if abs(value) == 1 << size - 1 else f"2^{size} - 1"


def _default(field: inspect.Field) -> str:
    """What is taken where a field is missing, where that is not empty."""
    value = field.default
    if (
        field.required
        or value is None
        or value is False
        or value == ""
        or (isinstance(value, tuple) and not any(value))
    ):
        return ""
    words = " and ".join(f"`{one}`" for one in value) if isinstance(value, tuple) else f"{value:g}"
    return f", else {words}"


def written(text: str) -> str:
    """The page with its table as the structs have it."""
    return _TABLE.sub(lambda _: f"\n{table()}\n", text)


if __name__ == "__main__":
    DOCS.write_text(written(DOCS.read_text("utf-8")), "utf-8")
