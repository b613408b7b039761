"""A `saddlepoint serve` for programs that go through the page: tools/screenshots.py, benchmarks/newcomer_tasks.py."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def page_server(ledger: Path, sources: Path | None = None) -> Generator[str]:
    """Its address; it has that ledger, and is the saddlepoint of that src folder, or of this environment."""
    command = [
        sys.executable,
        "-m",
        "saddlepoint",
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--ledger",
        str(ledger),
    ]
    with subprocess.Popen(command, env=with_sources(sources), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://\S+/", line) for line in process.stdout)))
        try:
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)


def with_sources(sources: Path | None) -> dict[str, str]:
    """The environment in which `python -m saddlepoint` is that of a src folder."""
    return dict(os.environ) if sources is None else {**os.environ, "PYTHONPATH": str(sources)}
