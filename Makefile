# The two commands of the README are `make race` and `make test`; `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(if $(filter Windows_NT,$(OS)),$(VENV)/Scripts,$(VENV)/bin)
READY  := $(VENV)/.ready

.PHONY: help race test test-all test-browser docs coverage bench playthroughs pictures clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

race: $(READY) ## Install and run the main job: the race and its report
	$(BIN)/holecard race

test: $(READY) ## Install and run all checks: format, lint, types, layers, doctests, tests
	BIN=$(BIN) scripts/check

test-all: $(READY) ## All checks and the long proofs (an hour), the site among them
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	BIN=$(BIN) scripts/check --all

test-browser: $(READY) ## Walk the studio and look at the report in headless Chromium; screenshots go to docs/pictures
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browser,studio]'
	HOLECARD_BROWSER=1 $(BIN)/python -m pytest tests/browser
	test -f runs/race/report.html || $(BIN)/holecard race --out runs/race
	$(BIN)/python scripts/browser.py runs/race/report.html --pictures docs/pictures

docs: $(READY) ## Build the documentation with its reference into build/site; a broken link fails
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

coverage: $(READY) ## The share of lines that tests reach, by module
	$(BIN)/python -m coverage erase
	HOLECARD_PLAIN=1 $(BIN)/python -m coverage run -m pytest -n 2 --dist loadfile -m "not slow"
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report
	@echo "Compiled code is not seen: kernels are left out, and a @rule counts as reached only where plain Python calls it."

bench: $(READY) ## Time ours beside its peers; writes benchmarks/RESULTS.md (FARMER=DIR: Eric Farmer's sources)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	$(BIN)/python benchmarks/run_all.py $(if $(FARMER),--farmer $(FARMER))

playthroughs: $(READY) ## Write the golden playthroughs anew
	$(BIN)/python -m tests.playthroughs.regenerate
	$(BIN)/python -m tests.holdem.game.test_playthroughs

pictures: $(READY) ## Draw the pictures of holecard watch anew
	$(BIN)/python scripts/pictures.py

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $(READY)

clean: ## Remove what was built here
	rm -rf $(VENV) build dist .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis
