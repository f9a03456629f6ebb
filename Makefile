# `make demo` and `make test` do everything on a fresh machine with Python and a C++ compiler; nothing is done twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILD := build/native
WHEEL := build/wheel
SOURCES := pyproject.toml CMakeLists.txt $(shell find cmake cpp bindings src -type f -not -name '*.pyc' 2>/dev/null)
CXX_FILES := $(shell find cpp bindings -name '*.?pp')
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Packages are installed while the core is compiled, types are checked while the C++ tests are: pip and mypy have one thread.
MAKEFLAGS += -j2

.PHONY: demo test test-all fuzz fuzz-guided chaos chaos-serve cpp-test sanitize sanitize-threads bench lint tidy docs clean

demo: $(VENV)/.installed-report+serve
	$(BIN)/demotic demo --out demo

# A test file stays in one process, which keeps what its tests share; the order is that of tests/conftest.py.
# Three processes for two cores: tests of Ray mostly wait.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

test: lint cpp-test
	$(PYTEST)

# The slow tests too, and properties on random examples instead of fixed ones.
test-all: lint cpp-test $(VENV)/.dependencies-browser
	$(PYTEST) -m '' --hypothesis-profile=explore

cpp-test: $(VENV)/.wheel
	MAKEFLAGS= $(BIN)/cmake --build $(BUILD) --target cpp_tests
	$(BIN)/ctest --test-dir $(BUILD) -j2 --output-on-failure --no-tests=error

# Damaged files into every reader, other ones each time; findings stay in build/fuzz. `make fuzz MINUTES=60`.
MINUTES ?= 10
fuzz: $(VENV)/.installed-test
	$(BIN)/python tests/fuzz/runner.py build/fuzz/model build/fuzz/files --minutes $(MINUTES) --seed $$(date +%s)

# Guided by coverage, one reader at a time: `make fuzz-guided TARGET='html document'`.
TARGET ?= po document
fuzz-guided: $(VENV)/.installed-test $(VENV)/.dependencies-fuzz
	$(BIN)/python tests/fuzz/runner.py build/fuzz/model build/fuzz/files --inputs 1 --target '$(TARGET)'
	$(BIN)/python -W ignore tests/fuzz/guided.py build/fuzz/model build/fuzz/files --minutes $(MINUTES) --target '$(TARGET)' --seed $$(date +%s)

# Jobs killed at random, full disks, read-only folders, clocks that jump, Ray workers and nodes killed; see docs/concepts/robustness.md.
KILLS ?= 100
SEED ?= 1
chaos: $(VENV)/.installed-test
	$(BIN)/python -W ignore tests/chaos/runner.py --kills $(KILLS) --seed $(SEED)

# The service under load with faults.
chaos-serve: $(VENV)/.installed-test
	$(BIN)/python -W ignore tests/chaos/load.py --minutes $(MINUTES) --seed $(SEED)

# The core and its C++ tests without Python, each in a build folder of its own; a finding is a failure.
sanitize: SANITIZERS := address,undefined
sanitize-threads: SANITIZERS := thread
sanitize sanitize-threads: $(VENV)/.tools
	$(BIN)/cmake -S . -B build/$@ -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_UNITY_BUILD=ON \
	  -DDEMOTIC_PYTHON=OFF -DDEMOTIC_SANITIZE=$(SANITIZERS)
	MAKEFLAGS= $(BIN)/cmake --build build/$@ --target cpp_tests
	$(BIN)/ctest --test-dir build/$@ --output-on-failure --no-tests=error

lint: $(VENV)/.installed-test
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy -p demotic
	$(BIN)/clang-format --dry-run -Werror $(CXX_FILES)

# Minutes, so not a part of lint. It needs clang-tidy: pip install clang-tidy.
tidy:
	printf '%s\n' $(filter-out %_test.cpp,$(filter cpp/%.cpp,$(CXX_FILES))) | xargs -n 4 -P 2 sh -c 'clang-tidy --quiet "$$@" -- -std=c++20 -Icpp' tidy

bench: $(VENV)/.dependencies-peers
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed-docs
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build site demo .mypy_cache .ruff_cache .pytest_cache

# Build tools live in the environment, not in a throw-away one, so that the second build compiles only what changed.
# Debian 12 has pip 23, which takes twice as long to find out what Ray and the others need.
$(VENV)/.tools:
	$(PYTHON) tools/check_python.py
	$(PYTHON) -m venv $(VENV)
	$(PIP) install 'pip>=24' 'scikit-build-core>=1.0' 'nanobind>=2.9.2' cmake ninja "tomli>=2; python_version < '3.11'"
	touch $@

$(VENV)/.wheel: $(VENV)/.tools $(SOURCES)
	rm -rf $(WHEEL)
	SKBUILD_BUILD_DIR=$(BUILD) $(PIP) wheel . --no-deps --no-build-isolation --wheel-dir $(WHEEL)
	touch $@

# What the package and one of its extras need. Modules are compiled when they are imported: most never are.
$(VENV)/.dependencies-%: $(VENV)/.tools pyproject.toml tools/dependencies.py
	$(BIN)/python tools/dependencies.py $* > $@.txt
	$(PIP) install --no-compile -r $@.txt
	touch $@

$(VENV)/.dependencies-peers: $(VENV)/.installed-test  # one pip at a time
$(VENV)/.dependencies-browser: $(VENV)/.dependencies-peers
$(VENV)/.dependencies-fuzz: $(VENV)/.installed-test

$(VENV)/.installed-%: $(VENV)/.wheel $(VENV)/.dependencies-%
	$(PIP) install --no-deps --force-reinstall $(WHEEL)/*.whl
	touch $@

.PRECIOUS: $(VENV)/.dependencies-%
