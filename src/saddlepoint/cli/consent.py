"""Programs that a file from elsewhere names are started only if the user agrees."""

from collections.abc import Iterable

from .terminal import ask, both_are_terminals, print_error


def programs_among(players: Iterable[str]) -> list[str]:
    """The players that are programs, Python files or servers; what is part of the library needs no leave."""
    from ..spec import COMMAND, SNAKE, parse_spec

    return [spec for spec in dict.fromkeys(players) if parse_spec(spec).name in (COMMAND, SNAKE)]


def agree_to_start(programs: list[str], source: str, yes: bool) -> None:
    """Ask whether these programs, which `source` names, may be started; raises ValueError unless they may.

    Without a terminal nobody can be asked: then only `yes` (the option --yes) will do.
    """
    if yes or not programs:
        return
    named = ", ".join(programs)
    if not both_are_terminals():
        raise ValueError(f"{source} would start {named}; --yes starts it without asking")
    print_error(f"{source} would start on this machine: {named}")
    try:
        answer = ask("start it? [y/N] ")
    except EOFError:
        answer = ""
    if answer.lower() not in ("y", "yes"):
        raise ValueError(f"{source} was not played again: its programs were not to be started")
