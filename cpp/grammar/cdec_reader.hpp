// Reads grammars in cdec's text form (cdec_format.hpp), block by block, straight into the arrays of
// a grammar.
//
// Files are long and repeat themselves: the rules of a source side stand together, and so do equal
// feature values. What a line has in common with the line before is compared as bytes and not read
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "grammar/grammar.hpp"

namespace demotic {

// Rules are grouped by source side, both in the order of the file. Features that a line does not
// name are 0; the alignment may be absent; labels of nonterminals are free ([NP] ||| das [N,1] |||
// ...), with X the first of Grammar::labels. The result has its own vocabularies.
class CdecReader {
 public:
  explicit CdecReader(std::string file);  // the name is for errors
  CdecReader(const CdecReader&) = delete;
  CdecReader& operator=(const CdecReader&) = delete;

  void add(std::string_view lines);  // whole lines
  Grammar finish();                  // once, at the end

 private:
  struct Value {
    std::uint32_t feature;  // in feature_names_
    float value;
  };
  // A feature as it stands in a line.
  struct Field {
    std::string_view text;    // Name=value
    std::size_t value_begin;  // in the text
    Value value;
  };
  // Two sides are the same if their left-hand sides, symbols and labels are.
  struct HashSide {
    const CdecReader* reader;
    std::size_t operator()(std::uint32_t side) const;
  };
  struct SameSide {
    const CdecReader* reader;
    bool operator()(std::uint32_t a, std::uint32_t b) const;
  };

  [[noreturn]] void fail(const std::string& what) const;
  void read_rule(std::string_view line);
  std::uint32_t read_side(std::string_view& line);
  void read_source(std::string_view& line, SourceSide& side);
  void read_target(std::string_view& line, const SourceSide& side);
  void read_features(std::string_view& line);
  static bool repeat_field(std::string_view& line, Field& last);
  std::uint32_t feature_number(std::string_view name, std::size_t place);
  void read_links(std::string_view& line, const SourceSide& side);
  std::uint8_t label_number(std::string_view label);
  void group_by_side();
  void spread_features();

  const std::string file_;
  std::uint64_t line_ = 0;
  std::shared_ptr<Vocab> source_vocab_ = std::make_shared<Vocab>(),
                         target_vocab_ = std::make_shared<Vocab>();
  std::shared_ptr<std::vector<std::string>> feature_names_ =
      std::make_shared<std::vector<std::string>>();
  std::vector<std::string> labels_ = {"X"};

  std::shared_ptr<RuleBlock> block_ =
      std::make_shared<RuleBlock>();  // rules in the order of the file, their features still in
                                      // values_
  std::unordered_set<std::uint32_t, HashSide, SameSide> sides_;  // numbers in block_->sides
  std::vector<std::uint32_t> side_of_;                           // of each rule
  std::vector<Value> values_;              // features of all rules, one after the other
  std::vector<std::uint64_t> value_ends_;  // of each rule

  // The line before, inside the current block of text.
  std::string_view last_sides_;     // [X] ||| source |||
  std::vector<Field> last_fields_;  // by place in the line
};

}  // namespace demotic
