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
    (
        "Search a position",
        "reference/search",
        "Search a position",
        "How to search a position, and what a search gives.",
    ),
    ("Algorithms for players", "reference/algorithms", "Algorithms", "Every search, with its settings."),
    (
        "Solve a game",
        "reference/solve",
        "Solve a game, and measure strategies",
        "Exact values and equilibria of a whole game, and how far a strategy is from one.",
    ),
    ("Games", "reference/games", "Games", "Every game of the library, with its parameters."),
    (
        "Write a game",
        "reference/writing",
        "Write a game",
        "What the rules of a game are made of, and their check.",
    ),
)
"""How a paragraph of the overview begins, its page, the page's title, and its first sentence."""
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
    for begin, page, *_ in SUBJECTS:
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
    heads = {
        page: (title, f"{sentence} `from saddlepoint import ...` has all names of this page.")
        for _, page, title, sentence in SUBJECTS
    }
    for package, title in PACKAGES:
        heads[_page_of(package)] = title, _first_paragraph(import_module(package))
    pages = {"reference/index": _overview()}
    for page, names in described_names().items():
        title, intro = heads[page]
        pages[page] = _page(title, names, intro)
    return pages


def described_names() -> dict[str, list[tuple[str, str]]]:
    """Each page, and its names in order, each with the package to import it from."""
    pages = {page: [("saddlepoint", name) for name in names] for page, names in names_by_page().items()}
    for package, _ in PACKAGES:
        public = _public(import_module(package))
        pages[_page_of(package)] = [(package, name) for name in public if name not in saddlepoint.__all__]
    return pages


def _page_of(package: str) -> str:
    return f"reference/{package.rpartition('.')[2]}"


def _overview() -> str:
    told = [
        "# The library, by subject",
        "",
        "Every public name, by what you want to do with it.",
        "",
    ]
    text = (saddlepoint.__doc__ or "").partition("The public names, by subject:")[2]
    pages = {begin: page.partition("/")[2] for begin, page, *_ in SUBJECTS}
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


def _page(title: str, names: Iterable[tuple[str, str]], intro: str) -> str:
    told = [f"# {title}", "", intro, ""]
    for module, name in names:
        value = getattr(import_module(module), name)
        if isinstance(value, type):
            members = [] if _is_one_of_a_kind(value) else ["   :members:"]
            directive = [f".. autoclass:: {module}.{name}", *members]
        elif callable(value):
            directive = [f".. autofunction:: {module}.{name}"]
        else:
            directive = [f".. autodata:: {_home(module, name)}.{name}", "   :no-value:"]
        told += [f"## {name}", "", "```{eval-rst}", *directive, "```", ""]
    return "\n".join(told)
