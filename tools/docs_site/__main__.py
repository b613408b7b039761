"""`make docs`: the site in build/docs; warnings of Sphinx, among them links that lead nowhere, are errors."""

import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs_site.pages import CHECKOUT, write_sources

SOURCES, SITE, BOARDS = (CHECKOUT / "build" / name for name in ("docs-sources", "docs", "site"))


def main() -> int:
    """Write the sources of the site, and build it. The exit code is that of Sphinx."""
    boards = BOARDS if (BOARDS / "index.html").is_file() else None
    shutil.rmtree(SOURCES, ignore_errors=True)
    write_sources(SOURCES, boards is not None)
    shutil.rmtree(SITE, ignore_errors=True)
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--conf-dir", str(Path(__file__).parent), "--doctree-dir", str(SOURCES / ".doctrees")]
    done = subprocess.run([sys.executable, "-m", "sphinx", *options, str(SOURCES), str(SITE)], check=False)
    if done.returncode == 0:
        if boards is not None:
            shutil.copytree(boards, SITE / "board")
        print(f"{SITE / 'index.html'}{'' if boards else ', with pictures in the place of live boards: `make site` first would make them'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
