#include "decode/forest_file.hpp"

#include <algorithm>
#include <span>

#include "base/hash.hpp"
#include "decode/packed_forest.hpp"

namespace demotic {
namespace {

constexpr std::string_view kForestFile = "forests";
constexpr std::uint32_t kForestVersion = 2;
constexpr std::uint32_t kForestSections = 5;
constexpr std::uint64_t kForestHead = 1024;  // header, table, key and padding of a file
constexpr std::uint64_t kForestEntry = 20;   // number, end and checksum of a record

}  // namespace

ForestFileWriter::ForestFileWriter(const std::string& path, std::string key, std::uint64_t limit)
    : key_(std::move(key)),
      room_(limit - std::min(limit, kForestHead)),
      file_(path, kForestFile, kForestVersion, kForestSections) {
  file_.begin("records", 1);
}

bool ForestFileWriter::add(std::uint32_t number, const Hypergraph& graph) {
  const std::string packed = pack_forest(graph);
  if (packed.size() + kForestEntry > room_) return false;
  room_ -= packed.size() + kForestEntry;
  file_.append(std::span<const char>(packed));
  numbers_.push_back(number);
  ends_.push_back((ends_.empty() ? 0 : ends_.back()) + packed.size());
  checksums_.push_back(hash_bytes(packed));
  return true;
}

void ForestFileWriter::finish() {
  file_.end();
  file_.add("numbers", numbers_);
  file_.add("ends", ends_);
  file_.add("checksums", checksums_);
  file_.add("key", std::span<const char>(key_));
  file_.finish();
}

ForestFile::ForestFile(const std::string& path, std::string_view key)
    : file_(path, kForestFile, kForestVersion) {
  const auto found = file_.section<char>("key");
  if (!std::ranges::equal(found, key)) file_.damaged("it belongs to another run");
  const auto records = file_.section<char>("records");
  const auto numbers = file_.section<std::uint32_t>("numbers");
  const auto ends = file_.section<std::uint64_t>("ends");
  const auto checksums = file_.section<std::uint64_t>("checksums");
  if (ends.size() != numbers.size() || checksums.size() != numbers.size() ||
      (ends.empty() ? 0 : ends.back()) != records.size() || !std::ranges::is_sorted(ends))
    file_.damaged("its records do not fill it");
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < numbers.size(); begin = ends[i++]) {
    const std::string_view record(records.data() + begin, ends[i] - begin);
    if (hash_bytes(record) != checksums[i]) file_.damaged("the checksum of a record is wrong");
    places_.emplace_back(numbers[i], record);
  }
  std::ranges::sort(places_, {}, &decltype(places_)::value_type::first);
}

std::string_view ForestFile::find(std::uint32_t number) const {
  file_.check_unchanged();
  const auto found =
      std::ranges::lower_bound(places_, number, {}, &decltype(places_)::value_type::first);
  return found != places_.end() && found->first == number ? found->second : std::string_view();
}

}  // namespace demotic
