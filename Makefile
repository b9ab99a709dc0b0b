# Every target does its own set-up: a machine needs only Python 3.11, Node 20 and make.
.PHONY: install run web test test-full test-slow soak check check-python check-web bench bench-quick clean help
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
UV_VERSION := 0.13.7
PYTHON ?= python3
# Tests and benchmarks find the programs of the environment; `run` uses the shell's.
test test-full test-slow soak bench bench-quick: export PATH := $(CURDIR)/$(BIN):$(PATH)
# Containers often set it; then every process would compile thousands of files again.
unexport PYTHONDONTWRITEBYTECODE
# More workers than cores: a test that waits for a terminal, a browser or a database uses no core.
WORKERS ?= 5
# conftest.py orders the files, the longest first, and a file stays with one worker.
PYTEST := tests/memory_tmp.sh $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# A stamp is newer than its sources, so that set-up is repeated only when needed.
# `.packages`: for running. `.dev-packages`: also for checks, tests and benchmarks.
PACKAGES := $(VENV)/.packages
DEV_PACKAGES := $(VENV)/.dev-packages
NODE_PARTS := $(VENV)/.node-parts
SERVICES := $(VENV)/.services
NEO4J := $(VENV)/.neo4j
NPM := $(shell command -v npm)
WEB_PACKAGES := web/node_modules/.packages
CONSOLE := libs/dataagent-server/dataagent_server/api/console/static
CONSOLE_BUILT := $(CONSOLE)/.built
# Every check and build generates the types from openapi.json, so they do not trigger another build.
WEB_SOURCES := $(shell find web/src web/public web/scripts -type f ! -path web/src/api/schema.d.ts) \
	$(wildcard web/*.html web/*.json web/*.ts)
CHECKED_PYTHON = import sys; sys.exit(sys.version_info < (3, 11) and "DataAgent needs Python 3.11 or newer; name one with PYTHON=...")

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(PACKAGES) ## Install what running needs into .venv; tests and benchmarks install the rest themselves

web: $(CONSOLE_BUILT) ## Build the console, which the server then serves at /

run: $(PACKAGES) $(CONSOLE_BUILT) ## Start the server on SQLite and print a sign-in URL: no key, no other service
	@exec $(BIN)/dataagent serve --sample

TEST_PARTS := $(DEV_PACKAGES) $(NODE_PARTS) $(SERVICES) $(CONSOLE_BUILT)
WEB_TESTS = $(if $(NPM),npm test --silent --prefix web,@echo "npm not found: the console's own tests are skipped")

test: $(TEST_PARTS) ## Run the tests: 25 examples a property, features on SQLite, no coverage
	$(WEB_TESTS)
	$(PYTEST)

test-full: $(TEST_PARTS) ## Run the same tests with 100 examples a property, on every database, and the coverage floors
	$(WEB_TESTS)
	@rm -f .coverage .coverage.*
	DATAAGENT_TEST_EXAMPLES=100 DATAAGENT_TEST_DATABASES=all DATAAGENT_TEST_COVERAGE=1 $(PYTEST)
	$(BIN)/python -m tests.coverage_floors

test-slow: $(TEST_PARTS) $(NEO4J) ## Run samples of the long loops: kills, conformance, fuzzing
	DATAAGENT_TEST_DATABASES=all $(PYTEST) -m slow

soak: $(TEST_PARTS) $(NEO4J) ## Run the long loops in full; takes hours
	DATAAGENT_SOAK=1 DATAAGENT_TEST_DATABASES=all $(PYTEST) -m slow --timeout 0

check: $(DEV_PACKAGES) $(WEB_PACKAGES) ## Lint, types, import rules, of Python and of the console
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-python check-web

check-python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

check-web:
	$(if $(NPM),npm run --silent --prefix web check,@echo "npm not found: the console is not checked")

bench: $(DEV_PACKAGES) $(SERVICES) ## Measure against the bare library and others' servers and write benchmarks/RESULTS.md
	$(UV) sync --quiet --frozen --all-packages --group bench --python $(BIN)/python
	$(BIN)/python benchmarks/run.py

# Inexact: the packages of the tests stay. Without Agno the other figures are measured, with a note.
bench-quick: $(DEV_PACKAGES) ## Measure the figures to hold in 3 minutes, beside those on record; RECORD=1 makes them the record
	$(UV) sync --quiet --frozen --inexact --all-packages --group bench --python $(BIN)/python || echo "The group bench cannot be had here: Agno is left out"
	$(BIN)/python benchmarks/quick.py $(if $(RECORD),--record)

clean: ## Remove what the other targets made
	rm -rf $(VENV) tests/thirdparty/node_modules web/node_modules $(CONSOLE) .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(UV):
	@$(PYTHON) -c '$(CHECKED_PYTHON)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

DECLARED := uv.lock pyproject.toml $(wildcard libs/*/pyproject.toml)
SYNC := $(UV) sync --quiet --frozen --all-packages --compile-bytecode --python $(BIN)/python

# This removes the packages that only tests need, so it also removes their stamp.
$(PACKAGES): $(DECLARED) | $(UV)
	@rm -f $(DEV_PACKAGES)
	$(SYNC) --no-dev --group run
	@touch $@

# This includes the packages for running, so `make run` has nothing left to do.
$(DEV_PACKAGES): $(DECLARED) | $(UV)
	$(SYNC)
	@touch $(PACKAGES) $@

# A third-party server to test against; without npm its tests are skipped with a message.
$(NODE_PARTS): tests/thirdparty/package-lock.json | $(DEV_PACKAGES)
	@if command -v npm >/dev/null; then npm ci --silent --no-audit --no-fund --prefix tests/thirdparty; \
	else echo "npm not found: tests against third-party servers will be skipped"; fi
	@touch $@

# 128 MB of jars, which only slow tests need.
$(NEO4J): tests/services/neo4j/get_jars.py tests/services/neo4j/jars.txt | $(DEV_PACKAGES)
	@$(BIN)/python tests/services/neo4j/get_jars.py || echo "Neo4j cannot be had here: its tests will be skipped"
	@touch $@

# Without npm nothing is built: the server then shows a page that says so.
$(WEB_PACKAGES): web/package-lock.json
	$(if $(NPM),npm ci --silent --no-audit --no-fund --prefix web && touch $@,@echo "npm not found: the console cannot be built")

$(CONSOLE_BUILT): $(WEB_PACKAGES) $(WEB_SOURCES)
	$(if $(NPM),npm run --silent --prefix web build && touch $@,@true)

# PostgreSQL and Redis are wheels; MariaDB is Debian's, unpacked into .venv; MCP servers are PyPI's, an
# environment each. No test downloads anything.
$(SERVICES): tests/services/get_mariadb.sh tests/services/get_mcp_servers.sh tests/services/get_chromium.sh $(wildcard tests/services/mcp_servers/*.txt) | $(DEV_PACKAGES)
	@tests/services/get_mariadb.sh || echo "MariaDB cannot be had here: its tests will be skipped"
	@tests/services/get_mcp_servers.sh || echo "MCP servers cannot be had here: their tests will be skipped"
	@tests/services/get_chromium.sh || echo "Chromium cannot be had here: the console's walks will be skipped"
	@touch $@
