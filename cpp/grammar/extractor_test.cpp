#include "grammar/extractor.hpp"

#include <fstream>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/section_test.hpp"
#include "base/test.hpp"
#include "grammar/cdec_format.hpp"

namespace demotic::extractor_test {

const std::string kBitext = "extractor_test.bitext", kIndex = "extractor_test.index";

void write_index() {
  BitextBuilder builder;
  builder.add("das haus ist klein", "the house is small", "0-0 1-1 2-2 3-3");
  builder.add("das haus", "the house", "0-0 1-1");
  builder.add("ja klein ist das haus", "yes the house is small indeed", "0-0 1-4 2-3 3-1 4-2");
  builder.add("das ist ja klein", "it 's small", "0-0 1-1 3-2");
  builder.write(kBitext);
  build_index(Bitext(kBitext), kIndex, 2);
}

Grammar extract(const std::string& path, const char* features = "hiero8") {
  const auto index = std::make_shared<const GrammarIndex>(path, 1);
  const Extractor extractor(index, {}, feature_set(features));
  const std::vector<std::string_view> words{"ja", "das", "haus", "ist", "klein", "unbekannt"};
  const Mask mask(index, {1, 2});
  extractor.extract(words, &mask);
  return extractor.extract(words, nullptr);
}

std::string word(const Grammar& grammar, Symbol symbol) {
  return std::string(grammar.target_vocab->word(static_cast<WordId>(symbol)));
}

TEST("rules come grouped by source side, most frequent first") {
  write_index();
  const Grammar grammar = extract(kIndex, "cdec12");
  bool found = false;
  for (const auto& block : grammar.blocks) {
    CHECK(!block->rules.empty() && block->features.size() == block->rules.size() * 7);
    for (const auto& side : block->sides) {
      for (std::uint32_t r = side.rule_begin; r + 1 < side.rule_end; ++r)
        CHECK(block->statistics[r].count_fe >= block->statistics[r + 1].count_fe);
      const auto source = block->source(side);
      if (source.size() != 2 || source[0] < 0 || source[1] < 0 ||
          grammar.source_vocab->word(static_cast<WordId>(source[0])) != "das")
        continue;
      const auto target = block->target(block->rules[side.rule_begin]);
      if (target.size() != 2 || word(grammar, target[1]) != "house") continue;
      found = true;
      CHECK(word(grammar, target[0]) == "the" && block->statistics[side.rule_begin].count_fe == 3 &&
            block->samples == 3);
      CHECK((block->alignment(block->rules[side.rule_begin])[1] == RuleLink{1, 1}));
    }
  }
  CHECK(found);
}

TEST("a mask of another index is refused, even of the same file") {
  write_index();
  const auto index = std::make_shared<const GrammarIndex>(kIndex, 1),
             other = std::make_shared<const GrammarIndex>(kIndex, 1);
  const Extractor extractor(index, {}, feature_set("cdec12"));
  const std::vector<std::string_view> words{"das", "haus"};
  for (const auto& sentences : {std::vector<std::uint32_t>{}, {1}, {1, 2}}) {
    const Mask mask(other, sentences);
    CHECK(test::thrown<Error>([&] { extractor.extract(words, &mask); }).find("another index") !=
          std::string::npos);
    const Mask own(index, sentences);
    extractor.extract(words, &own);
  }
}

TEST("masks of the same sentences find each other's patterns") {
  write_index();
  const auto index = std::make_shared<const GrammarIndex>(kIndex, 1);
  const Extractor extractor(index, {}, feature_set("cdec12"));
  const std::vector<std::string_view> words{"das", "haus"};
  const Mask first(index, {1, 2}), second(index, {2, 1, 2}), different(index, {1, 3});
  extractor.extract(words, &first);
  CHECK(extractor.cache().use().hits == 0);
  extractor.extract(words, &second);
  const auto [hits, misses] = extractor.cache().use();
  CHECK(hits > 0 && hits == misses);
  extractor.extract(words, &different);
  CHECK(extractor.cache().use().hits == hits);
}

TEST("an index with any damaged byte is refused or still safe to use") {
  write_index();
  std::ifstream in(kIndex, std::ios::binary);
  const std::string whole = test::without_checksums({std::istreambuf_iterator<char>(in), {}});
  const std::string damaged = kIndex + ".damaged";
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char flip : {'\x01', '\xff'}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      std::ofstream(damaged, std::ios::binary) << bytes;
      test::thrown<Error>([&] { extract(damaged); });
    }
}

TEST("four threads that share an extractor and its cache find the rules that one finds") {
  write_index();
  const auto index = std::make_shared<const GrammarIndex>(kIndex, 1);
  const std::vector<std::vector<std::string_view>> sentences = {
      {"ja", "das", "haus", "ist", "klein"},
      {"das", "haus"},
      {"klein", "ist", "das"},
      {"unbekannt"}};
  const auto extract_all = [&](unsigned threads) {
    const Extractor extractor(index, {}, feature_set("cdec12"));
    const Mask fold(index, {1, 2});
    std::vector<std::string> grammars(24);
    parallel_for(grammars.size(), threads, [&](std::size_t i) {
      const Mask own(index, {static_cast<std::uint32_t>(i % 4)});
      const Mask* const masks[] = {nullptr, &fold, &own};
      grammars[i] = to_cdec_format(extractor.extract(sentences[i % 4], masks[i % 3]));
    });
    return grammars;
  };
  const auto expected = extract_all(1);
  CHECK(expected[0] != expected[4] && expected[0] != expected[8]);  // the masks make a difference
  for (int repeat = 0; repeat < 3; ++repeat) CHECK(extract_all(4) == expected);
}

}  // namespace demotic::extractor_test
