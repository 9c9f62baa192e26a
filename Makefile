# Everything from a fresh clone: each target sets up what it needs.

PYTHON ?= python3
VENV := .venv
LOWEST := .venv-lowest
BIN := $(VENV)/bin
DATA ?= breast-cancer
K ?=


.PHONY: run studio test test-lowest soak integration check types format bench accuracy mail-quality clean

run: $(VENV)/ready
	mkdir -p out
	$(BIN)/rosenblatt fit $(DATA) --report out/report.html

studio: $(VENV)/ready-studio
	$(BIN)/rosenblatt studio

test: $(VENV)/ready-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not soak and not integration"

# the same tests with the lowest versions that pyproject.toml allows, in a .venv of their own
test-lowest: $(LOWEST)/ready
	NUMBA_CACHE_DIR=$(LOWEST)/kernels $(LOWEST)/bin/python -m pytest -n 2 --dist worksteal -m "not soak and not integration"

soak: $(VENV)/ready-dev
	$(BIN)/python -m pytest -n 2 -m soak

# docs/mail-imap.md with Debian's Dovecot and mbsync on loopback; root installs what is missing of them
PACKAGES := dovecot-imapd dovecot-sieve isync
integration: $(VENV)/ready-dev
	dpkg-query --show $(PACKAGES) > /dev/null 2>&1 || \
	    { apt-get update -q && apt-get install -q -y --no-install-recommends $(PACKAGES); }
	timeout 600 $(BIN)/python -m pytest -m integration tests/integration

check: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy

types: $(VENV)/ready-dev
	$(BIN)/mypy

format: $(VENV)/ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# make bench K=pocket runs the rows whose name holds "pocket"
bench: $(VENV)/ready-bench
	$(BIN)/python -m benchmarks $(K)

# docs/accuracy.md: `fit` beside its peers on the public data, in minutes
accuracy: $(VENV)/ready-bench
	$(BIN)/python -m benchmarks.accuracy

# docs/mail-filter.md: ham lost and spam caught, with wrong labels, by time and in a stream
mail-quality: $(VENV)/ready-bench
	$(BIN)/python -m benchmarks.mail_quality

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip -c constraints.txt

$(VENV)/ready: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

$(VENV)/ready-studio: $(VENV)/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[studio,plot]"
	touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[dev]"
	touch $@

$(VENV)/ready-bench: $(VENV)/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[bench]"
	touch $@

$(LOWEST)/ready: pyproject.toml tools/lowest.py
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python tools/lowest.py > $(LOWEST)/lowest.txt
	$(LOWEST)/bin/python -m pip install --quiet -c $(LOWEST)/lowest.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) $(LOWEST) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist out
	find . -name __pycache__ -prune -exec rm -rf {} +
