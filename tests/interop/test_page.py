"""The examples of docs/interop.md that need no package of other libraries; test_page_of_libraries.py has the others."""

import pytest

from page_examples import run_examples


@pytest.mark.compiles_long
def test_the_examples_of_batches_run() -> None:
    run_examples("interop.md", "Many games at once")
