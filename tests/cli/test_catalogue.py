"""The catalogue of commands: what `--help` and the README say comes from it."""

from pathlib import Path

from saddlepoint.cli import app, catalogue


def test_the_readme_has_the_table_of_commands() -> None:
    """If it has not: `python -c "from saddlepoint.cli import app, catalogue; print(catalogue.table(app))"` prints it."""
    assert catalogue.table(app) in (Path(__file__).parents[2] / "README.md").read_text()


def test_every_file_of_a_command_is_in_the_catalogue() -> None:
    for name in catalogue.COMMANDS:
        assert f"`saddlepoint {name}`" in catalogue.table(app)
