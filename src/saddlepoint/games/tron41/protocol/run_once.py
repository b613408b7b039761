"""Work that outlives who asked for it: a command run once, however many processes want it and whichever of them end."""

import hashlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from ....compiled import cache_directory

# The lock is held by the process of the command: it is inherited, and freed when that process ends, however it ends.
_RUN = (
    "import pathlib, subprocess, sys\n"
    "if subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode == 0: pathlib.Path(sys.argv[1]).touch()"
)


def run_once(name: str, command: Sequence[str], announce: Callable[[], object] | None = None) -> bool:
    """Run the command unless it has succeeded under this name before; wait for its end; whether it has succeeded now.

    It runs in a session of its own, and goes on if this process ends. A process that asks meanwhile waits for the same
    run. `announce` is called where there is something to wait for. What counts as before is kept with the compiled
    code: other sources begin anew.
    """
    process: subprocess.Popen[bytes] | None = None
    digest = hashlib.blake2b(name.encode(), digest_size=8).hexdigest()
    try:
        import fcntl  # Windows has none: there nothing is run apart

        directory = cache_directory()
        directory.mkdir(parents=True, exist_ok=True)
        done, lock = directory / f"once-{digest}.done", directory / f"once-{digest}.lock"
        if done.exists():
            return True
        if announce is not None:
            announce()
        with lock.open("a") as held, suppress(BlockingIOError):  # it runs already
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not done.exists():
                process = _started([sys.executable, "-I", "-S", "-c", _RUN, str(done), *command], held.fileno())
        with lock.open() as waiting:
            fcntl.flock(waiting, fcntl.LOCK_SH)
        if process is not None:
            process.wait()
        return done.exists()
    except (OSError, ModuleNotFoundError):
        return False


def _started(words: list[str], held: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        pass_fds=(held,),
    )  # fmt: skip
