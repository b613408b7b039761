"""Programs and files that a file from elsewhere names are started and read only if the user agrees."""

from collections.abc import Iterable

from ..system.terminal import ask, both_are_terminals, print_error


def programs_among(players: Iterable[str]) -> list[str]:
    """The players that start a program or a Python file, read a file or ask a server; what is part of the library needs no leave."""
    from ..game.spec import parse_spec
    from ..games.catalogue.commands import reaches_outside

    return [spec for spec in dict.fromkeys(players) if reaches_outside(parse_spec(spec))]


def agree_to_start(programs: list[str], source: str, yes: bool) -> None:
    """Ask whether these programs, which `source` names, may be started; raises ValueError unless they may.

    Without a terminal nobody can be asked: then only `yes` (the option --yes) will do.
    """
    if yes or not programs:
        return
    named = ", ".join(programs)
    if not both_are_terminals():
        raise ValueError(f"{source} would start or read {named}; --yes does so without asking")
    print_error(f"{source} would start or read on this machine: {named}")
    try:
        answer = ask("go on? [y/N] ")
    except EOFError:
        answer = ""
    if answer.lower() not in ("y", "yes"):
        raise ValueError(f"{source} was not played again: nothing that it names was to be started or read")
