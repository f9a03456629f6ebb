#include "decode/border_features.hpp"

#include "base/error.hpp"
#include "base/probe_table.hpp"

namespace demotic {

class BorderFeatures::Builder {
 public:
  Builder(BorderFeatures& result, const Forest& forest) : result_(result), forest_(forest) {
    for (const UsedRule& used : forest.rules)
      runs_.push_back(border_runs(*forest.book, result.words_, used.rule));
  }

  void run() {
    for (NodeId node = 0; node < forest_.nodes.size(); ++node) {
      const HyperNode& at = forest_.nodes[node];
      for (std::uint32_t e = at.edges_begin; e < at.edges_end; ++e) {
        const BorderWords words = read(forest_.edges[e], node == forest_.goal());
        if (e == at.edges_begin) nodes_.push_back(words);
        if (words != nodes_.back())
          throw Error("the hypergraph was made without the template tgt_border",
                      "decode the sentence again");
        result_.begins_.push_back(static_cast<std::uint32_t>(result_.entries_.size()));
      }
    }
  }

 private:
  BorderWords read(const HyperEdge& edge, bool is_goal) {
    const auto tails = forest_.target_tails(edge);
    const auto borders = [&](NodeId tail) { return tail == kNone ? nullptr : &nodes_[tail]; };
    const BorderWords words = join_borders(runs_[edge.rule], borders(tails[0]), borders(tails[1]),
                                           [this](WordId left, WordId right) { add(left, right); });
    if (!is_goal) return words;
    add(kSentenceBegin, words.empty() ? kSentenceEnd : words.first);
    if (!words.empty()) add(words.last, kSentenceEnd);
    return {};  // nothing stands beside the goal
  }

  void add(WordId left, WordId right) {
    const auto [number, is_new] = numbers_.insert(
        std::uint64_t{left} << 32 | right, static_cast<std::uint32_t>(result_.bigrams_.size()));
    if (is_new) result_.bigrams_.emplace_back(left, right);
    result_.entries_.push_back(*number);
  }

  BorderFeatures& result_;
  const Forest& forest_;
  std::vector<BorderRuns> runs_;    // by rule of the forest
  std::vector<BorderWords> nodes_;  // of those that have been read
  KeyTable<std::uint32_t> numbers_;
};

BorderFeatures::BorderFeatures(const Forest& forest)
    : book_(forest.book), words_(*book_), names_(*book_, words_) {
  Builder(*this, forest).run();
}

std::shared_ptr<const BorderFeatures> BorderFeatures::of(const Forest& forest) {
  if (!forest.book->has_borders()) return nullptr;
  return std::shared_ptr<const BorderFeatures>(new BorderFeatures(forest));
}

Fingerprint BorderFeatures::print(std::size_t feature) const {
  const auto [left, right] = bigrams_[feature / templates()];
  return names_.print(feature % templates(), left, right);
}

std::string BorderFeatures::name(std::size_t feature) const {
  const auto [left, right] = bigrams_[feature / templates()];
  return names_.name(feature % templates(), left, right);
}

std::vector<double> BorderFeatures::weights(const FeatureIndex& index, WeightView weights) const {
  std::vector<double> sums;
  sums.reserve(bigrams_.size());
  for (const auto& [left, right] : bigrams_) {
    double sum = 0;
    for (std::size_t t = 0; t < templates(); ++t)
      if (const auto id = index.find(names_.print(t, left, right))) sum += weights[*id];
    check_score(sum);
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace demotic
