// A test program in a few lines: TEST("what must hold") { CHECK(...); }  and, once per file,
// TEST_MAIN.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace demotic::test {

struct Suite {
  std::vector<std::pair<std::string, std::function<void()>>> cases;
  int failures = 0;

  int run() {
    for (auto& [name, body] : cases) {
      const int before = failures;
      try {
        body();
      } catch (const std::exception& error) {
        ++failures;
        std::printf("  exception: %s\n", error.what());
      }
      std::printf("%s %s\n", failures == before ? "ok  " : "FAIL", name.c_str());
    }
    return failures == 0 ? 0 : 1;
  }
};

// Test programs only: cases register themselves before main.
inline Suite& suite() {
  static Suite suite;
  return suite;
}

struct Register {
  Register(const char* name, std::function<void()> body) {
    suite().cases.emplace_back(name, std::move(body));
  }
};

inline void check(bool holds, const char* expression, const char* file, int line) {
  if (holds) return;
  ++suite().failures;
  std::printf("  %s:%d: CHECK(%s)\n", file, line, expression);
}

// The message of the exception that `body` throws, or "" if it throws none.
template <class Exception, class Body>
std::string thrown(Body body) {
  try {
    body();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace demotic::test

#define DEMOTIC_JOIN2(a, b) a##b
#define DEMOTIC_JOIN(a, b) DEMOTIC_JOIN2(a, b)
#define TEST(name)                                                        \
  static void DEMOTIC_JOIN(test_, __LINE__)();                            \
  static const demotic::test::Register DEMOTIC_JOIN(register_, __LINE__)( \
      name, DEMOTIC_JOIN(test_, __LINE__));                               \
  static void DEMOTIC_JOIN(test_, __LINE__)()
#define CHECK(expression) demotic::test::check((expression), #expression, __FILE__, __LINE__)
#define TEST_MAIN \
  int main() { return demotic::test::suite().run(); }
