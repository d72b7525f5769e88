# Needs Python 3.11 or newer, git and make; everything else is installed into $(VENV).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

.PHONY: help demo test lint types nightly test-engine test-vllm test-peers clean

help: ## Show this list.
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "promptc needs Python 3.11 or newer; set PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

demo: $(STAMP) ## Build the shipped specs, render one request, show one prefix diff.
	@PATH="$(abspath $(BIN)):$$PATH" bash docs/demo.sh

test: $(STAMP) lint types ## Run every check and the whole suite.
	$(BIN)/python -m pytest -q -n $(WORKERS)

lint: $(STAMP) ## Style and import layers.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(STAMP) ## Strict types.
	$(BIN)/mypy

nightly: $(STAMP) ## The suite with many more random programs, inputs and texts.
	PROMPTC_NIGHTLY=1 $(BIN)/python -m pytest -q -n $(WORKERS) tests/properties

test-engine: $(STAMP) ## Predictions beside llama.cpp's server, which runs here.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[engine]'
	PROMPTC_ENGINE=1 $(BIN)/python -m pytest -q tests/engine/test_llama_cpp.py

# vLLM brings its own torch; the vision and audio packages beside it are made for another one and keep it from starting.
test-vllm: ## Predictions beside vLLM, in an environment of its own (4 GB).
	$(PYTHON) -m venv $(VENV)-vllm
	$(VENV)-vllm/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,vllm]'
	$(VENV)-vllm/bin/python -m pip uninstall --quiet --yes torchvision torchaudio torchcodec
	PROMPTC_ENGINE=1 $(VENV)-vllm/bin/python -m pytest -q tests/engine/test_vllm.py

test-peers: $(STAMP) ## Predictions beside LiteLLM's.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[peers]'
	$(BIN)/python -m pytest -q tests/conformance/test_litellm_prediction.py tests/conformance/test_litellm_on_captures.py

clean: ## Remove what the targets made.
	rm -rf $(VENV) $(VENV)-vllm .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist
