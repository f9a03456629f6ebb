#include "features/rule_features.hpp"

#include <map>
#include <string>

#include "base/error.hpp"
#include "base/test.hpp"
#include "grammar/cdec_format.hpp"

namespace demotic::rule_features_test {

constexpr const char* kRules =
    "[X] ||| [X,1] hat [X,2] versprochen ||| [X,1] promised [X,2] ||| CountEF=0.30103 ||| 3-1\n"
    "[X] ||| [X,1] hat mir [X,2] versprochen ||| [X,2] me me me [X,1] ||| CountEF=0.60206 ||| 2-1 "
    "2-2 2-3\n"
    "[NP] ||| a_b %=[ \xff <r> ||| | \xe2\x80\xa8 ||| CountEF=1 ||| 0-0\n"
    "[X] ||| [NP,1] ||| [NP,1] ||| CountEF=0 |||\n"
    "[X] ||| w ||| ||| CountEF=0 |||\n";

std::shared_ptr<const Grammar> grammar() {
  return std::make_shared<const Grammar>(from_cdec_format(kRules, "rules"));
}

const std::vector<std::string> kAll = {"id",
                                       "src_ngram:n=1..3",
                                       "tgt_ngram:n=1..3",
                                       "tgt_gap:n=1..3",
                                       "shape",
                                       "length",
                                       "count_bin",
                                       "word_pair",
                                       "fertility",
                                       "unaligned",
                                       "class_id:3",
                                       "class_src_ngram:3:n=1..3",
                                       "class_tgt_ngram:3:n=1..3",
                                       "class_tgt_gap:3:n=1..3",
                                       "class_word_pair:3",
                                       "word_class_pair:3",
                                       "class_fertility:3"};

std::vector<ClassPair> classes() {
  const auto pair = [](const char* text) {
    return std::make_shared<const WordClasses>(WordClasses::from_text(text, "classes", 3));
  };
  return {{3, pair("hat\t1\nmir\t1\n<r>\t2\n"), pair("promised\t1\nme\t2\n")}};
}

TEST("what a template hashes is the fingerprint of what it writes") {
  const auto rules = grammar();
  const WordHashes source(*rules->source_vocab), target(*rules->target_vocab);
  const TemplateSet templates(kAll, nullptr, nullptr, classes());
  const GrammarView context = templates.view_of(*rules);
  std::size_t features = 0;
  for (const auto& one : templates.templates()) {
    for_each_rule(context, [&](const RuleView& rule) {
      HashWriter hashes(source, target);
      TextWriter names(*rules);
      one->write(rule, hashes);
      one->write(rule, names);
      CHECK(hashes.features().size() == names.features().size());
      for (std::size_t i = 0; i < names.features().size(); ++i) {
        CHECK(hashes.features()[i].print == fingerprint(names.features()[i].name));
        CHECK(hashes.features()[i].value == names.features()[i].value);
        CHECK(names.features()[i].name.starts_with(one->name() + ":"));
        ++features;
      }
    });
  }
  CHECK(features > 100);
}

TEST("a feature has one local number in a sentence, and one id once it is interned") {
  FeatureIndex index;
  const auto templates = std::make_shared<const TemplateSet>(kAll, nullptr, nullptr, classes());
  const RuleFeatures before(grammar(), templates, index);
  CHECK(before.rules() == 5 && before.locals() > 0);
  std::map<std::string, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < before.locals(); ++i)
    CHECK(numbers.emplace(before.local_name(i), i).second);
  for (std::size_t i = 0; i < before.locals(); i += 2)
    index.intern(before.local_fingerprint(i), before.local_name(i));
  const RuleFeatures after(grammar(), templates, index);
  CHECK(after.locals() == before.locals() / 2);
  for (std::size_t r = 0; r < before.rules(); ++r) {
    CHECK(after.rule(r).size() == before.rule(r).size());
    for (std::size_t i = 0; i < before.rule(r).size(); ++i) {
      const RuleFeature old_one = before.rule(r)[i], new_one = after.rule(r)[i];
      const std::string name = new_one.is_local() ? after.local_name(new_one.local())
                                                  : std::string(index.name(new_one.feature));
      CHECK(old_one.is_local() && name == before.local_name(old_one.local()) &&
            old_one.value == new_one.value);
    }
  }
}

TEST("hashes of a vocabulary last as long as it does") {
  WordHashCache cache;
  auto vocab = std::make_shared<Vocab>();
  vocab->add("haus");
  const auto first = cache.of(vocab);
  CHECK(cache.of(vocab) == first && (*first)[0].first == hash_name("haus") &&
        (*first)[0].joined == hash_name("_haus"));
  vocab->add("a_b");
  CHECK(cache.of(vocab)->size() == 2 && (*cache.of(vocab))[1].first == hash_name("a%5Fb"));
  const std::weak_ptr<const WordHashes> last = cache.of(vocab);
  vocab = std::make_shared<Vocab>();
  CHECK(cache.of(vocab)->size() == 0 && last.expired());
}

TEST("functions outside the core see each rule once, and errors leave nothing behind") {
  std::size_t calls = 0;
  const auto external = std::make_shared<ExternalFeatures>([&](std::span<const RuleView> rules) {
    calls += rules.size();
    return std::vector<std::vector<ExternalFeature>>(rules.size(), {{"mine:x", 0.5f}});
  });
  const auto templates = std::make_shared<const TemplateSet>(std::vector<std::string>{}, external);
  const FeatureIndex index;
  for (int i = 0; i < 3; ++i) {
    const RuleFeatures features(grammar(), templates, index);
    CHECK(features.locals() == 1 && features.local_name(0) == "mine:x" &&
          features.rule(4).size() == 1 && features.rule(4)[0].value == 0.5f);
  }
  CHECK(calls == 5);

  const auto short_of_one = std::make_shared<ExternalFeatures>(
      [](std::span<const RuleView>) { return std::vector<std::vector<ExternalFeature>>(4); });
  const auto failing =
      std::make_shared<const TemplateSet>(std::vector<std::string>{}, short_of_one);
  for (int i = 0; i < 2; ++i)
    CHECK(test::thrown<Error>([&] { RuleFeatures(grammar(), failing, index); }) ==
          "a template returned features of 4 rules for 5");
}

}  // namespace demotic::rule_features_test
