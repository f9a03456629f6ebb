// Packed hypergraphs of many sentences in one file, which is written once and then mapped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/section_file.hpp"
#include "decode/hypergraph.hpp"

namespace demotic {

// The file appears under its name when it is complete.
class ForestFileWriter {
 public:
  // `key` says what the hypergraphs were made with. `limit`: bytes that the file may have.
  ForestFileWriter(const std::string& path, std::string key, std::uint64_t limit);

  // Keeps a hypergraph under a number, unless the file would become too large; whether it does.
  bool add(std::uint32_t number, const Hypergraph& graph);
  void finish();  // once, at the end

  std::size_t size() const { return numbers_.size(); }  // hypergraphs so far

 private:
  std::string key_;
  std::uint64_t room_;  // bytes left
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint64_t> ends_, checksums_;  // of the records
  SectionWriter file_;
};

class ForestFile {
 public:
  // Throws Error if there is no such file, it has another key, or its bytes are not those that were
  // written.
  ForestFile(const std::string& path, std::string_view key);

  std::size_t size() const { return places_.size(); }
  // The packed hypergraph of a number, valid as long as this file; empty: it was not kept.
  std::string_view find(std::uint32_t number) const;

 private:
  SectionReader file_;
  std::vector<std::pair<std::uint32_t, std::string_view>> places_;  // by rising number
};

}  // namespace demotic
