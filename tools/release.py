"""`make release`: the version of pyproject.toml, tested, built, checked and tagged. It uploads nothing.

python tools/release.py --dry-run     # without the tests and without the tag
python tools/release.py --tag v1.2.3  # builds and checks what this tag has, where the tests run apart (.github/workflows/release.yml)
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
TESTS = ("make", "lint", "test", "test-slow")


def version_of(checkout: Path) -> str:
    """The version, from the one place that has it."""
    return str(tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def _git(checkout: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=checkout, capture_output=True, text=True, check=True
    ).stdout.strip()


def what_is_missing(checkout: Path, dry: bool = False, tag: str | None = None) -> list[str]:
    """Why this checkout cannot be released, in sentences.

    A dry run needs no day in the changelog, which is set last. `tag` is there already.
    """
    version, told = version_of(checkout), []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        told.append(f"pyproject.toml has the version {version!r}; MAJOR.MINOR.PATCH is expected")
    if changed := _git(checkout, "status", "--porcelain"):
        told.append(f"the checkout has changes that are not committed: {len(changed.splitlines())} files")
    if tag is not None and tag != f"v{version}":
        told.append(f"the tag {tag} is not of the version of pyproject.toml, {version}")
    if tag is None and _git(checkout, "tag", "--list", f"v{version}"):
        told.append(f"the tag v{version} is there already")
    heading = re.search(
        rf"^## \[{re.escape(version)}\] - (.+)$",
        (checkout / "CHANGELOG.md").read_text(encoding="utf-8"),
        re.M,
    )
    if heading is None or not re.fullmatch(r"\d{4}-\d\d-\d\d" + ("|unreleased" if dry else ""), heading[1]):
        told.append(f"CHANGELOG.md has no heading `## [{version}] - YEAR-MONTH-DAY`")
    if f"\nversion: {version}\n" not in (checkout / "CITATION.cff").read_text(encoding="utf-8"):
        told.append(f"CITATION.cff has another version than {version}")
    return told


def build(checkout: Path, folder: Path) -> list[Path]:
    """The source archive and, made from it, the wheel; checked by twine."""
    # Without isolation, so that setuptools too is the one of requirements/release.txt.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.DEVNULL)
    made = sorted(folder.glob(f"saddlepoint-{version_of(checkout)}*"))
    if [file.suffix for file in made] != [".whl", ".gz"]:
        raise SystemExit(f"a wheel and a source archive were expected, not {[file.name for file in made]}")
    subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, made)], cwd=checkout, check=True
    )
    return made


def main(words: list[str] | None = None) -> int:
    """The exit code: 1 where the checkout cannot be released."""
    parser = argparse.ArgumentParser(description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--dry-run", action="store_true", help="run no tests, set no tag, and leave nothing behind"
    )
    which.add_argument("--tag", help="run no tests and set no tag: build what this tag has")
    options = parser.parse_args(words)
    dry, tag = options.dry_run, options.tag
    if missing := what_is_missing(CHECKOUT, dry, tag):
        print("no release:", *missing, sep="\n- ", file=sys.stderr)
        return 1
    version = version_of(CHECKOUT)
    if not dry and tag is None:
        subprocess.run(TESTS, cwd=CHECKOUT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        made = build(CHECKOUT, Path(folder))
        print("built:", *(f"{file.name}, {file.stat().st_size:,} bytes" for file in made), sep="\n- ")
        if dry:
            print(f"--dry-run: no tests were run, and v{version} is not set")
            if left := what_is_missing(CHECKOUT):
                print("before the release:", *left, sep="\n- ")
            return 0
        (CHECKOUT / "dist").mkdir(exist_ok=True)
        for file in made:
            shutil.copy(file, CHECKOUT / "dist")
    if tag is None:
        _git(CHECKOUT, "tag", "--annotate", f"v{version}", "--message", f"Saddlepoint {version}")
    print(f"v{version} is set; dist/ has what belongs on the index")
    return 0


if __name__ == "__main__":
    sys.exit(main())
