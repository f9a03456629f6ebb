#include <nanobind/stl/function.h>
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
#include "grammar/longest_match.hpp"
#include "grammar/pair_scores.hpp"
#include "grammar/rule_examples.hpp"
#include "grammar/sentence_filter.hpp"
#include "module.hpp"
#include "rule_symbols.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using SharedGrammar = std::shared_ptr<const Grammar>;

nb::typed<nb::list, nb::str> words_of(std::span<const Token> sentence, const Vocab& vocab) {
  nb::typed<nb::list, nb::str> words;
  for (const Token token : sentence) {
    const auto word = vocab.word(token - 1);
    words.append(nb::str(word.data(), word.size()));
  }
  return words;
}

GrammarIndex::Place place_of(const GrammarIndex& index, std::size_t i) {
  if (i >= index.size()) throw nb::index_error("sentence number out of range");
  return index.place_of(i);
}

nb::typed<nb::list, nb::str> source_words(const GrammarIndex& index, std::size_t i) {
  const auto [part, sentence] = place_of(index, i);
  return words_of(index.parts()[part].source.sentence(sentence), *index.source_vocab());
}

nb::typed<nb::list, nb::str> target_words(const GrammarIndex& index, std::size_t i) {
  const auto [part, sentence] = place_of(index, i);
  return words_of(index.parts()[part].target.sentence(sentence), *index.target_vocab());
}

std::vector<std::pair<int, int>> links(const GrammarIndex& index, std::size_t i) {
  const auto [in, sentence] = place_of(index, i);
  const IndexPart& part = index.parts()[in];
  std::vector<std::pair<int, int>> all;
  if (part.has_record(sentence))
    for (const auto& [source, target] : part.record(sentence).links())
      all.emplace_back(source, target);
  return all;
}

std::shared_ptr<const GrammarIndex> with_additions(
    const GrammarIndex& index,
    const std::vector<std::tuple<std::string, std::string, std::string>>& additions) {
  const nb::gil_scoped_release release;
  std::vector<AddedPair> pairs;
  for (const auto& [source, target, links] : additions) pairs.push_back({source, target, links});
  return std::make_shared<const GrammarIndex>(index, pairs);
}

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
// One side of an index, for questions about its text.
struct IndexSide {
  const GrammarIndex& index;
  bool is_target;

  std::vector<WordId> ids(const std::vector<std::string>& words) const {
    const Vocab& vocab = is_target ? *index.target_vocab() : *index.source_vocab();
    std::vector<WordId> found;
    for (const std::string& word : words) found.push_back(vocab.find(word).value_or(kNoWord));
    return found;
  }
  // Calls visit(text, number of its first sentence) for the file and for the additions.
  template <class Visit>
  void for_each_text(Visit visit) const {
    std::uint32_t first = 0;
    for (const IndexPart& part : index.parts()) {
      visit(is_target ? part.target : part.source, first);
      first += static_cast<std::uint32_t>(part.size());
    }
  }
};

auto find_longest(const GrammarIndex& index, const std::vector<std::string>& words, bool target) {
  const IndexSide side{index, target};
  Match best;
  side.for_each_text([&, ids = side.ids(words)](const IndexedText& text, std::uint32_t first) {
    Match match = longest_match(text, ids);
    match.sentence += match.length > 0 ? first : 0;
    if (match.length > best.length || (match.length == best.length && match.begin < best.begin))
      best = match;
  });
  return std::tuple(best.begin, best.length, best.sentence);
}

auto find_equal(const GrammarIndex& index, const std::vector<std::string>& words, bool target) {
  const IndexSide side{index, target};
  std::vector<std::uint32_t> found;
  if (words.empty()) return found;
  side.for_each_text([&, ids = side.ids(words)](const IndexedText& text, std::uint32_t first) {
    for (const auto sentence : equal_sentences(text, ids)) found.push_back(first + sentence);
  });
  return found;
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

void new_mask(Mask* place, std::shared_ptr<const GrammarIndex> index,
              const nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig>& sentences) {
  std::vector<std::uint32_t> numbers(sentences.data(), sentences.data() + sentences.size());
  const nb::gil_scoped_release release;
  new (place) Mask(std::move(index), std::move(numbers));
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

void bind_building(nb::module_& module) {
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

  module.def(
      "build_index",
      [](const Bitext& bitext, const std::string& path, unsigned threads,
         const std::function<void(const char*)>& on_step) {
        const IndexReport report = build_index(bitext, path, threads, on_step);
        return std::pair(report.pairs, report.left_out);
      },
      "bitext"_a, "path"_a, "threads"_a, "on_step"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Write the index of an aligned bitext; returns (pairs, pairs left out). on_step(name) is "
      "called INDEX_STEPS times.");
  module.attr("INDEX_STEPS") = kIndexSteps;
}

void bind_index(nb::module_& module) {
  nb::class_<GrammarIndex>(module, "GrammarIndex",
                           "A memory-mapped grammar index, checked when opened.")
      .def(nb::init<const std::string&, unsigned>(), "path"_a, "threads"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &GrammarIndex::size)
      .def_prop_ro("path", &GrammarIndex::path)
      .def_prop_ro("bytes", &GrammarIndex::bytes)
      .def_prop_ro("left_out", &GrammarIndex::left_out)
      .def_prop_ro("added", &GrammarIndex::added, "How many of the pairs were added to the file.")
      .def("with_additions", &with_additions, "additions"_a,
           "The file with these pairs (source, target, links) in place of those added before.")
      .def_prop_ro(
          "source_vocab",
          [](const GrammarIndex& index) -> const Vocab& { return *index.source_vocab(); },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "target_vocab",
          [](const GrammarIndex& index) -> const Vocab& { return *index.target_vocab(); },
          nb::rv_policy::reference_internal)
      .def_prop_ro("source_tokens",
                   [](const GrammarIndex& index) {
                     std::size_t all = 0;
                     for (const IndexPart& part : index.parts()) all += part.source.suffixes.size();
                     return all;
                   })
      .def_prop_ro("target_tokens",
                   [](const GrammarIndex& index) {
                     std::size_t all = 0;
                     for (const IndexPart& part : index.parts()) all += part.target.suffixes.size();
                     return all;
                   })
      .def("source", &source_words, "i"_a, "Words of source sentence i.")
      .def("target", &target_words, "i"_a, "Words of target sentence i.")
      .def(
          "tokens",
          [](nb::handle self, bool target) {
            const IndexPart& file = nb::cast<const GrammarIndex&>(self).parts().front();
            return array((target ? file.target : file.source).tokens, self);
          },
          "target"_a,
          "One side of the file as ids of words + 1, without additions; 0 before the first "
          "sentence "
          "and after each.")
      .def(
          "score_pairs",
          [](const GrammarIndex& index, unsigned threads) {
            std::vector<PairScore> scores;
            {
              const nb::gil_scoped_release release;
              scores = score_pairs(index, threads);
            }
            return own_rows<float>(std::move(scores));
          },
          "threads"_a,
          "One row per pair: mean log10 p(e | rest of f), p(f | e), without the pair itself.")
      .def("links", &links, "i"_a, "Links of pair i, sorted; none if it was left out.")
      .def("longest_match", &find_longest, "words"_a, "target"_a,
           "(begin, length, sentence) of the longest stretch of the words that the corpus has.")
      .def("equal_sentences", &find_equal, "words"_a, "target"_a,
           "Sentences of the corpus that consist of these words.");

  nb::class_<Mask>(module, "Mask", "Sentence pairs that extraction treats as absent.")
      .def("__init__", &new_mask, "index"_a, "sentences"_a)
      .def("__len__", &Mask::size);
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
  bind_building(module);
  bind_index(module);
  bind_rules(module);
  bind_extractor(module);
}
