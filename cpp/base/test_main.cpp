// The program of all unit tests: `cpp_tests` runs them, `cpp_tests learn/mira_test.cpp` those of
// one file. They write into the current folder, which is a temporary one.
#include <stdlib.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/test.hpp"

namespace demotic::test {
namespace {

struct Case {
  std::string_view file;
  const char* name;
  std::function<void()> body;
};

struct Suite {
  std::vector<Case> cases;
  int failures = 0;

  void run(const Case& test) {
    const int before = failures;
    try {
      test.body();
    } catch (const std::exception& error) {
      ++failures;
      std::printf("  exception: %s\n", error.what());
    }
    std::printf("%s %s\n", failures == before ? "ok  " : "FAIL", test.name);
  }
};

Suite& suite() {
  static Suite suite;
  return suite;
}

// The current folder while it lives, then gone with all that the tests left there.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "demotic-tests-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr)
      throw std::filesystem::filesystem_error("cannot make a temporary folder", path_,
                                              std::make_error_code(std::errc::io_error));
    std::filesystem::current_path(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  std::string path_;
};

}  // namespace

Register::Register(const char* file, const char* name, std::function<void()> body) {
  suite().cases.push_back({file, name, std::move(body)});
}

void check(bool holds, const char* expression, const char* file, int line) {
  if (holds) return;
  ++suite().failures;
  std::printf("  %s:%d: CHECK(%s)\n", file, line, expression);
}

}  // namespace demotic::test

int main(int count, char** arguments) {
  demotic::test::Suite& suite = demotic::test::suite();
  const std::string_view file = count > 1 ? arguments[1] : "";
  const demotic::test::TemporaryFolder folder;
  int found = 0;
  for (const demotic::test::Case& test : suite.cases)
    if (test.file.ends_with(file)) {
      ++found;
      suite.run(test);
    }
  if (found == 0) std::printf("no tests in %s\n", arguments[count - 1]);
  return found > 0 && suite.failures == 0 ? 0 : 1;
}
