"""The pages of the public names, by the subjects that `help(saddlepoint)` uses, and of the packages that it names."""

import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import saddlepoint
from saddlepoint.compiled import Component
from saddlepoint.system.lazy import homes_of

SUBJECTS = (
    ("Search a position", "reference/search", "Search a position"),
    ("Algorithms for players", "reference/algorithms", "Algorithms"),
    ("Solve a game", "reference/solve", "Solve a game, and measure strategies"),
    ("Games", "reference/games", "Games"),
    ("Write a game", "reference/writing", "Write a game"),
)
"""How a paragraph of the overview begins, its page, and the page's title."""
PACKAGES = (
    ("saddlepoint.evaluators", "Evaluators"),
    ("saddlepoint.matrix", "One matrix game"),
    ("saddlepoint.policies", "Policies"),
    ("saddlepoint.interop", "Other libraries, and many games at once"),
    ("saddlepoint.game.picture", "Pictures of positions"),
)


def names_by_page() -> dict[str, list[str]]:
    """The public names of each page, in the order of the overview; every one stands on one page."""
    paragraphs = [" ".join(part.split()) for part in (saddlepoint.__doc__ or "").split("\n\n")]
    games = import_module("saddlepoint.games").__all__
    left = set(saddlepoint.__all__)
    found: dict[str, list[str]] = {}
    for begin, page, _ in SUBJECTS:
        (text,) = (part for part in paragraphs if part.startswith(begin))
        words = games if begin == "Games" else re.findall(r"\w+", text)
        names = [name for name in dict.fromkeys(words) if name in left]
        left -= {*names}
        found[page] = names
    if left:
        raise ValueError(
            f"the overview, saddlepoint.__doc__, does not name {sorted(left)} under a subject that tools/docs_site knows"
        )
    return found


def reference_pages() -> dict[str, str]:
    """Each page's name and Markdown, in the order of the navigation."""
    pages = {"reference/index": _overview()}
    names = names_by_page()
    for _, page, title in SUBJECTS:
        pages[page] = _page(
            title, "saddlepoint", names[page], "`from saddlepoint import ...` has all names of this page."
        )
    for package, title in PACKAGES:
        module = import_module(package)
        listed = [name for name in _public(module) if name not in saddlepoint.__all__]
        pages[f"reference/{package.rpartition('.')[2]}"] = _page(
            title, package, listed, _first_paragraph(module)
        )
    return pages


def _overview() -> str:
    told = [
        "# The library, by subject",
        "",
        "**You get** the name to import for what you want to do. **Time:** a minute.",
        "",
    ]
    text = (saddlepoint.__doc__ or "").partition("The public names, by subject:")[2]
    pages = {begin: page.partition("/")[2] for begin, page, _ in SUBJECTS}
    for paragraph in text.strip().split("\n\n"):
        line = " ".join(paragraph.split())
        page = next((page for begin, page in pages.items() if line.startswith(begin)), None)
        if page and page != "games":
            line = re.sub(r"(?<![`.])\b\w+\b(?![`.]\w)", _linked, line)
        told += [f"{line} [Details]({page}.md)" if page else line, ""]
    return (
        "\n".join(
            [
                *told,
                "Of the packages these are described here: ",
                ", ".join(f"[`{package}`]({package.rpartition('.')[2]}.md)" for package, _ in PACKAGES) + ".",
            ]
        )
        + "\n"
    )


def _linked(word: re.Match[str]) -> str:
    """A public class or function, with a link to where it is described."""
    name = word[0]
    is_described = name in saddlepoint.__all__ and callable(getattr(saddlepoint, name))
    return f"{{py:obj}}`{name} <saddlepoint.{name}>`" if is_described else name


def _public(module: ModuleType) -> list[str]:
    """What a package lists, or a module defines."""
    listed = getattr(module, "__all__", None)
    if listed is None:
        listed = [
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and _is_from(value, module.__name__)
        ]
    return [name for name in listed if getattr(getattr(module, name), "__doc__", None)]


def _is_from(value: object, package: str) -> bool:
    return callable(value) and str(getattr(value, "__module__", "")).startswith(package)


def _is_one_of_a_kind(value: type) -> bool:
    """A game, a search, an evaluator: what its base has is described there alone, its parameters are in its signature."""
    return issubclass(value, Component) and value not in (
        saddlepoint.Game,
        saddlepoint.Algorithm,
        saddlepoint.Selection,
    )


def _home(package: str, name: str) -> str:
    """The module that defines a name: there its docstring stands, where it is no class and no function."""
    homes = homes_of(Path(str(import_module(package).__file__)).parent)
    return f"{package}.{homes[name]}"


def _first_paragraph(module: ModuleType) -> str:
    return " ".join((module.__doc__ or "").split("\n\n")[0].split())


def _page(title: str, module: str, names: Iterable[str], intro: str) -> str:
    directives: list[str] = []
    for name in names:
        value = getattr(import_module(module), name)
        if isinstance(value, type):
            members = [] if _is_one_of_a_kind(value) else ["   :members:"]
            directives += [f".. autoclass:: {module}.{name}", *members, ""]
        elif callable(value):
            directives += [f".. autofunction:: {module}.{name}", ""]
        else:
            directives += [f".. autodata:: {_home(module, name)}.{name}", "   :no-value:", ""]
    return "\n".join([f"# {title}", "", intro, "", "```{eval-rst}", *directives, "```", ""])
