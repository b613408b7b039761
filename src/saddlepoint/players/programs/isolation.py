"""The isolation of a program, and the folders shown to it."""

import os
import shlex
import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from ...game.spec import Spec, parse_spec
from ...system.patience import PROGRAM_READY
from .control_group import mounted
from .named import Named, command_words, is_within

Identity = tuple[int, int]
"""The device and the number of a file or folder: what stays the same under whatever name it is found."""

LEDGER_ENDS = ("", "-wal", "-shm", "-journal")
"""The endings of a ledger's files: SQLite writes the others beside it."""


@dataclass(frozen=True)
class Hidden:
    """The files kept from programs in namespaces, by absolute paths.

    Existing ones are known by their identity too.
    """

    written: tuple[str, ...] = ()
    """Files and folders that the arena writes. They need not be there yet."""
    named: tuple[str, ...] = ()
    """Files and folders that the players' specs name: a program sees those only that its own command names."""
    since: float = 0.0
    """When the run began, in seconds since 1970."""

    @classmethod
    def of(
        cls,
        written: Iterable[str | Path | None],
        players: Iterable[str] = (),
        ledger: str | Path | None = None,
    ) -> "Hidden":
        """The files a run writes (None: no file), its ledger, the files of its own output, and those its
        players name.
        """
        books = [] if ledger is None else [f"{ledger}{end}" for end in LEDGER_ENDS]
        own = [os.path.abspath(path) for path in (*written, *books) if path is not None]
        outputs = (os.path.realpath(f"/proc/self/fd/{number}") for number in (1, 2))
        named = (path for player in players for path in named_by_spec(player))
        return cls((*own, *filter(os.path.isfile, outputs)), tuple(dict.fromkeys(named)), time.time())


def named_by_spec(text: str) -> Iterator[str]:
    """The files and folders named anywhere in a spec, as absolute paths.

    Targets of its author's links are not among them, since an author could hide an opponent's files by such a
    link.
    """
    waiting = [parse_spec(text)]
    while waiting:
        for key, value in waiting.pop().options.items():
            if isinstance(value, Spec):
                waiting.append(value)
                if value.is_own:
                    yield from Named(["", value.name]).real
            elif isinstance(value, str) and key != "protocol":
                yield from Named(command_words(value) if key == "command" else ()).real
                yield from Named(["", value]).real  # a Python file's name may have blanks


# How a folder is shown to a program: as it is now, and without what is hidden.
#
# Where nothing is hidden in it, a folder that can only be read is shown as it stands. Where something is, the folders on the way
# there are made anew, entry by entry, so that nothing that comes later appears in them. A program's own folder is copied, as far as
# it is small: what others change in it meanwhile does not reach the program. Files are known by their identity, not by
# their names: links and mounts lead to nothing that is hidden.

_MOST_ENTRIES = 2000
"""Of a program's own folders: folders beyond these are shown as they stand, with what others write there later."""
_MOST_BYTES, _LARGEST_COPY = 64_000_000, 16_000_000
"""Files beyond these are not copied, and can only be read."""
NO_WORD = ("\t", "\n")
"""The characters that no word of a view may contain."""
_HEADER = 100
_LEDGER = 0x5361_6464  # the application id in a ledger's header
_PAGE = 4096

Line = tuple[str, ...]


@dataclass
class Folders:
    """The lines of one program's view, as `namespaces.py` reads them.

    `own` are the files and folders that the program's words name, without links, `program` its file and that of its interpreter,
    `installed` the folders of these, `everybodys` those whose files no other spec takes away, `shown` all folders that it is shown.
    """

    hidden: Hidden
    own: Collection[str]
    program: Collection[str]
    installed: Collection[str]
    everybodys: Collection[str]
    shown: Collection[str]
    copied: int = 0
    """Bytes of files that are copied."""
    _entries: int = 0
    _gone: set[Identity] = field(default_factory=set[Identity])
    _on_the_way: set[Identity] = field(default_factory=set[Identity])
    _written_to: set[Identity] = field(default_factory=set[Identity])

    def __post_init__(self) -> None:
        own, self.shown = set(self.own), {os.path.realpath(path) for path in self.shown}
        kept = own | {os.path.realpath(path) for path in (*self.program, *self.installed)}
        everybodys = {os.path.realpath(path) for path in self.everybodys}
        for path in self.hidden.written:
            self._hide(path, own | self.shown)
        mine = {identity(path) for path in (*own, *self.program)}
        for path in self.hidden.named:
            real = os.path.realpath(path)
            if (
                identity(real) not in mine
                and not any(is_within(real, above) for above in everybodys)
                and not any(is_within(one, real) for one in kept)
            ):
                self._hide(path, ())
        if any(_has_more_names(path) for path in self.hidden.written):
            self._find_other_names()
        for _, point, _ in mounted():
            if identity(point) in self._gone | self._on_the_way and any(
                is_within(point, one) for one in self.shown
            ):
                self._lead_to(point)

    def _hide(self, path: str, kept: Iterable[str]) -> None:
        """Let nothing lead to this file or folder; of a folder that holds what is kept, what is new in it is hidden."""
        real = os.path.realpath(path)
        found = identity(real)
        if found is not None:
            is_kept = os.path.isdir(real) and any(is_within(one, real) for one in kept)
            (self._written_to if is_kept else self._gone).add(found)
            if is_kept:
                self._on_the_way.add(found)
        self._lead_to(real)
        self._lead_to(os.path.abspath(path))

    def _lead_to(self, path: str) -> None:
        for above in Path(path).parents:
            found = identity(str(above))
            if found is not None:
                self._on_the_way.add(found)

    def _find_other_names(self) -> None:
        """A file that the arena writes to has more than one name: find those in the folders that are no installation."""
        for folder in {
            path
            for path in self.shown
            if not any(is_within(path, os.path.realpath(one)) for one in self.installed)
        }:
            for above, _, names in os.walk(folder):
                if any(identity(os.path.join(above, name)) in self._gone for name in names):
                    self._lead_to(os.path.join(above, "name"))

    def lines(self, source: str, target: str, own: bool) -> Iterator[Line]:
        """Show the folder `source` at `target`; one of the program's `own` is copied, and it may write into that."""
        if any(identity(str(path)) in self._gone for path in (Path(source), *Path(source).parents)):
            yield ("folder", target)
            return
        if not own and identity(source) not in self._on_the_way:
            yield ("read", target, source)
            return
        if own:
            yield ("own", target)
        waiting = deque([(source, target)])
        while waiting:
            folder, place = waiting.popleft()
            entries = _entries(folder)
            found = identity(folder)
            if (
                folder != source
                and found not in self._on_the_way
                and (not own or self._entries + len(entries) > _MOST_ENTRIES)
            ):
                yield ("read", place, folder)
                continue
            self._entries += len(entries)
            yield ("folder", place)
            for entry in entries:
                there = f"{place}/{entry.name}"
                if any(mark in entry.path + there for mark in NO_WORD):
                    continue
                if entry.is_symlink():
                    if not any(mark in (leads := os.readlink(entry.path)) for mark in NO_WORD):
                        yield ("link", there, leads)
                elif entry.is_dir(follow_symlinks=False):
                    if identity(entry.path) not in self._gone and not (
                        own and os.path.realpath(entry.path) in self.shown
                    ):
                        waiting.append((entry.path, there))
                elif entry.is_file(follow_symlinks=False):
                    yield from self._file(entry, there, own, found in self._written_to)

    def file(self, source: str, target: str) -> Line:
        """Show one file of a folder that is not shown."""
        return (
            ("empty", target)
            if identity(source) in self._gone or is_ledger(source)
            else ("read", target, source)
        )

    def _file(
        self, entry: "os.DirEntry[str]", there: str, copied: bool, is_written_to: bool
    ) -> Iterator[Line]:
        try:
            status = os.stat(entry.path)
        except OSError:  # gone meanwhile
            return
        if any(is_ledger(entry.path.removesuffix(end)) for end in LEDGER_ENDS if entry.path.endswith(end)):
            yield ("empty", there)
        elif (status.st_dev, status.st_ino) in self._gone or (
            is_written_to
            and status.st_ctime >= self.hidden.since
            and os.path.realpath(entry.path) not in self.own
        ):
            return
        elif copied and status.st_size <= min(_LARGEST_COPY, _MOST_BYTES - self.copied):
            self.copied += -(-status.st_size // _PAGE) * _PAGE
            yield ("copy", there, entry.path)
        else:
            yield ("read", there, entry.path)


def identity(path: str) -> Identity | None:
    """The device and number of what is there, links followed; None where nothing is."""
    with suppress(OSError, ValueError):
        status = os.stat(path)
        return status.st_dev, status.st_ino
    return None


def _has_more_names(path: str) -> bool:
    with suppress(OSError):
        return os.path.isfile(path) and os.stat(path).st_nlink > 1
    return False


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []


_ledgers: dict[Identity, int] = {}
"""Ledgers that were looked at, each with the descriptor by which it was read. It is never closed: where a process closes any
descriptor of a file it loses all its locks on it (POSIX), SQLite's too, and another process might end the log of a ledger in use."""


def is_ledger(path: str) -> bool:
    """Whether a file is one of the arena's ledgers. It may be in use in this process; what SQLite writes beside it is not opened."""
    base = next((path.removesuffix(end) for end in LEDGER_ENDS if end and path.endswith(end)), None)
    if base is not None and os.path.exists(base):
        return False
    if identity(path) in _ledgers:
        return True
    with ExitStack() as closed, suppress(OSError, ValueError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        closed.callback(os.close, descriptor)
        header, status = os.read(descriptor, _HEADER), os.fstat(descriptor)
        if header.startswith(b"SQLite format 3\0") and int.from_bytes(header[68:72], "big") == _LEDGER:
            closed.pop_all()
            _ledgers.setdefault((status.st_dev, status.st_ino), descriptor)
            return True
    return False


def ledgers_in(folder: str) -> Iterator[str]:
    """The ledgers in a folder, with what SQLite writes beside them."""
    for entry in _entries(folder):
        if entry.is_file() and not any(mark in entry.path for mark in NO_WORD) and is_ledger(entry.path):
            yield from (entry.path + end for end in LEDGER_ENDS if os.path.exists(entry.path + end))


# How a player in a process of its own is kept within bounds.

MODES = ("auto", "namespaces", "supervisor")


@dataclass(frozen=True)
class Isolation:
    """The limits and the view of a player's process and all that it starts; see docs/isolation.md."""

    memory: int | None = None
    """Bytes resident in all its processes together; None: no limit."""
    patience: float = PROGRAM_READY
    """Seconds for what no clock measures: to be ready for a game, and a move where the clock is endless."""
    mode: str = "auto"
    """`namespaces`: sees only its own files and processes, without a network. `supervisor`: only ended with all that it
    started. `auto`: namespaces where the system allows them, else a supervisor."""
    programs_only: bool = False
    """Whether players of this library stay in the arena's own process."""
    sandbox: str = ""
    """A command that is put before the program's own words; with it `auto` is a supervisor."""
    shown: tuple[str, ...] = ()
    """Files and folders that programs in namespaces may read besides their own."""
    hidden: Hidden = Hidden()
    """The files that programs in namespaces do not see, although they lie in their folders."""

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < 1:
            raise ValueError(f"memory takes bytes above 0, not {self.memory}")
        if not self.patience > 0:
            raise ValueError(f"patience takes seconds above 0, not {self.patience}")
        if self.mode not in MODES:
            raise ValueError(f"isolation is {', '.join(MODES)}, not {self.mode!r}")
        for path in self.shown:
            if not os.path.exists(path):
                raise ValueError(f"there is no file or folder {path} to show to programs")
        try:
            shlex.split(self.sandbox)
        except ValueError as error:
            raise ValueError(f"the sandbox {self.sandbox!r} is no command: {error}") from error
