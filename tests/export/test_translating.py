"""Texts and pictures in JavaScript: the same as Python's, for every game, some examples, and constructs of the language."""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from helpers.exported_modules import (
    game_answer,
    game_question,
    in_hexadecimal,
    made,
    mutated,
    needs_node,
    position_answer,
    position_question,
    spoilt,
    texts_in_node,
    verdict,
)
from helpers.recorded_games import random_game
from helpers.sizes import scaled
from saddlepoint import TERMINAL, Game, GameError, kernel
from saddlepoint.compiled import jit_inline
from saddlepoint.export.lowering import ExportError
from saddlepoint.export.process import Exported
from saddlepoint.export.translating import translated, translated_functions
from saddlepoint.games.battlesnake.game import Battlesnake
from saddlepoint.games.battlesnake.requests import game_object, request
from saddlepoint.games.catalogue.games import GAMES, make_game, read_game
from saddlepoint.web.site import review_script

EXAMPLES = Path(__file__).parents[2] / "examples"
TRIED = [
    *(name for name, entry in GAMES.items() if entry.point is None),
    "light_riders(width=9, height=5, max_rounds=6)",
    'tron(width=4, height=3, obstacles="1,1")',
    "connect_four(columns=5, rows=4, line=3)",
    "simplexity(rows=8, cols=9)",
    "goofspiel(cards=5, order=descending)",
    "battlesnake(mode=wrapped, map=royale, shrink_every=3)",
    "random_game(utility=sums)",
    "othello(size=6)",
    "oshi_zumo(coins=5, min_bid=0, horizon=7)",
    "soccer(ball=loose, max_moves=30)",
    "tron41(map=hunger_games)",
    f"{EXAMPLES / 'undercut.py'}:Undercut",
    f"{EXAMPLES / 'enclosure.py'}:Enclosure",
    f"{EXAMPLES / 'take_away/take_away/game.py'}:TakeAway",
]
"""All games as they are, some with other parameters, and examples of games of one's own."""


@needs_node
@pytest.mark.export
@pytest.mark.parametrize("spec", TRIED, ids=lambda spec: spec.rpartition(":")[2])
@pytest.mark.usefixtures("linker")
def test_texts_and_pictures_are_python_s(spec: str, tmp_path: Path) -> None:
    game, rng = read_game(spec), random.Random(17)
    games: list[list[Any]] = []
    while len(games) < 3 or (sum(map(len, games)) < 100 and len(games) < 40):
        games.append(random_game(game, rng)[0])
    positions = [state for states in games for state in states]
    chosen = [
        *rng.sample(positions, min(len(positions), scaled(100, 30))),
        *(states[-1] for states in games[:5]),
    ]
    whole = [
        (states, rng.randrange(len(states))) for states in [*games[:3], games[0][: len(games[0]) // 2 + 1]]
    ]
    written = mutated(game, rng, scaled(200, 60))
    questions = [position_question(game, state) for state in chosen]
    questions += [game_question(*one) for one in whole]
    questions += [{"ask": "read", "text": text} for text in written]
    answers = texts_in_node(game, made(spec, None), tmp_path, questions)
    for state, told in zip(chosen, answers, strict=False):
        assert told == position_answer(game, state)
    for one, told in zip(whole, answers[len(chosen) :], strict=False):
        assert told == game_answer(game, *one)
    for text, told in zip(written, answers[len(chosen) + len(whole) :], strict=True):
        wanted = verdict(game, text)
        if isinstance(wanted, dict) and wanted["kind"] in ("GameError", "IllegalActionError"):
            assert told == wanted, text
        else:  # what Python's own functions say of it is not told in the same words
            assert isinstance(told, dict) == isinstance(wanted, dict), text
            assert isinstance(told, dict) or told == wanted, text


@needs_node
@pytest.mark.export
@pytest.mark.usefixtures("linker")
def test_a_referee_s_json_is_taken_and_refused_as_in_python(tmp_path: Path) -> None:
    game, rng = Battlesnake(), random.Random(4)
    settings = {"food_spawn_chance": 15, "minimum_food": 1, "hazard_damage": 14, "shrink_every": 25}
    about = game_object({"mode": "standard", "map": "standard", **settings}, "1")
    texts = [
        spoilt(
            json.dumps(request(game, rng.choice(random_game(game, rng, most=20)[0][:-1]), 0, about)),
            rng,
            rng.choice((0, 1, 1, 2)),
        )
        for _ in range(scaled(200, 40))
    ]
    answers = texts_in_node(
        game, made("battlesnake", None), tmp_path, [{"ask": "read", "text": text} for text in texts]
    )
    for text, told in zip(texts, answers, strict=True):
        wanted = verdict(game, text)
        assert isinstance(told, dict) == isinstance(wanted, dict), text
        assert isinstance(told, dict) or told == wanted, text


@pytest.mark.parametrize("name", [name for name, entry in GAMES.items() if entry.point is None])
def test_a_game_s_texts_are_written_the_same_every_time_and_without_paths(name: str) -> None:
    text = translated(make_game(name))
    assert text == translated(make_game(name))
    assert_fit_for_a_page(text)


def assert_fit_for_a_page(text: str) -> None:
    """Small, of ASCII, without this machine's paths, and nothing that a page's policy forbids."""
    assert len(text) < 60_000
    assert text.isascii()
    for piece in (str(Path.home()), str(Path(__file__).parents[2]), "eval(", "Function("):
        assert piece not in text


# -- functions that serve every game ----------------------------------------------------------------------------------------


def _given(number: int) -> int:
    raise NotImplementedError


def _asked(thing: Any, number: int) -> int:
    return thing.size + _given(number)


def test_functions_of_every_game_are_handed_what_is_not_translated() -> None:
    script = translated_functions("makeThem", {"asked": _asked}, [(_given, "given")], ["size"])
    assert script.startswith("function makeThem(given) {")
    assert "thing.$size, $.given(number)" in script
    with pytest.raises(ExportError, match="no class that is met here has an attribute 'size'"):
        translated_functions("makeThem", {"asked": _asked}, [(_given, "given")], [])


def test_the_review_is_written_the_same_every_time_and_without_paths() -> None:
    text = review_script()
    assert text == review_script()
    assert_fit_for_a_page(text)


# -- constructs of the language ---------------------------------------------------------------------------------------------


class Numbers(NamedTuple):
    number: int
    big: np.uint64
    share: float
    flag: bool
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Box:
    """A dataclass with defaults, a property and methods."""

    left: int
    right: int = 3
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.left > 1000:
            raise ValueError(f"left must be 1000 at most, not {self.left}")

    @property
    def width(self) -> int:
        return self.right - self.left

    def moved(self, by: int = 1, *, twice: bool = False) -> "Box":
        return replace(self, left=self.left + by * (2 if twice else 1))

    @staticmethod
    def unit(size: int) -> "Box":
        return Box(0, right=size)


class Counter:
    """A plain class."""

    step = 2

    def __init__(self, start: int = 0) -> None:
        self.count = start
        self.seen: list[int] = []

    def up(self, times: int = 1) -> int:
        self.count += self.step * times
        self.seen.append(self.count)
        return self.count


@jit_inline
def spread(cells):
    return cells | cells << np.uint64(1)


@cache
def remembered(number: int) -> int:
    return number * 7


def numbered(start: int, *items: Any) -> list[str]:
    return [f"{number}.{item}" for number, item in enumerate(items, start)]


def down_from(number: int) -> Iterator[int]:
    while number > 0:
        yield number
        number -= 1
    yield from (-1, -2)


def found_first(items: Sequence[int], wanted: Callable[[int], bool]) -> str:
    place = -1
    for place, item in enumerate(items):  # noqa: B007 (it is read afterwards)
        if item < -100:
            continue
        if wanted(item):
            break
    else:
        return "nowhere"
    return f"at {place}"


def tried(text: str) -> str:
    said = ""
    try:
        value = int(text)
        if value == 13:
            raise GameError("unlucky")
    except GameError as error:
        return f"game: {error}"
    except (ValueError, KeyError):
        said = "no number"
    else:
        said = f"number {value}"
    finally:
        said += "."
    return said


class Abroad(NamedTuple):
    x: int
    y: int = 5

    @property
    def total(self) -> int:
        return self.x + self.y


TABLE = np.array([[1, 2, 3], [4, 5, 6]])
WORDS = {"one": 1, "two": 2, ("a", 1): "pair", 3: "three"}


@dataclass(frozen=True)
class Constructs(Game):
    """A game of no moves whose text tries the language."""

    name: ClassVar[str] = "constructs"
    max_actions: ClassVar[int] = 1
    max_depth: ClassVar[int] = 1
    step: int = 4

    def initial_state(self) -> Numbers:
        return Numbers(-7, np.uint64(2**63 + 5), 0.1, True, ((1, 2), (3, 4)))

    @kernel
    def current_player(self, state):
        return TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        return 0

    @kernel
    def next_state(self, state, action):
        return state

    @kernel
    def returns(self, state):
        return 0.0

    @kernel
    def inverted(self, state):
        return spread(~state.big) + np.uint64(self.step)

    def to_text(self, state: Numbers) -> str:
        return "numbers"

    def from_text(self, text: str) -> Numbers:
        return self.initial_state()

    def render(self, state: Numbers) -> str:
        return "\n".join(self.said(state))

    def said(self, state: Numbers) -> list[str]:
        n, big, share = state.number, int(state.big), state.share
        box, counter = Box(n, names=["x"]), Counter(start=5)
        first, *middle, last = range(5)
        (a, b), (c, d) = state.pairs
        shared = both = [1]
        both += [2]
        counter.up()
        counter.up(times=3)
        more = {"b": 2}
        csv = " a,b ,,c"
        lines = [
            f"{n // 2} {n % 5} {divmod(n, 3)} {n >> 1} {n << 70} {~n} {n**3} {-n / 2} {abs(n)}",
            f"{big} {big >> 60:04b} {big:#x} {~big}",
            f"{share:g} {share!r} {share:.3f} {1e16} {1e-7} {round(2.5)} {round(share, 3)} {3.0}",
            f"{state.flag} {state.flag + 1} {not n}",
            f"{box} {box.width} {box.moved(twice=True).left} {box.moved(2)!r:>50} {Box.unit(4) == Box(0, 4)} {Box.unit(4).names}",
            f"{counter.count} {counter.seen} {first} {middle} {last} {a + d} {b}{c} {shared}",
            f"{int(self.inverted(state))}",
            f"{[x * y for x in range(3) for y in range(x) if x != y or x]} {sorted({'b', 'a'})}",
            f"{ ({k: str(v) for k, v in WORDS.items()}) }",
            f"{numbered(3, 'a', 'b')} {numbered(*(0, *'xyz'))} {list(down_from(3))} {found_first((1, 2), lambda x: x == 2)}",
            f"{found_first([], bool)} {[tried(text) for text in ('4', 'x', '13')]} {remembered(6) + remembered(6)}",
            f"{TABLE[1, 2]} {TABLE[0].tolist()} {WORDS['a', 1]} {WORDS.get('none', 'nothing')} {1 in WORDS} {3 in WORDS}",
            f"{Abroad(2)} {Abroad(x=1, y=2).total} {Abroad(2)._replace(y=None)} {Abroad(1, 2) == (1, 2)} {Abroad(3) < Abroad(4)}",
            f"{'abcdef'[::-2]} {'abcdef'[-3:]} {[1, 2, 3][1:]} {(1,)} {()} {'é😀x'[1]} {len('é😀x')} {'it' + chr(39) + 's'!r}",
            f"{max([3, 1, 2], key=lambda x: -x)} {min((), default=None)} {sum([0.5, 1])} {any(x > 2 for x in (1, 3))} {all([])}",
            f"{sorted([(2, 'b'), (1, 'z'), (2, 'a')], key=lambda one: (-one[0], one[1]))} {list(zip('ab', (1, 2), strict=True))}",
            f"{1 < n + 9 <= 2} {0 <= n < 3} {n and 'yes'} {len(()) or 'no'} {None is None} {'a' if n > 0 else 'b'} {(m := n * n) + m}",
            f"{'{}-{:>3}'.format(1, 'x')} {'%'} {csv.split(',')} {csv.split()} {', '.join(map(str, (1, None, 'x')))}",
            f"{dict(a=1, **more)}  {WORDS | more} {[*range(3), *[7]]} {({*'aab'}) == {'a', 'b'}} { {1, 2} - {2} }",
            f"{next(iter([9]))} {1 == 1.0 == True}",
        ]

        def add(text: str, times: int = 2) -> None:
            nonlocal total
            total += times
            lines.append(text * times)

        total = 0
        add("x")
        add("y", times=3)
        counts: dict[str, int] = {}
        for letter in "abca":
            counts[letter] = counts.get(letter, 0) + 1
        del counts["b"]
        stack = [3, 1, 2]
        stack.sort(reverse=True)
        while stack:
            if (top := stack.pop()) == 2:
                continue
            lines.append(f"{top} {total} {counts}")
        return lines


@needs_node
def test_constructs_of_the_language_mean_the_same(tmp_path: Path) -> None:
    game = Constructs()
    state = game.initial_state()
    about = Exported(b"", {"start": in_hexadecimal(state)})
    (told,) = texts_in_node(game, about, tmp_path, [{"ask": "render", "state": in_hexadecimal(state)}])
    assert told.splitlines() == game.said(state)


# -- what has no translation ------------------------------------------------------------------------------------------------


REFUSED = """
import json, os
import numpy as np
from saddlepoint import TicTacToe

class Indexed:
    def __getitem__(self, place): return place

class Mine(TicTacToe):
    def render(self, state):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("with open('somewhere') as file: return file.read()", "a with statement has no translation"),
        ("return str(eval('1 + 1'))", "builtins.eval has no translation"),
        ("import os; return os.sep", "an import has no translation"),
        ("return json.dumps([1])", "json.dumps has no translation"),
        ("return str(state.crosses.itemsize)", "no class that is met here has an attribute 'itemsize'"),
        ("return str(state.crosses.to_bytes(2, 'big'))", "no class that is met here has a method 'to_bytes'"),
        ("return str(np.zeros(3))", "numpy.zeros has no translation"),
        ("return str(Indexed()[3])", "the class Indexed: its __getitem__ has no translation"),
    ],
)
def test_what_has_no_translation_is_refused_with_its_place(body: str, what: str, tmp_path: Path) -> None:
    text = REFUSED.format(body=body)
    (tmp_path / "mine.py").write_text(text)
    line = text.splitlines().index(f"        {body}") + 1
    said = f"Mine.render (mine.py, line {line}) cannot be translated to JavaScript: {what}"
    with pytest.raises(ExportError, match=f"^{re.escape(said)}$"):
        translated(read_game(f"{tmp_path / 'mine.py'}:Mine", is_tried=False))
