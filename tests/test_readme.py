"""The README's Python runs as it is printed."""

import doctest
from pathlib import Path


def test_the_lines_of_the_readme_do_what_they_say():
    readme = Path(__file__).resolve().parent.parent / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0
