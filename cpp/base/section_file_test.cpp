#include "base/section_file.hpp"

#include <cstdio>
#include <fstream>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::section_file_test {

const std::string kPath = "section_file_test.bin";

void write_example() {
  std::vector<std::uint32_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0u);
  SectionWriter file(kPath, "test", 3, 2);
  file.add("numbers", numbers);
  file.add("empty", std::vector<double>());
  file.finish();
}

std::string slurp() {
  std::ifstream in(kPath, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void spit(const std::string& bytes) { std::ofstream(kPath, std::ios::binary) << bytes; }

std::string opening() {
  return test::thrown<Error>([] { SectionReader(kPath, "test", 3); });
}

TEST("sections come back as they were written") {
  write_example();
  const SectionReader file(kPath, "test", 3);
  const auto numbers = file.section<std::uint32_t>("numbers");
  CHECK(numbers.size() == 1000);
  CHECK(numbers[999] == 999);
  CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64 == 0);
  CHECK(file.section<double>("empty").empty());
}

TEST("a file that leaves the page cache when it is written comes back as it was") {
  std::vector<std::uint32_t> numbers(5 << 20);
  std::iota(numbers.begin(), numbers.end(), 0u);
  SectionWriter writer(kPath, "test", 3, 1);
  writer.add("numbers", numbers);
  writer.finish();
  {
    const SectionReader file(kPath, "test", 3);
    const auto read = file.section<std::uint32_t>("numbers");
    CHECK(std::vector<std::uint32_t>(read.begin(), read.end()) == numbers);
  }
  std::remove(kPath.c_str());
}

TEST("a wrong kind, version, section or element size is refused") {
  write_example();
  CHECK(test::thrown<Error>([] { SectionReader(kPath, "other", 3); }) ==
        "holds 'test', not 'other'");
  CHECK(test::thrown<Error>([] { SectionReader(kPath, "test", 4); }) ==
        "format version 3, this program reads version 4");
  const SectionReader file(kPath, "test", 3);
  CHECK(!test::thrown<Error>([&] { file.section<std::uint32_t>("absent"); }).empty());
  CHECK(!test::thrown<Error>([&] { file.section<std::uint64_t>("numbers"); }).empty());
}

TEST("truncation at any byte is refused") {
  write_example();
  const std::string whole = slurp();
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    spit(whole.substr(0, size));
    CHECK(!opening().empty());
  }
}

TEST("flipped bits in header and table never crash") {
  write_example();
  const std::string whole = slurp();
  for (std::size_t i = 0; i < 200; ++i)
    for (const int bit : {0, 3, 7}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      spit(bytes);
      test::thrown<Error>([&] {
        const SectionReader file(kPath, "test", 3);
        const auto numbers = file.section<std::uint32_t>("numbers");
        const auto* begin = reinterpret_cast<const char*>(numbers.data());
        CHECK(numbers.size_bytes() <= whole.size());
        CHECK(std::string(begin, numbers.size_bytes()).size() ==
              numbers.size_bytes());  // every byte can be read
      });
    }
}

TEST("an unfinished writer leaves nothing behind") {
  std::remove(kPath.c_str());
  {
    SectionWriter file(kPath, "test", 3, 2);
    file.add("numbers", std::vector<int>{1, 2, 3});
  }
  CHECK(!std::ifstream(kPath).good());
  CHECK(!std::ifstream(kPath + ".tmp").good());
}

}  // namespace demotic::section_file_test
