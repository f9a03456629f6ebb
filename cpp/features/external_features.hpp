// Features from functions outside the core, such as templates that a user wrote in Python: called
// once per distinct rule.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "features/name_hash.hpp"
#include "features/rule_view.hpp"
#include "features/word_hashes.hpp"

namespace demotic {

struct ExternalFeature {
  std::string name;
  float value;
};

class ExternalFeatures {
 public:
  struct Feature {
    Fingerprint print;
    std::string name;
    float value;
  };
  using Row = std::shared_ptr<const std::vector<Feature>>;
  // Gets rules that it has not seen and returns the features of each, every name at most once. What
  // it returns may depend on the rule's symbols and alignment, nothing else.
  using Function =
      std::function<std::vector<std::vector<ExternalFeature>>(std::span<const RuleView> rules)>;

  // Remembers up to `max_rules` rules (then it forgets all and begins anew).
  explicit ExternalFeatures(Function function, std::size_t max_rules = 1'000'000)
      : function_(std::move(function)), max_rules_(max_rules) {}

  // The features of all rules of a grammar, in its order. For any number of threads.
  std::vector<Row> of(const GrammarView& context, const WordHashes& source,
                      const WordHashes& target);

 private:
  struct Hash {
    std::size_t operator()(const Fingerprint& print) const {
      return static_cast<std::size_t>(print.first ^ print.second << 3);
    }
  };

  Function function_;
  std::size_t max_rules_;
  std::mutex mutex_;  // also while the function runs: a rule is never given to it twice
  std::unordered_map<Fingerprint, Row, Hash> rows_;
};

}  // namespace demotic
