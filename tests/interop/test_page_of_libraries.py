"""The examples of docs/interop.md that need Gymnasium and PettingZoo."""

import pytest

from page_examples import run_examples

pytestmark = pytest.mark.interop


def test_the_examples_of_gymnasium_and_pettingzoo_run() -> None:
    run_examples("interop.md", "Gymnasium", "PettingZoo")
