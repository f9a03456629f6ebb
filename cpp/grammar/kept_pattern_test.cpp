#include "grammar/kept_pattern.hpp"

#include <random>

#include "base/test.hpp"
#include "grammar/cdec_format.hpp"
#include "grammar/extractor.hpp"

namespace demotic::kept_pattern_test {

const std::string kBitext = "kept_pattern_test.bitext", kIndex = "kept_pattern_test.index";

// Few words, so that patterns are frequent; some sentences are repeated, and some repeat one word
// more often than there are spare occurrences.
std::vector<std::vector<std::string>> write_corpus(std::mt19937& random, std::size_t sentences) {
  BitextBuilder builder;
  std::vector<std::vector<std::string>> sources;
  const auto words = [&](const char* letters, std::size_t size, std::size_t length) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < length; ++i) result.emplace_back(1, letters[random() % size]);
    return result;
  };
  const auto line = [](const std::vector<std::string>& parts) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : " ") + part;
    return text;
  };
  for (std::size_t i = 0; i < sentences; ++i) {
    const bool repeats = i % 7 == 3;
    auto source = words("abcdef", repeats ? 2 : 6, repeats ? 12 + random() % 6 : 2 + random() % 8);
    if (i > 0 && random() % 6 == 0) source = sources[random() % i];
    const auto target = words("uvwxy", 5, 1 + random() % 8);
    std::vector<std::string> links;
    for (std::size_t k = 0; k < source.size(); ++k)
      if (random() % 5 != 0)
        links.push_back(std::to_string(k) + "-" +
                        std::to_string(random() % 4 == 0 ? random() % target.size()
                                                         : std::min(k, target.size() - 1)));
    builder.add(line(source), line(target), line(links));
    sources.push_back(source);
  }
  builder.write(kBitext);
  build_index(Bitext(kBitext), kIndex, 1);
  return sources;
}

// Everything that a block says.
std::string content(const Grammar& grammar) {
  std::string text = to_cdec_format(grammar);
  const auto append = [&](const auto& values) {
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
  };
  for (const auto& block : grammar.blocks) {
    text += std::to_string(block->samples) + " " + std::to_string(block->occurrences_f) + "\n";
    for (const SourceSide& side : block->sides) text += std::to_string(side.count_f) + " ";
    append(block->features);
    append(block->links);
    append(block->symbols);
    for (const RuleStatistics& rule : block->statistics)
      append(std::array{rule.count_fe, rule.lexical_fe, rule.lexical_ef, rule.occurrences_e});
  }
  return text;
}

TEST("rules from kept counts are those of a search under the mask") {
  std::mt19937 random(1);
  std::uint64_t hits = 0;
  for (int corpus = 0; corpus < 12; ++corpus) {
    const auto sources = write_corpus(random, 20 + 10 * static_cast<std::size_t>(corpus));
    const auto index = std::make_shared<const GrammarIndex>(kIndex, 1);
    for (int setting = 0; setting < 8; ++setting) {
      ExtractOptions options;
      options.max_samples = std::array{1u, 2u, 3u, 5u, 9u, 20u, 40u, 300u}[setting];
      options.scan_limit = std::array{0u, 1u, 2u, 4u, 7u, 15u}[random() % 6];
      options.max_targets = random() % 3 == 0 ? 2 : 0;
      options.lexical_mask = random() % 2 == 0;
      const FeatureSet& features = feature_set(setting % 2 == 0 ? "hiero8" : "cdec12");
      options.cache_bytes = setting % 3 == 0 ? 1 << 16 : 1 << 24;  // some must go again
      const Extractor kept(index, options, features);
      options.cache_bytes = 0;
      const Extractor searched(index, options, features);
      for (int repeat = 0; repeat < 30; ++repeat) {
        const auto left_out = static_cast<std::uint32_t>(random() % sources.size());
        // Its own sentence as a rule, and now and then another.
        const auto& source = sources[random() % 5 == 0 ? random() % sources.size() : left_out];
        const std::vector<std::string_view> words(source.begin(), source.end());
        const Mask mask(index, {left_out});
        CHECK(content(kept.extract(words, &mask)) == content(searched.extract(words, &mask)));
      }
      hits += kept.cache().use().hits;
      CHECK(kept.cache().bytes() <= (1 << 24));
    }
  }
  CHECK(hits > 50000);
}

TEST("the place of a suffix is found in every range that has it") {
  std::mt19937 random(2);
  write_corpus(random, 40);
  const GrammarIndex index(kIndex, 1);
  const IndexedText& text = index.parts()[0].source;
  for (WordId word = 0; word < text.vocab_size(); ++word) {
    const SuffixRange range = text.with_word(word);
    for (std::uint32_t i = range.begin; i < range.end; ++i)
      CHECK(text.place_of(range, text.suffixes[i]) == i);
    CHECK(text.place_of(range, text.starts[0] - 1) == range.end);
  }
}

}  // namespace demotic::kept_pattern_test
