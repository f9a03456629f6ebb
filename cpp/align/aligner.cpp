#include "align/aligner.hpp"

#include <atomic>
#include <mutex>

#include "align/candidates.hpp"
#include "align/model.hpp"
#include "align/parameters.hpp"
#include "align/posteriors.hpp"
#include "align/sampler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace demotic {
namespace {

constexpr std::uint32_t kPosteriorSum = 65535;  // of all samples, in 16 bits
constexpr std::size_t kPairsPerPart = 4096;

void check(const AlignerOptions& options) {
  const auto refuse = [](const std::string& what) { throw Error(what); };
  if (options.samplers < 1 || options.samplers > 100)
    refuse("samplers must be between 1 and 100 (got " + std::to_string(options.samplers) + ")");
  if (!(options.iterations > 0)) refuse("iterations must be positive");
  if (!(options.null_prior > 0 && options.null_prior < 1))
    refuse("null_prior must be between 0 and 1");
}

// What the samplers of one direction add up to. Whole numbers: the order of adding does not matter.
struct DirectionSums {
  std::vector<std::uint16_t> posteriors;
  SampledCounts counts;
  std::mutex mutex;

  void add(const Sampler& sampler) {
    const std::lock_guard lock(mutex);
    posteriors.resize(sampler.posteriors().size());
    for (std::size_t i = 0; i < posteriors.size(); ++i)
      posteriors[i] = static_cast<std::uint16_t>(posteriors[i] + sampler.posteriors()[i]);
    counts.add(sampler.counts());
  }
};

// The posteriors of one pair.
void read_pair(const Direction& text, const Candidates& candidates, const DirectionSums& sums,
               float scale, std::size_t pair, DirectedPosteriors& out) {
  out.clear();
  for (auto token = text.own.starts[pair]; token < text.own.starts[pair + 1]; ++token) {
    for (auto k = candidates.starts[token]; k < candidates.starts[token + 1]; ++k) {
      out.positions.push_back(candidates.positions[k]);
      out.values.push_back(static_cast<float>(sums.posteriors[k]) * scale);
    }
    out.starts.push_back(static_cast<std::uint32_t>(out.positions.size()));
  }
}

class CorpusAligner {
 public:
  CorpusAligner(const Bitext& text, const AlignerOptions& options, unsigned threads)
      : options_(options),
        threads_(threads),
        forward_{text.target(), text.source(), text.target_vocab().size(),
                 text.source_vocab().size()},
        backward_(forward_.reversed()),
        candidates_(forward_, options.threshold, threads),
        schedule_(text.size(), options.iterations),
        unit_(kPosteriorSum / static_cast<std::uint32_t>(options.samplers * schedule_.averaged)) {}

  void sample(std::uint64_t seed, const OnSweep& on_sweep) {
    const auto chains = static_cast<std::size_t>(2 * options_.samplers);
    const std::size_t all = chains * static_cast<std::size_t>(schedule_.sweeps());
    std::atomic<std::size_t> done{0};
    parallel_for(chains, threads_, [&](std::size_t chain) {
      const bool is_forward = chain % 2 == 0;
      Sampler sampler(is_forward ? forward_ : backward_,
                      is_forward ? candidates_.forward : candidates_.backward, options_,
                      Random(seed, chain));
      sampler.run(schedule_, unit_, [&] { on_sweep(++done, all); });
      (is_forward ? to_target_ : to_source_).add(sampler);
    });
  }

  AlignedLinks links(Heuristic heuristic) const {
    const std::size_t pairs = forward_.own.size(),
                      parts = (pairs + kPairsPerPart - 1) / kPairsPerPart;
    std::vector<AlignedLinks> aligned(parts);
    parallel_ranges(pairs, kPairsPerPart, threads_, [&](std::size_t begin, std::size_t end) {
      aligned[begin / kPairsPerPart] = links(heuristic, begin, end);
    });
    AlignedLinks all;
    all.starts.push_back(0);
    for (const AlignedLinks& part : aligned) {
      const std::uint64_t base = all.links.size();
      all.links.insert(all.links.end(), part.links.begin(), part.links.end());
      all.probabilities.insert(all.probabilities.end(), part.probabilities.begin(),
                               part.probabilities.end());
      for (const std::uint64_t end : part.starts) all.starts.push_back(base + end);
    }
    return all;
  }

  void save(const Bitext& text, const std::string& path) const {
    std::vector<WordId> source_of;
    const CandidatePairs& pairs = candidates_.pairs;
    for (WordId word = 0; word + 1 < pairs.starts.size(); ++word)
      source_of.insert(source_of.end(), pairs.starts[word + 1] - pairs.starts[word], word);
    write_alignment_model(
        path, text, pairs,
        DirectionParameters(to_target_.counts, source_of, forward_.given_vocab, options_),
        DirectionParameters(to_source_.counts, pairs.targets, backward_.given_vocab, options_),
        [&](std::size_t i) {  // more than a chance link now and then
          return 10 * (to_target_.counts.pairs[i] + to_source_.counts.pairs[i]) >=
                 to_target_.counts.samples;
        });
  }

 private:
  // Of the pairs [begin, end); `starts` holds the ends of the pairs.
  AlignedLinks links(Heuristic heuristic, std::size_t begin, std::size_t end) const {
    const float scale =
        1.0f / static_cast<float>(
                   unit_ * static_cast<std::uint32_t>(options_.samplers * schedule_.averaged));
    AlignedLinks part;
    PairPosteriors posteriors;
    for (std::size_t pair = begin; pair < end; ++pair) {
      read_pair(forward_, candidates_.forward, to_target_, scale, pair, posteriors.forward);
      read_pair(backward_, candidates_.backward, to_source_, scale, pair, posteriors.backward);
      for (const ScoredLink& link : links_of(posteriors, heuristic)) {
        part.links.push_back(link.link);
        part.probabilities.push_back(link.probability);
      }
      part.starts.push_back(part.links.size());
    }
    return part;
  }

  AlignerOptions options_;
  unsigned threads_;
  Direction forward_, backward_;
  CandidateLinks candidates_;
  Schedule schedule_;
  std::uint32_t unit_;
  DirectionSums to_target_, to_source_;
};

}  // namespace

AlignedLinks align_corpus(const Bitext& text, const AlignerOptions& options, Heuristic heuristic,
                          std::uint64_t seed, unsigned threads, const std::string& model,
                          const OnSweep& on_sweep) {
  check(options);
  CorpusAligner aligner(text, options, threads);
  aligner.sample(seed, on_sweep);
  if (!model.empty()) aligner.save(text, model);
  return aligner.links(heuristic);
}

}  // namespace demotic
