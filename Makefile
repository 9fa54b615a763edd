# Two commands on a fresh machine: `make demo` and `make test`. Each sets up what it needs in
# a virtual environment of its own (.venv); nothing else on the machine is touched.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

INTEGRATIONS ?= .venv-integrations

OLDEST ?= .venv-oldest
LONG_PYTHON ?= python3.11

.PHONY: help demo test test-long test-oldest browser-and-java test-quick test-integrations fuzz check \
	format docs dist pictures bench calibration release-check clean

help:
	@echo "make demo        score, compare and report on the shipped examples"
	@echo "make test        run the tests, with a sample of the exhaustive ones"
	@echo "make test-long   run the exhaustive tests, before a release"
	@echo "make test-quick  run unit tests, and laws with few examples, in a minute"
	@echo "make test-integrations  run the adapters with torch, lm-eval, Inspect, ... (2 GB to install)"
	@echo "make fuzz        damage files of every format for SECONDS=60 (SEED= repeats, FORMAT=conll)"
	@echo "make check       formatter, linter, strict type checker, schemas of .github"
	@echo "make format      let the formatter and the linter mend what they can"
	@echo "make docs        build the manual into build/docs, and check links and spelling"
	@echo "make dist        build wheel and sdist, and try each in an empty environment"
	@echo "make release-check  everything that a release must pass, in this clone"
	@echo "make pictures    take the pictures of the report for README and manual"
	@echo "make bench       measure speed as ratios (options in BENCH, such as BENCH=--quick)"
	@echo "make calibration  simulate how well intervals and tests are calibrated, for the manual"
	@echo "make clean       remove everything that the others made"

demo: $(VENV)/demo.done
	@BIN=$(BIN) sh examples/demo.sh

test:
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/test.done browser-and-java
	@sh tests/run.sh $(BIN)/python "not long"

# The tests that are marked `long`: every case of what `make test` tries on a sample.
test-long:
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/test.done browser-and-java
	@sh tests/run.sh $(BIN)/python long
	@$(MAKE) --no-print-directory test-oldest

# The oldest Python, NumPy, SciPy and extras that pyproject.toml allows.
test-oldest: $(OLDEST)/oldest.done
	HYPOTHESIS_PROFILE=quick $(OLDEST)/bin/python -m pytest -q -n auto -m "not slow and not long" \
		$(foreach name,$(NOT_QUICK) $(NOT_OLDEST),--ignore tests/$(name))

$(OLDEST)/oldest.done: pyproject.toml release/oldest.txt
	@echo "setting up $(OLDEST) ..."
	@$(LONG_PYTHON) -m venv $(OLDEST)
	@$(OLDEST)/bin/python -m pip --disable-pip-version-check --quiet install --upgrade "pip>=25.1"
	@$(OLDEST)/bin/python -m pip --disable-pip-version-check --quiet install --editable . -r release/oldest.txt
	@touch $@

# The packages of the system are installed while pip installs those of Python.
browser-and-java:
	@sh tests/browser.sh
	@sh tests/java.sh

NOT_OLDEST = test_metric_pages.py test_release.py test_spelling.py test_notebooks.py
NOT_QUICK = reference pages engines papers integrations test_documentation.py test_benchmarks.py

# No other scorers, browser, Spark or manual; and few examples for each law.
test-quick: $(VENV)/test.done
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -q -n auto -m "not slow and not long" \
		$(foreach name,$(NOT_QUICK),--ignore tests/$(name))

# An environment of its own, since torch and what needs it are large. Nothing is downloaded by the
# tests themselves. The last line writes the table of equalities into docs/guides/harnesses.md.
test-integrations: $(INTEGRATIONS)/integrations.done
	HF_HUB_OFFLINE=1 $(INTEGRATIONS)/bin/python -m pytest tests/integrations \
		tests/formats/objects/test_documents.py
	$(INTEGRATIONS)/bin/python -m tests.integrations.table

$(INTEGRATIONS)/integrations.done: pyproject.toml
	@$(MAKE) --no-print-directory VENV=$(INTEGRATIONS) $(INTEGRATIONS)/demo.done
	@echo "setting up $(INTEGRATIONS) ..."
	@$(INTEGRATIONS)/bin/python -m pip --disable-pip-version-check --quiet install --group integrations
	@touch $@

# A fresh seed each time, on all processors; the exit code is 1 if anything was found.
SECONDS ?= 60
fuzz: $(VENV)/test.done
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) \
		$(foreach name,$(FORMAT),--format $(name))

check: $(VENV)/check.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[pw]*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml

format: $(VENV)/check.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/docs.done
	@rm -rf build/docs # pages that no longer exist would stay
	$(BIN)/sphinx-build -W --keep-going -q -b html -d build/doctrees docs build/docs
	$(BIN)/python -m docs.checks build/docs
	@echo "the manual is in build/docs/index.html"

# Each file is installed into an environment of its own, and used from another folder.
dist: $(VENV)/dist.done
	rm -rf dist build/dist
	$(BIN)/python -m build --outdir dist .
	@for file in dist/*.whl dist/*.tar.gz; do \
		echo "trying $$file ..."; \
		rm -rf build/dist && $(PYTHON) -m venv build/dist || exit 1; \
		build/dist/bin/python -m pip --disable-pip-version-check --quiet install $$file || exit 1; \
		sh tests/smoke.sh build/dist/bin || exit 1; \
	done

pictures: $(VENV)/test.done
	@sh tests/browser.sh
	$(BIN)/python -m tests.pages.report.screenshots

bench: $(VENV)/bench.done $(if $(findstring --spark,$(BENCH)),$(VENV)/spark.done)
	@$(BIN)/python -m compileall -q src benchmarks
	$(BIN)/python -m benchmarks $(BENCH)

calibration: $(VENV)/test.done
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m calibration $(CALIBRATION)

# What is quick to find comes first.
release-check: $(VENV)/demo.done
	$(BIN)/python release/check.py
	$(MAKE) check
	$(MAKE) docs
	$(MAKE) dist
	$(MAKE) test
	$(MAKE) test-long
	@git diff --exit-code && echo "ready: git tag -s v$$($(BIN)/python -c 'import scoref; print(scoref.__version__)')"

clean:
	rm -rf $(VENV) $(INTEGRATIONS) $(OLDEST) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Dependency groups want a recent pip.
$(VENV)/demo.done: pyproject.toml
	@echo "setting up $(VENV) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade "pip>=25.1"
	@$(PIP) install --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/%.done: $(VENV)/demo.done
	@echo "setting up $(VENV) for $* ..."
	@$(PIP) install --no-compile --group $* # most modules are never imported
	@touch $@
