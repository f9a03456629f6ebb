# `make demo` and `make test` do everything on a fresh machine with Python and a C++ compiler; nothing is done twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILD := build/native
SOURCES := pyproject.toml CMakeLists.txt $(shell find cmake cpp bindings src -type f -not -name '*.pyc' 2>/dev/null)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test cpp-test bench lint docs clean

demo: $(VENV)/.installed
	$(BIN)/demotic demo --out demo

# mypy has one thread: the C++ tests are compiled meanwhile.
test: $(VENV)/.installed-test
	$(MAKE) --no-print-directory -j2 --output-sync=target lint cpp-test
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

cpp-test: $(VENV)/.installed-test
	$(BIN)/cmake --build $(BUILD) --target cpp_tests
	$(BIN)/ctest --test-dir $(BUILD) --output-on-failure --no-tests=error

lint: $(VENV)/.installed-test
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy -p demotic

bench: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed
	$(PIP) install '.[docs]' --no-build-isolation -Cbuild-dir=$(BUILD)
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build site demo .mypy_cache .ruff_cache .pytest_cache

# Build tools live in the environment, not in a throw-away one, so that the second build compiles only what changed.
$(VENV)/.tools:
	$(PYTHON) tools/check_python.py
	$(PYTHON) -m venv $(VENV)
	$(PIP) install 'scikit-build-core>=1.0' 'nanobind>=2.9.2' cmake ninja
	touch $@

$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	$(PIP) install . --no-build-isolation -Cbuild-dir=$(BUILD)
	touch $@

$(VENV)/.installed-test: $(VENV)/.tools $(SOURCES)
	$(PIP) install '.[test]' --no-build-isolation -Cbuild-dir=$(BUILD)
	touch $(VENV)/.installed $@
