#include "align/candidates.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace demotic {
namespace {

constexpr std::uint32_t kNoPair = 0xffffffff;
constexpr float kLeastProbability = 1e-9f;  // where only the other direction has the pair

// Rows of the backward model, by source word.
struct TransposedRows {
  TransposedRows(const Ibm1& backward, std::size_t targets, std::size_t sources)
      : starts(sources + 1), entries(backward.pairs()) {
    for (WordId target = 0; target < targets; ++target)
      for (const Ibm1::Entry& entry : backward.row(target)) ++starts[entry.own + 1];
    for (std::size_t word = 0; word < sources; ++word) starts[word + 1] += starts[word];
    std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
    for (WordId target = 0; target < targets; ++target)
      for (const Ibm1::Entry& entry : backward.row(target))
        entries[next[entry.own]++] = {target, entry.probability};
  }
  std::span<const Ibm1::Entry> row(WordId source) const {
    return {entries.data() + starts[source], starts[source + 1] - starts[source]};
  }

  std::vector<std::uint64_t> starts;
  std::vector<Ibm1::Entry> entries;
};

// What the candidates of some source words come to.
struct CandidatePart {
  struct Candidate {
    std::uint16_t target;  // position
    std::uint32_t pair;    // number in this part
  };
  std::vector<Candidate> candidates;  // by source word, occurrence, position
  std::vector<WordId> targets;        // of the word pairs, by source word
  std::vector<float> forward, backward;
};

class CandidateFinder {
 public:
  CandidateFinder(const Direction& text, const Ibm1& forward, const Ibm1& backward)
      : text_(text),
        forward_(forward),
        backward_(backward),
        transposed_(backward, text.own_vocab, text.given_vocab),
        sources_(text.given, text.given_vocab) {}

  void find(unsigned threads, CandidateLinks& links);

 private:
  void find_part(WordId begin, WordId end, CandidatePart& part);
  void gather(const std::vector<WordId>& ends, std::vector<CandidatePart>& parts,
              CandidateLinks& links) const;

  const Direction& text_;
  const Ibm1 &forward_, &backward_;
  TransposedRows transposed_;
  Occurrences sources_;
  std::vector<std::uint32_t> sizes_;      // candidates of each source token
  std::vector<std::uint32_t> row_sizes_;  // word pairs of each source word
};

void CandidateFinder::find_part(WordId begin, WordId end, CandidatePart& part) {
  std::vector<float> forward(text_.own_vocab), backward(text_.own_vocab);
  std::vector<std::uint32_t> number(text_.own_vocab, kNoPair);
  for (WordId word = begin; word < end; ++word) {
    for (const Ibm1::Entry& entry : forward_.row(word)) forward[entry.own] = entry.probability;
    for (const Ibm1::Entry& entry : transposed_.row(word)) backward[entry.own] = entry.probability;
    const std::size_t first = part.targets.size();
    for (auto at = sources_.starts[word]; at < sources_.starts[word + 1]; ++at) {
      const auto sentence = sources_.sentences[at];
      const auto token = sources_.tokens[at];
      const auto start = text_.own.starts[sentence], stop = text_.own.starts[sentence + 1];
      for (auto k = start; k < stop; ++k) {
        const WordId target = text_.own.values[k];
        if (!forward_.is_likely(forward[target], k) &&
            !backward_.is_likely(backward[target], token))
          continue;
        if (number[target] == kNoPair) {
          number[target] = static_cast<std::uint32_t>(part.targets.size());
          part.targets.push_back(target);
        }
        part.candidates.push_back({static_cast<std::uint16_t>(k - start), number[target]});
        ++sizes_[token];
      }
    }
    row_sizes_[word] = static_cast<std::uint32_t>(part.targets.size() - first);
    for (std::size_t k = first; k < part.targets.size(); ++k) {
      const WordId target = part.targets[k];
      part.forward.push_back(std::max(forward[target], kLeastProbability));
      part.backward.push_back(std::max(backward[target], kLeastProbability));
      number[target] = kNoPair;
    }
    for (const Ibm1::Entry& entry : forward_.row(word)) forward[entry.own] = 0;
    for (const Ibm1::Entry& entry : transposed_.row(word)) backward[entry.own] = 0;
  }
}

void CandidateFinder::find(unsigned threads, CandidateLinks& links) {
  constexpr std::size_t kParts = 64;
  sizes_.assign(text_.given.values.size(), 0);
  row_sizes_.assign(text_.given_vocab, 0);
  const std::vector<WordId> ends = sources_.parts(kParts);
  std::vector<CandidatePart> parts(ends.size());
  parallel_for(parts.size(), threads,
               [&](std::size_t i) { find_part(i == 0 ? 0 : ends[i - 1], ends[i], parts[i]); });
  gather(ends, parts, links);
}

// From the order of source words into that of source tokens: the candidates of the backward
// direction.
void CandidateFinder::gather(const std::vector<WordId>& ends, std::vector<CandidatePart>& parts,
                             CandidateLinks& links) const {
  Candidates& backward = links.backward;
  backward.starts.assign(1, 0);
  for (const std::uint32_t size : sizes_) backward.starts.push_back(backward.starts.back() + size);
  backward.positions.resize(backward.starts.back());
  backward.pairs.resize(backward.starts.back());
  links.pairs.starts.assign(1, 0);
  for (const std::uint32_t size : row_sizes_)
    links.pairs.starts.push_back(links.pairs.starts.back() + size);
  if (links.pairs.starts.back() >= kNoPair) throw Error("too many word pairs to align");
  WordId word = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    CandidatePart& part = parts[i];
    const auto base = static_cast<std::uint32_t>(links.pairs.targets.size());
    const auto* candidate = part.candidates.data();
    for (; word < ends[i]; ++word)
      for (auto at = sources_.starts[word]; at < sources_.starts[word + 1]; ++at) {
        const auto token = sources_.tokens[at];
        for (auto k = backward.starts[token]; k < backward.starts[token + 1]; ++k, ++candidate) {
          backward.positions[k] = candidate->target;
          backward.pairs[k] = base + candidate->pair;
        }
      }
    const auto append = [](auto& all, auto& some) {
      all.insert(all.end(), some.begin(), some.end());
    };
    append(links.pairs.targets, part.targets);
    append(links.forward.start_probability, part.forward);
    append(backward.start_probability, part.backward);
    part = {};
  }
}

// The same candidates, by target token.
void transpose(const Direction& text, const Candidates& backward, Candidates& forward) {
  forward.starts.assign(text.own.values.size() + 1, 0);
  const auto each = [&](auto visit) {
    for (std::size_t s = 0; s < text.given.size(); ++s)
      for (auto token = text.given.starts[s]; token < text.given.starts[s + 1]; ++token)
        for (auto k = backward.starts[token]; k < backward.starts[token + 1]; ++k)
          visit(text.own.starts[s] + backward.positions[k], token - text.given.starts[s],
                backward.pairs[k]);
  };
  each([&](std::uint64_t own, std::uint64_t, std::uint32_t) { ++forward.starts[own + 1]; });
  for (std::size_t i = 1; i < forward.starts.size(); ++i)
    forward.starts[i] += forward.starts[i - 1];
  forward.positions.resize(backward.positions.size());
  forward.pairs.resize(backward.pairs.size());
  std::vector<std::uint64_t> next(forward.starts.begin(), forward.starts.end() - 1);
  each([&](std::uint64_t own, std::uint64_t position, std::uint32_t pair) {
    const std::uint64_t place = next[own]++;
    forward.positions[place] = static_cast<std::uint16_t>(position);
    forward.pairs[place] = pair;
  });
}

std::vector<float> null_probabilities(const Ibm1& model, std::size_t vocab) {
  std::vector<float> values(vocab);
  for (WordId word = 0; word < vocab; ++word) values[word] = model.null_probability(word);
  return values;
}

}  // namespace

CandidateLinks::CandidateLinks(const Direction& text, double threshold, unsigned threads) {
  const Ibm1 to_target(text, threshold, threads);
  const Ibm1 to_source(text.reversed(), threshold, threads);
  CandidateFinder(text, to_target, to_source).find(threads, *this);
  transpose(text, backward, forward);
  forward.start_null = null_probabilities(to_target, text.own_vocab);
  backward.start_null = null_probabilities(to_source, text.given_vocab);
}

}  // namespace demotic
