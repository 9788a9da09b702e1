# Everything below works from a bare clone with nothing but Python (3.11 or newer) and make.
PYTHON ?= python3
VENV   := .venv
PEERS  := .venv-accountants
RUN    := $(VENV)/bin
FOLDERS := exact symbolic proofs protocols crosscheck
CORES  ?= auto
TESTS  := -q -n $(CORES) --dist loadgroup --durations=10 --timeout-method=thread
# the tests start our programs hundreds of times, each of which would compile its sources again
CACHED := PYTHONDONTWRITEBYTECODE=
KEPT   := PANSHUFFLE_KERNEL_BUILD=build/kernel

.PHONY: verify test test-full kernel lint clean docs accountants court browser dist

verify: $(VENV)/main.stamp      ## set up, then check every statement in the ledger
	$(RUN)/panshuffle verify

test: $(VENV)/test.stamp        ## set up, then run the tests
	$(CACHED) $(RUN)/pytest $(TESTS) --timeout=300 --hypothesis-seed=0

test-full: $(VENV)/test.stamp   ## the same sweeps at their full counts
	$(CACHED) PANSHUFFLE_FULL=1 $(RUN)/pytest $(TESTS) --timeout=7200
	$(KEPT) PANSHUFFLE_FULL=1 $(RUN)/pytest -q -n $(CORES) tests/provers/test_kernel.py

kernel: $(VENV)/test.stamp      ## check the ledger with the proofs of the kernel, and test its checker, with Coq 8.16 (Debian: apt-get install coq libcoq-coquelicot)
	@command -v coqc coqchk > /dev/null || { echo "make kernel needs Coq 8.16: coqc and coqchk" >&2; exit 1; }
	$(KEPT) $(RUN)/panshuffle verify --kernel
	$(KEPT) $(RUN)/pytest -q -n $(CORES) --timeout=600 tests/provers/test_kernel.py

docs: $(VENV)/docs.stamp        ## build the documentation into build/docs, warnings as errors
	$(RUN)/sphinx-build -q -W --keep-going -b html docs build/docs

browser: $(VENV)/browser.stamp  ## the report, the explorer, the annotated paper and the built documents in a real browser (Debian: apt-get install chromium chromium-driver)
	$(RUN)/pytest -q --timeout=300 tests/browser

accountants: $(PEERS)/accountants.stamp ## the benchmark's tests with the accountants themselves, in an environment of their own
	$(PEERS)/bin/pytest -q --timeout=600 tests/crosscheck/test_accountants_installed.py

court: accountants              ## another name of it

dist: $(VENV)/test.stamp        ## the wheel and the sdist, each installed into an empty environment and tried there
	rm -rf dist
	$(RUN)/python -m build -o dist
	for file in dist/*.whl dist/*.tar.gz; do sh tests/smoke.sh $(PYTHON) "$$file" || exit 1; done

lint: $(VENV)/lint.stamp        ## style and types
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	rm -rf build/types && mkdir -p build/types/panshuffle
	ln -s $(CURDIR)/panshuffle/* $(addprefix $(CURDIR)/,$(FOLDERS)) build/types/panshuffle
	cd build/types && $(CURDIR)/$(RUN)/mypy --config-file $(CURDIR)/pyproject.toml

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/main.stamp: $(VENV)/bin/python pyproject.toml
	$(RUN)/python -m pip install -q --disable-pip-version-check -e '.[solvers]' || $(RUN)/python -m pip install -q --disable-pip-version-check -e .
	touch $@

$(VENV)/test.stamp: $(VENV)/bin/python pyproject.toml
	$(RUN)/python -m pip install -q --no-compile --disable-pip-version-check -e '.[test]'
	touch $@

$(VENV)/lint.stamp: $(VENV)/test.stamp
	$(RUN)/python -m pip install -q --disable-pip-version-check -e '.[lint]'
	touch $@

$(VENV)/docs.stamp: $(VENV)/bin/python pyproject.toml
	$(RUN)/python -m pip install -q --disable-pip-version-check -e '.[docs]'
	touch $@

$(VENV)/browser.stamp: $(VENV)/bin/python pyproject.toml
	$(RUN)/python -m pip install -q --disable-pip-version-check -e '.[browser]'
	touch $@

$(PEERS)/accountants.stamp: pyproject.toml
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install -q --disable-pip-version-check -e '.[accountants,test]'
	touch $@

clean:
	rm -rf $(VENV) $(PEERS)
