"""Rules that do not come to an end: what stops them leaves Python as it was."""

from helpers.programs import output_of

TRACED = """
import sys
from saddlepoint.compiled.endless_loops import Patience, TooLong

def for_ever():
    while True:
        pass

with Patience(0.2) as patience:
    for _ in range(2):
        try:
            patience.call(for_ever)
        except TooLong as error:
            print(error)
    print(patience.call(len, "abc"))
sys.settrace(lambda *_: None)
print((lambda: 5)())
"""


def test_after_a_rule_was_stopped_a_program_can_be_traced() -> None:
    """By a debugger, or to measure coverage: Python 3.11 stood still where an exception was asked for and then taken back."""
    told = ["it did not come to an end in 0.2 s; does its loop ever end?"] * 2
    assert output_of("-c", TRACED).splitlines() == [*told, "3", "5"]
