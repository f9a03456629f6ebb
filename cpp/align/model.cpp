#include "align/model.hpp"

#include <algorithm>

#include "align/inference.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "corpus/vocab_section.hpp"

namespace demotic {
namespace {

constexpr const char* kAlignKind = "align";
constexpr std::uint32_t kAlignVersion = 1;
constexpr std::uint32_t kAlignSections = 16;

void add_direction(SectionWriter& file, const std::string& name,
                   const DirectionParameters& parameters, const std::vector<std::uint32_t>& kept) {
  std::vector<float> words;
  words.reserve(kept.size());
  for (const std::uint32_t pair : kept) words.push_back(parameters.words[pair]);
  file.add(name + ".words", words);
  file.add(name + ".unseen", parameters.unseen);
  file.add(name + ".null", parameters.null);
  file.add(name + ".jumps", parameters.jumps);
  file.add(name + ".fert", parameters.fertility);
}

// Ids of the words of a line; the size of the vocabulary for an unknown one.
std::vector<WordId> ids_of(std::string_view line, const Vocab& vocab, const char* side) {
  std::vector<WordId> ids;
  for_each_token(line, [&](std::string_view word) {
    ids.push_back(vocab.find(word).value_or(static_cast<WordId>(vocab.size())));
  });
  if (ids.empty()) throw Error(std::string("the ") + side + " sentence is empty");
  if (ids.size() > kMaxSentenceWords)
    throw Error(std::string("the ") + side + " sentence has more than " +
                std::to_string(kMaxSentenceWords) + " words");
  return ids;
}

// Candidates: pairs that the model knows, and unknown given words; all words where there are none
// of the former. `find(i, j)`: number of the word pair of positions, or -1.
template <class Find>
DirectedSentence directed(const std::vector<WordId>& own, const std::vector<WordId>& given,
                          const DirectionView& parameters, Find find) {
  DirectedSentence sentence;
  sentence.given = given;
  const WordId unknown = static_cast<WordId>(parameters.unseen.size() - 1);
  std::vector<std::ptrdiff_t> numbers(given.size());
  for (std::size_t j = 0; j < own.size(); ++j) {
    bool is_known = false;
    for (std::size_t i = 0; i < given.size(); ++i) {
      numbers[i] = find(i, j);
      is_known = is_known || numbers[i] >= 0;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (numbers[i] < 0 && is_known && given[i] != unknown) continue;
      sentence.positions.push_back(static_cast<std::uint16_t>(i));
      sentence.words.push_back(numbers[i] >= 0 ? parameters.words[numbers[i]]
                                               : parameters.unseen[given[i]]);
    }
    sentence.starts.push_back(static_cast<std::uint32_t>(sentence.positions.size()));
    sentence.null.push_back(parameters.null[own[j]]);
  }
  return sentence;
}

}  // namespace

void write_alignment_model(const std::string& path, const Bitext& text, const CandidatePairs& pairs,
                           const DirectionParameters& forward, const DirectionParameters& backward,
                           const std::function<bool(std::size_t)>& keeps) {
  std::vector<std::uint32_t> kept;
  std::vector<std::uint64_t> starts{0};
  std::vector<WordId> targets;
  for (std::size_t word = 0; word + 1 < pairs.starts.size(); ++word) {
    const std::size_t begin = kept.size();
    for (auto i = pairs.starts[word]; i < pairs.starts[word + 1]; ++i)
      if (keeps(i)) kept.push_back(static_cast<std::uint32_t>(i));
    std::sort(
        kept.begin() + static_cast<std::ptrdiff_t>(begin), kept.end(),
        [&](std::uint32_t a, std::uint32_t b) { return pairs.targets[a] < pairs.targets[b]; });
    starts.push_back(kept.size());
  }
  for (const std::uint32_t pair : kept) targets.push_back(pairs.targets[pair]);
  SectionWriter file(path, kAlignKind, kAlignVersion, kAlignSections);
  add_vocab(file, "source", text.source_vocab());
  add_vocab(file, "target", text.target_vocab());
  file.add("starts", starts);
  file.add("targets", targets);
  add_direction(file, "forward", forward, kept);
  add_direction(file, "backward", backward, kept);
  file.finish();
}

AlignmentModel::AlignmentModel(const std::string& path)
    : file_(path, kAlignKind, kAlignVersion),
      source_vocab_(read_vocab(file_, "source")),
      target_vocab_(read_vocab(file_, "target")),
      starts_(file_.section<std::uint64_t>("starts")),
      targets_(file_.section<WordId>("targets")),
      forward_(read_direction("forward", target_vocab_.size(), source_vocab_.size())),
      backward_(read_direction("backward", source_vocab_.size(), target_vocab_.size())) {
  if (starts_.size() != source_vocab_.size() + 1 || starts_.front() != 0 ||
      starts_.back() != targets_.size() || !std::is_sorted(starts_.begin(), starts_.end()))
    file_.damaged("'starts' does not divide 'targets'");
}

DirectionView AlignmentModel::read_direction(const std::string& name, std::size_t own,
                                             std::size_t given) const {
  const auto section = [&](const std::string& part, std::size_t size) {
    const auto values = file_.section<float>(name + "." + part);
    if (values.size() != size) file_.damaged("'" + name + "." + part + "' has an impossible size");
    return values;
  };
  return {section("words", targets_.size()), section("unseen", given + 1), section("null", own + 1),
          section("jumps", kJumps), section("fert", (given + 1) * kFertilities)};
}

std::ptrdiff_t AlignmentModel::find(WordId source, WordId target) const {
  if (source >= source_vocab_.size()) return -1;
  const auto begin = targets_.begin() + static_cast<std::ptrdiff_t>(starts_[source]);
  const auto end = targets_.begin() + static_cast<std::ptrdiff_t>(starts_[source + 1]);
  const auto at = std::lower_bound(begin, end, target);
  return at == end || *at != target ? -1 : at - targets_.begin();
}

PairPosteriors AlignmentModel::align(std::string_view source, std::string_view target) const {
  const std::vector<WordId> sources = ids_of(source, source_vocab_, "source");
  const std::vector<WordId> targets = ids_of(target, target_vocab_, "target");
  const DirectedSentence forward =
      directed(targets, sources, forward_,
               [&](std::size_t i, std::size_t j) { return find(sources[i], targets[j]); });
  const DirectedSentence backward =
      directed(sources, targets, backward_,
               [&](std::size_t j, std::size_t i) { return find(sources[i], targets[j]); });
  return {infer(forward, forward_), infer(backward, backward_)};
}

}  // namespace demotic
