# The two commands of the README are `make race` and `make test`; `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(if $(filter Windows_NT,$(OS)),$(VENV)/Scripts,$(VENV)/bin)
READY  := $(VENV)/.ready

.PHONY: help race test test-all check bench playthroughs pictures clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

race: $(READY) ## Install and run the main job
	$(BIN)/holecard simulate basic --rules casino --rounds 100M

test: $(READY) ## Install and run all checks: format, lint, types, layers, doctests, tests
	BIN=$(BIN) scripts/check

test-all: $(READY) ## All checks and the long proofs (an hour)
	BIN=$(BIN) scripts/check --all

bench: $(READY) ## Time ours beside its peers
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

playthroughs: $(READY) ## Write the golden playthroughs anew
	$(BIN)/python -m tests.playthroughs.regenerate
	$(BIN)/python -m tests.holdem.test_playthroughs

pictures: $(READY) ## Draw the pictures of holecard watch anew
	$(BIN)/python scripts/pictures.py

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $(READY)

clean: ## Remove what was built here
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
