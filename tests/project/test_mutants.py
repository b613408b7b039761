"""`make mutants`: its changes are found by syntax, keep their names when code moves, and those explained still exist."""

import ast
import functools

import pytest
from mutants.choice import chosen, explanations
from mutants.rooms import ROOMS
from mutants.sites import sites_of

SOURCE = '''
"""A text with 1 < 2."""
from math import floor as é  # two bytes a letter, before what follows

LIMIT: int = 3 if é(2.5) else 0


class Thing:
    size = 0.0

    @decorated(7)
    def first(self, number: "1 + 1", other=True):
        """Not 5."""
        if number <= LIMIT and not other:
            raise ValueError(f"{number + 1}")
        self.note("ü", number % 2)
        return [k for k in (number, -number) if k not in (1,)]
'''


def changes(source):
    return [(site.function, site.operator, site.before, site.after) for site in sites_of(source)]


def test_every_place_that_runs_is_found_and_texts_are_left_alone():
    assert changes(SOURCE) == [
        ("", "branches", "3 if é(2.5) else 0", "(0 if é(2.5) else 3)"),
        ("", "number", "2.5", "5.0"),
        ("", "number", "2.5", "1.25"),
        ("", "number", "3", "4"),
        ("", "number", "3", "2"),
        ("", "number", "0", "1"),
        ("Thing", "number", "0.0", "1.0"),
        ("Thing.first", "truth", "True", "False"),
        ("Thing.first", "boolean", "and", "or"),
        ("Thing.first", "comparison", "<=", "<"),
        ("Thing.first", "comparison", "<=", ">"),
        ("Thing.first", "sign or negation", "not other", "(other)"),
        ("Thing.first", "arguments", '"ü", number % 2', 'number % 2, "ü"'),
        ("Thing.first", "arithmetic", "%", "*"),
        ("Thing.first", "number", "2", "3"),
        ("Thing.first", "number", "2", "1"),
        ("Thing.first", "call dropped", 'self.note("ü", number % 2)', "pass"),
        ("Thing.first", "sign or negation", "-number", "(number)"),
        ("Thing.first", "comparison", "not in", "in"),
        ("Thing.first", "number", "1", "2"),
        ("Thing.first", "number", "1", "0"),
        ("Thing.first", "return", "[k for k in (number, -number) if k not in (1,)]", "None"),
    ]


def test_a_change_is_one_of_its_place_alone_and_leaves_a_module():
    for site in sites_of(SOURCE):
        changed = site.applied(SOURCE)
        ast.parse(changed)
        assert changed[: site.start] == SOURCE[: site.start]
        assert changed[site.start + len(site.after) :] == SOURCE[site.end :]
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))


def test_a_change_keeps_its_key_when_the_code_moves_and_its_name_when_the_function_changes():
    moved = SOURCE.replace("LIMIT: int", "# further down\n\n\nLIMIT: int").replace(
        "size = 0.0", "other = []\n    size = 0.0"
    )
    assert {site.key for site in sites_of(SOURCE)} == {site.key for site in sites_of(moved)}
    edited = SOURCE.replace("self.note(", "self.write(7)\n        self.note(")
    (before,) = [site for site in sites_of(SOURCE) if site.before == "<=" and site.after == "<"]
    (after,) = [site for site in sites_of(edited) if site.name == before.name]
    assert before.key != after.key
    assert len({site.key for site in sites_of(SOURCE)}) == len(sites_of(SOURCE))


def test_equal_changes_of_a_function_are_counted():
    found = [site for site in sites_of("def f(a):\n    return a + 1 + 1\n") if site.operator == "arithmetic"]
    assert [(site.before, site.occurrence) for site in found] == [("+", 0), ("+", 1)]
    assert len({site.key for site in found}) == 2


@pytest.mark.slow
def test_the_choice_is_the_same_every_time_and_every_room_is_in_it():
    one, again, other = chosen(12, 10), chosen(12, 10), chosen(12, 11)
    assert (
        [mutant.key for mutant in one] == [mutant.key for mutant in again] != [mutant.key for mutant in other]
    )
    assert [sum(mutant.room == room for mutant in one) for room in ROOMS] == [12] * len(ROOMS)


def test_sources_and_tests_of_every_room_are_where_it_says():
    for groups in ROOMS.values():
        for group in groups:
            assert group.source_files()
            assert group.test_files()


@functools.cache
def names_of(room):
    return {
        f"{room} | {site.name}"
        for group in ROOMS[room]
        for source in group.source_files()
        for site in sites_of(source.read_text())
    }


@pytest.mark.parametrize("name", list(explanations()))
def test_what_is_explained_exists(name):
    assert name in names_of(name.split(" | ")[0]), (
        "the code was changed: the explanation in tools/mutants/explained.toml has to go"
    )
    assert len(explanations()[name]) > 20
