// Unit tests in a few lines: TEST("what must hold") { CHECK(...); }
// All tests are one program, and several files are compiled together: each has a namespace of its
// own, demotic::NAME_test.
#pragma once

#include <functional>
#include <string>

namespace demotic::test {

// Test program only: cases register themselves before main.
struct Register {
  Register(const char* file, const char* name, std::function<void()> body);
};

void check(bool holds, const char* expression, const char* file, int line);

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
      __FILE__, name, DEMOTIC_JOIN(test_, __LINE__));                     \
  static void DEMOTIC_JOIN(test_, __LINE__)()
#define CHECK(expression) demotic::test::check((expression), #expression, __FILE__, __LINE__)
