"""A release is refused in sentences, from a checkout that is not ready; what .ci/run runs is what CONTRIBUTING.md says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import release

from helpers.browser import MISSING

ROOT = Path(__file__).parents[2]
FILES = ("pyproject.toml", "CHANGELOG.md", "CITATION.cff")
VERSION = release.version_of(ROOT)


def git(checkout: Path, *words: str) -> None:
    settings = (
        "user.name=Nobody",
        "user.email=nobody@example.invalid",
        "commit.gpgsign=false",
        "tag.gpgsign=false",
    )
    options = [word for setting in settings for word in ("-c", setting)]
    subprocess.run(["git", *options, *words], cwd=checkout, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """One that could be released: the files that matter, committed."""
    for name in FILES:
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    changes = tmp_path / "CHANGELOG.md"
    dated = re.sub(
        rf"^(## \[{VERSION}\] - ).*$", r"\g<1>2026-12-01", changes.read_text(encoding="utf-8"), flags=re.M
    )
    changes.write_text(dated, encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "All")
    return tmp_path


def test_a_clean_checkout_whose_changes_have_a_day_is_ready(checkout: Path) -> None:
    assert release.what_is_missing(checkout) == []


def change(checkout: Path, file: str, old: str, new: str) -> None:
    """Commit a change of a file."""
    text = (checkout / file).read_text(encoding="utf-8")
    assert old in text
    (checkout / file).write_text(text.replace(old, new), encoding="utf-8")
    git(checkout, "commit", "--all", "--quiet", "--message", "Changed")


def test_a_version_is_released_once(checkout: Path) -> None:
    git(checkout, "tag", "--annotate", f"v{VERSION}", "--message", "released")
    assert release.what_is_missing(checkout) == [f"the tag v{VERSION} is there already"]


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("CHANGELOG.md", "2026-12-01", "unreleased", "CHANGELOG.md has no heading"),
        ("CITATION.cff", f"version: {VERSION}", "version: 99.0.0", "CITATION.cff has another version"),
        ("pyproject.toml", f'version = "{VERSION}"', 'version = "1.0"', "MAJOR.MINOR.PATCH is expected"),
    ],
)
def test_what_does_not_fit_is_told(checkout: Path, file: str, old: str, new: str, told: str) -> None:
    change(checkout, file, old, new)
    assert told in release.what_is_missing(checkout)[0]


@pytest.fixture
def built(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """What the program has built that is run in this checkout, where every test fails."""
    found: list[Path] = []
    monkeypatch.setattr(release, "CHECKOUT", checkout)
    monkeypatch.setattr(release, "TESTS", ("false",))
    monkeypatch.setattr(release, "build", lambda checkout, _: found.append(checkout) or [])
    return found


def test_the_program_refuses_without_building(
    checkout: Path, built: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / "new.txt").write_text("new")
    assert (release.main([]), built) == (1, [])
    assert "the checkout has changes that are not committed: 1 files" in capsys.readouterr().err


def test_a_dry_run_runs_no_test_and_sets_no_tag(
    checkout: Path, built: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert (release.main(["--dry-run"]), built) == (0, [checkout])
    assert "no tests were run" in capsys.readouterr().out
    assert release.what_is_missing(checkout) == []


def test_a_dry_run_goes_without_the_day_of_the_release_and_says_that_it_is_missing(
    checkout: Path, built: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    change(checkout, "CHANGELOG.md", "2026-12-01", "unreleased")
    assert (release.main(["--dry-run"]), built) == (0, [checkout])
    assert "CHANGELOG.md has no heading" in capsys.readouterr().out
    assert (release.main([]), built) == (1, [checkout])
    assert "CHANGELOG.md has no heading" in capsys.readouterr().err


def test_a_tag_that_is_set_is_built_without_tests_and_set_by_nobody(
    checkout: Path, built: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    git(checkout, "tag", "--annotate", f"v{VERSION}", "--message", "released")
    assert (release.main(["--tag", f"v{VERSION}"]), built) == (0, [checkout])
    assert (release.main(["--tag", "v99.0.0"]), built) == (1, [checkout])
    assert f"the tag v99.0.0 is not of the version of pyproject.toml, {VERSION}" in capsys.readouterr().err


def pins_of(name: str) -> dict[str, str]:
    """Each version that a file in requirements/ pins, and the lines of it."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+==[^\s;]+)(.*(?:\n .*)*)", text, re.M)
    return {
        re.sub(r"[-_.]+", "-", pin.partition("==")[0]).lower() + "==" + pin.partition("==")[2]: lines
        for pin, lines in found
    }


def test_everything_that_a_workflow_installs_has_its_hashes() -> None:
    hashed = pins_of("hashes")
    assert {pin for name in ("dev", "docs", "export") for pin in pins_of(name)} - set(hashed) == set(), (
        "run `make hashes`"
    )
    for lines in (*hashed.values(), *pins_of("release").values()):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}$", lines)


def test_the_versions_of_this_checkout_agree() -> None:
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{VERSION}] - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# -- .ci/run -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """All commands that there are: no Chromium, no root, and a make that only says what it was asked for."""
    for name, program in (
        ("bash", shutil.which("bash")),
        ("dirname", shutil.which("dirname")),
        ("python3", sys.executable),
    ):
        assert program is not None
        (tmp_path / name).symlink_to(program)
    for name, text in (("id", "echo 1000"), ("make", 'echo "made $@"')):
        (tmp_path / name).write_text(f"#!{tmp_path}/bash\n{text}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run(commands: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What `.ci/run` comes to where there are only these commands."""
    environment = (
        {key: value for key, value in os.environ.items() if key != "SADDLEPOINT_NO_BROWSER"}
        | {"PATH": str(commands)}
        | more
    )
    return subprocess.run(
        ["bash", ROOT / ".ci/run", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def made(commands: Path, *arguments: str, **more: str) -> set[str]:
    """The targets and settings that make was asked for."""
    done = run(commands, *arguments, **more)
    assert done.returncode == 0
    return set(done.stdout.splitlines()[0].removeprefix("made ").split())


def test_without_chromium_it_fails_in_a_sentence_with_the_way_out(commands: Path) -> None:
    done = run(commands)
    assert done.returncode != 0
    assert "made" not in done.stdout
    assert done.stderr.strip() == MISSING


@pytest.mark.parametrize(
    ("arguments", "left_out"), [((), "test-web"), (("all",), "test-web test-export")], ids=["a change", "all"]
)
def test_told_to_go_without_it_runs_all_else_and_says_at_its_end_what_was_not_tried(
    commands: Path, arguments: tuple[str, ...], left_out: str
) -> None:
    first, last = run(commands, *arguments, SADDLEPOINT_NO_BROWSER="1").stdout.splitlines()
    assert last == f"Not tried: {left_out}, because SADDLEPOINT_NO_BROWSER=1 says so."
    (commands / "chromium").symlink_to(commands / "make")
    assert made(commands, *arguments) - set(first.split()) == set(left_out.split())


def test_what_is_no_argument_is_refused(commands: Path) -> None:
    done = run(commands, "everything")
    assert done.returncode == 2
    assert done.stderr == "usage: .ci/run [all]\n"
    assert not done.stdout


def test_what_contributing_says_that_it_runs_is_what_it_runs(commands: Path) -> None:
    """By the targets of CONTRIBUTING's table, and the sentences below it."""
    (commands / "chromium").symlink_to(commands / "make")
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `make ([\w-]+)", text, re.M)) | {"lint"}
    said = re.search(r"this table except (.*?)\. .*?`\.ci/run all` also runs (.*?)[,;:.]", text, re.S)
    assert said
    left_out, more = (set(re.findall(r"`make ([\w-]+)", part)) for part in said.groups())
    assert more < left_out < table
    assert made(commands) == table - left_out
    assert {word for word in made(commands, "all") if "=" not in word} == table - left_out | more
    targets = set(
        re.findall(r"^([\w-]+)(?:[\w -]*):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    )
    assert table <= targets
