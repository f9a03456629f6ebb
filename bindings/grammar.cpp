#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "base/text.hpp"
#include "grammar/cdec_format.hpp"
#include "grammar/cdec_reader.hpp"
#include "grammar/extractor.hpp"
#include "grammar/rule_examples.hpp"
#include "grammar/sentence_filter.hpp"
#include "module.hpp"
#include "rule_symbols.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using SharedGrammar = std::shared_ptr<const Grammar>;

using Words = nb::typed<nb::tuple, nb::str, nb::ellipsis>;
using Alignment = nb::typed<nb::tuple, nb::typed<nb::tuple, nb::int_, nb::int_>, nb::ellipsis>;
using Rules = nb::typed<nb::list, nb::typed<nb::tuple, Words, Words, Alignment, nb::str>>;

// Calls visit(block, side, rule number) for all rules in order.
template <class Visit>
void for_each_rule(const Grammar& grammar, Visit visit) {
  for (const auto& block : grammar.blocks)
    for (const SourceSide& side : block->sides)
      for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r) visit(*block, side, r);
}

// (source, target, alignment, left-hand side) of every rule.
Rules rules(const Grammar& grammar) {
  Rules all;
  nb::object source;
  const SourceSide* last = nullptr;
  for_each_rule(grammar, [&](const RuleBlock& block, const SourceSide& side, std::uint32_t r) {
    if (&side != last)
      source = symbols_of(grammar, side, block.source(side), *grammar.source_vocab);
    last = &side;
    const Rule& rule = block.rules[r];
    all.append(nb::make_tuple(source,
                              symbols_of(grammar, side, block.target(rule), *grammar.target_vocab),
                              alignment_of(block.alignment(rule)), grammar.labels[side.label]));
  });
  return all;
}

auto features(const Grammar& grammar) {
  std::vector<float> values;
  for (const auto& block : grammar.blocks)
    values.insert(values.end(), block->features.begin(), block->features.end());
  return own_matrix(std::move(values), grammar.rules(), grammar.feature_names->size());
}

// Per rule: n(f), occurrences of f, c(f), c(f, e), occurrences of e. Zeros for rules that were read
// from a file.
auto counts(const Grammar& grammar) {
  std::vector<float> values;
  for_each_rule(grammar, [&](const RuleBlock& block, const SourceSide& side, std::uint32_t r) {
    const RuleStatistics statistics =
        block.statistics.empty() ? RuleStatistics{} : block.statistics[r];
    values.insert(values.end(), {static_cast<float>(block.samples), block.occurrences_f,
                                 static_cast<float>(side.count_f), statistics.count_fe,
                                 statistics.occurrences_e});
  });
  return own_matrix(std::move(values), grammar.rules(), 5);
}

SharedGrammar extract(const Extractor& extractor, std::string_view line, const Mask* mask) {
  const nb::gil_scoped_release release;
  std::vector<std::string_view> words;
  for_each_token(line, [&](std::string_view word) { words.push_back(word); });
  return std::make_shared<const Grammar>(extractor.extract(words, mask));
}

nb::bytes to_text(const Grammar& grammar) {
  std::string text;
  {
    const nb::gil_scoped_release release;
    text = to_cdec_format(grammar);
  }
  return nb::bytes(text.data(), text.size());
}

void add_lines(CdecReader& reader, const nb::bytes& lines) {
  const std::string_view text = text_of(lines);
  const nb::gil_scoped_release release;
  reader.add(text);
}

SharedGrammar finish(CdecReader& reader) {
  return std::make_shared<const Grammar>(reader.finish());
}

// A side of a rule in words and nonterminals, 1 and 2. False: a word that the corpus does not have.
bool read_side(const std::vector<std::variant<int, std::string>>& side, const Vocab& vocab,
               std::vector<Symbol>& symbols) {
  for (const auto& symbol : side) {
    if (const int* const number = std::get_if<int>(&symbol)) {
      symbols.push_back(nonterminal(*number - 1));
    } else {
      const auto word = vocab.find(std::get<std::string>(symbol));
      if (!word) return false;
      symbols.push_back(static_cast<Symbol>(*word));
    }
  }
  return true;
}

using RuleSide = std::vector<std::variant<int, std::string>>;
using SpanPair = std::pair<int, int>;
using Example =
    std::tuple<std::uint32_t, SpanPair, SpanPair, std::vector<std::pair<SpanPair, SpanPair>>>;

std::vector<Example> examples_of(const Extractor& extractor, const RuleSide& source,
                                 const RuleSide& target) {
  const GrammarIndex& index = extractor.index();
  std::vector<Symbol> from, to;
  std::vector<Example> result;
  if (!read_side(source, *index.source_vocab(), from) ||
      !read_side(target, *index.target_vocab(), to))
    return result;
  const auto pair = [](Span span) { return SpanPair(span.begin, span.end); };
  for (const RuleExample& example : rule_examples(index, extractor.options(), from, to)) {
    std::vector<std::pair<SpanPair, SpanPair>> gaps;
    for (const PhraseGap& gap : example.gaps) gaps.emplace_back(pair(gap.source), pair(gap.target));
    result.emplace_back(example.sentence, pair(example.source), pair(example.target),
                        std::move(gaps));
  }
  return result;
}

void new_extractor(Extractor* place, std::shared_ptr<const GrammarIndex> index,
                   const ExtractOptions& options, std::string_view features) {
  new (place) Extractor(std::move(index), options, feature_set(features));
}

nb::typed<nb::dict, std::string, std::vector<std::string>> sets_by_name() {
  nb::typed<nb::dict, std::string, std::vector<std::string>> sets;
  for (const FeatureSet& set : feature_sets())
    sets[nb::str(set.name.data(), set.name.size())] = nb::cast(set.names());
  return sets;
}

void bind_options(nb::module_& module) {
  nb::class_<ExtractOptions>(
      module, "ExtractOptions",
      "How rules are extracted; documented in demotic.grammar.ExtractOptions.")
      .def(nb::init<>())
      .def_rw("max_span", &ExtractOptions::max_span)
      .def_rw("max_symbols", &ExtractOptions::max_symbols)
      .def_rw("max_nonterminals", &ExtractOptions::max_nonterminals)
      .def_rw("min_gap", &ExtractOptions::min_gap)
      .def_rw("max_samples", &ExtractOptions::max_samples)
      .def_rw("scan_limit", &ExtractOptions::scan_limit)
      .def_rw("max_targets", &ExtractOptions::max_targets)
      .def_rw("lexical_mask", &ExtractOptions::lexical_mask)
      .def_rw("cache_bytes", &ExtractOptions::cache_bytes);
}

void bind_rules(nb::module_& module) {
  nb::class_<Grammar>(module, "Grammar", "Rules as flat immutable arrays.")
      .def("__len__", &Grammar::rules)
      .def_prop_ro("feature_names", [](const Grammar& grammar) { return *grammar.feature_names; })
      .def_prop_ro("labels_without_rules", &Grammar::labels_without_rules,
                   "Nonterminals that rules use and no rule rewrites.")
      .def("rules", &rules, "(source, target, alignment, left-hand side) of every rule.")
      .def("features", &features, "Feature values, one row per rule.")
      .def("counts", &counts,
           "One row per rule: n(f), occurrences of f, c(f), c(f, e), occurrences of e.")
      .def("to_text", &to_text, "cdec's text form.");

  nb::class_<SentenceFilter>(module, "SentenceFilter",
                             "Finds the rules of a large grammar that can apply to a sentence.")
      .def(nb::init<SharedGrammar>(), "grammar"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "matching",
          [](const SentenceFilter& filter, const std::vector<std::string>& words) {
            return std::make_shared<const Grammar>(filter.matching(words));
          },
          "words"_a, nb::call_guard<nb::gil_scoped_release>(),
          "The rules whose source words all occur.");

  nb::class_<CdecReader>(module, "CdecReader", "Reads cdec's text form of a grammar.")
      .def(nb::init<std::string>(), "file"_a)
      .def("add", &add_lines, "lines"_a, "Whole lines, UTF-8.")
      .def("finish", &finish, nb::call_guard<nb::gil_scoped_release>(),
           "The grammar; the reader is used up.");
}

void bind_extractor(nb::module_& module) {
  nb::class_<Extractor>(
      module, "Extractor",
      "Rules for a sentence, from the index; any number of threads may use it at once.")
      .def("__init__", &new_extractor, "index"_a, "options"_a, "features"_a)
      .def("extract", &extract, "line"_a, "mask"_a.none(), "The grammar of a line of words.")
      .def("examples", &examples_of, "source"_a, "target"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "(pair, source span, target span, gaps) of every occurrence that is counted for a rule.")
      .def_prop_ro("cache_bytes",
                   [](const Extractor& extractor) { return extractor.cache().bytes(); })
      .def_prop_ro(
          "cache_hits", [](const Extractor& extractor) { return extractor.cache().use().hits; },
          "Patterns that were in the cache.")
      .def_prop_ro(
          "cache_misses", [](const Extractor& extractor) { return extractor.cache().use().misses; },
          "Patterns that were looked for and not in the cache.");

  module.attr("ADDITION") = nb::str(kAddition.data(), kAddition.size());
  module.def("feature_sets", &sets_by_name,
             "Names of the dense feature sets and of what extraction contributes to each.");
}

}  // namespace

void bind_grammar(nb::module_& module) {
  bind_options(module);
  bind_rules(module);
  bind_extractor(module);
}
