"""The programs in benchmarks/ follow the library: each of them can be loaded."""

from pathlib import Path

from programs import output_of

FOLDER = Path(__file__).parent.parent / "benchmarks"


def test_the_benchmarks_load() -> None:
    programs = sorted(path.stem for path in FOLDER.glob("*.py"))
    assert "search_speed" in programs
    load = "import importlib, sys; sys.path.insert(0, sys.argv[1]); print(*map(importlib.import_module, sys.argv[2:]))"
    output_of("-c", load, FOLDER, *programs)
