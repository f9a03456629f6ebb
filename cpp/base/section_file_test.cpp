#include "base/section_file.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "base/section_test.hpp"
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

TEST("a file that somebody changes in place while it is mapped is noticed") {
  write_example();
  const SectionReader cut(kPath, "test", 3);
  cut.check_unchanged();
  std::filesystem::resize_file(kPath, 100);
  const std::string message = test::thrown<Error>([&] { cut.check_unchanged(); });
  CHECK(message == "the file was changed while it was in use");
  write_example();  // takes its place
  const SectionReader replaced(kPath, "test", 3);
  write_example();
  replaced.check_unchanged();
  CHECK(replaced.section<std::uint32_t>("numbers")[999] == 999);
  const SectionReader overwritten(kPath, "test", 3);
  const auto time = std::filesystem::last_write_time(kPath);
  spit(slurp());  // the same length, at another time
  std::filesystem::last_write_time(kPath, time + std::chrono::seconds(1));
  CHECK(test::thrown<Error>([&] { overwritten.check_unchanged(); }) == message);
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

TEST("every flipped bit is found by the checksums, in small parts when the file is opened") {
  std::vector<std::uint32_t> large(20'000, 7);
  SectionWriter writer(kPath, "test", 3, 2);
  writer.add("small", std::vector<std::uint8_t>{1, 2, 3});
  writer.add("large", large);
  writer.finish();
  const std::string whole = slurp();
  CHECK(check_sections(kPath).has_checksums);
  CHECK(check_sections(kPath).damaged.empty());
  const std::size_t data = whole.find(std::string("\1\2\3", 3));
  for (const std::size_t place : {std::size_t{40}, std::size_t{70}, data, data + 1000}) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ 16);
    spit(bytes);
    std::vector<std::string> found;
    const std::string said = test::thrown<Error>([&] { found = check_sections(kPath).damaged; });
    CHECK(!said.empty() || found.size() == 1);
    CHECK(opening().empty() == (place == data + 1000));
    if (place >= data) CHECK(found[0] == (place == data ? "small" : "large"));
  }
}

TEST("a flipped bit is found at every byte, also between sections") {
  write_example();
  const std::string whole = slurp();
  std::size_t missed = 0;
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ 1 << place % 8);
    spit(bytes);
    bool is_found = false;
    const std::string said =
        test::thrown<Error>([&] { is_found = !check_sections(kPath).damaged.empty(); });
    missed += said.empty() && !is_found;
  }
  CHECK(missed == 0);
}

TEST("files without checksums are read") {
  write_example();
  spit(test::without_checksums(slurp()));
  CHECK(opening().empty());
  CHECK(!check_sections(kPath).has_checksums);
  CHECK(check_sections(kPath).damaged.empty());
}

TEST("CRC-32C has the published values") {
  CHECK(Crc32c::of("123456789", 9) == 0xe3069283u);  // Koopman's catalogue; RFC 3720, B.4:
  CHECK(Crc32c::of(std::string(32, '\0').data(), 32) == 0x8a9136aau);
  CHECK(Crc32c::of(std::string(32, '\xff').data(), 32) == 0x62a8ab43u);
  Crc32c parts;
  parts.update("12345", 5);
  parts.update("6789", 4);
  CHECK(parts.value() == 0xe3069283u);
}

std::size_t files_here() {
  const std::filesystem::directory_iterator files(".");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST("an unfinished writer leaves nothing behind") {
  std::remove(kPath.c_str());
  const std::size_t before = files_here();
  {
    SectionWriter file(kPath, "test", 3, 2);
    file.add("numbers", std::vector<int>{1, 2, 3});
    CHECK(files_here() == before + 1);
  }
  CHECK(files_here() == before);
}

TEST("two writers of one file never mix, and no link is followed") {
  std::filesystem::create_symlink("victim", kPath + ".tmp");
  SectionWriter first(kPath, "test", 3, 1), second(kPath, "test", 3, 1);
  first.add("numbers", std::vector<std::uint32_t>(10, 1));
  second.add("numbers", std::vector<std::uint32_t>(5000, 2));
  second.finish();
  first.finish();
  const SectionReader file(kPath, "test", 3);
  CHECK(file.section<std::uint32_t>("numbers").size() == 10);
  CHECK(check_sections(kPath).damaged.empty());
  CHECK(!std::filesystem::exists("victim"));
}

}  // namespace demotic::section_file_test
