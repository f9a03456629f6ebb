#include "align/sampler.hpp"

#include <algorithm>
#include <cmath>

namespace demotic {

namespace {
constexpr std::size_t kRefreshEvery = 1024;  // sentences between two looks at the jump counts
}

Schedule::Schedule(std::size_t pairs, double relative) {
  const double sweeps =
      relative * 5000 / std::sqrt(static_cast<double>(std::max<std::size_t>(pairs, 1)));
  // A handful of sentences would be sampled thousands of times.
  const double most = std::min(1000.0, 100 * std::max(1.0, relative));
  fertilities = static_cast<int>(std::lround(std::clamp(sweeps, 4.0, most)));
  jumps = std::max(1, fertilities / 4);
  words = std::max(2, jumps);
  averaged = (fertilities + 1) / 2;
}

// One sentence pair while it is sampled.
struct Sampler::Sentence {
  const WordId* own;
  const WordId* given;
  std::size_t own_size, given_size;
  std::uint64_t first_token;
  std::vector<int> fertility;  // of each given word
  std::vector<int> next;       // position of the link after each own word
  int previous;                // position of the link before this word
};

Sampler::Sampler(const Direction& text, const Candidates& candidates, const AlignerOptions& options,
                 Random random)
    : text_(text),
      candidates_(candidates),
      options_(options),
      random_(random),
      links_(text.own.values.size(), kNoLink),
      pairs_(candidates.start_probability.size()),
      totals_(text.given_vocab),
      null_(text.own_vocab),
      inverse_totals_(text.given_vocab),
      jumps_(kJumps),
      jump_probability_(kJumps),
      fertilities_(text.given_vocab * kFertilities),
      fertility_priors_(text.given_vocab, options.fertility_prior),
      posteriors_(candidates.positions.size()) {
  start();
}

// Links drawn from IBM 1.
void Sampler::start() {
  for (std::size_t s = 0; s < text_.own.size(); ++s) {
    const WordId* const given = text_.given.values.data() + text_.given.starts[s];
    for (auto token = text_.own.starts[s]; token < text_.own.starts[s + 1]; ++token) {
      const WordId own = text_.own.values[token];
      const auto begin = candidates_.starts[token], size = candidates_.starts[token + 1] - begin;
      weights_.clear();
      float sum = 0;
      for (std::uint64_t k = 0; k < size; ++k)
        weights_.push_back(sum += candidates_.start_probability[candidates_.pairs[begin + k]]);
      sum += candidates_.start_null[own];
      const auto drawn = static_cast<float>(random_.uniform()) * sum;
      const auto choice = static_cast<std::uint64_t>(
          std::upper_bound(weights_.begin(), weights_.end(), drawn) - weights_.begin());
      if (choice == size) {
        ++null_[own];
        ++null_total_;
      } else {
        links_[token] = candidates_.positions[begin + choice];
        ++pairs_[candidates_.pairs[begin + choice]];
        ++totals_[given[links_[token]]];
      }
    }
  }
  for (WordId word = 0; word < totals_.size(); ++word) set_total(word, 0);
  count_jumps_and_fertilities();
}

void Sampler::set_total(WordId given, std::int32_t change) {
  totals_[given] += change;
  const auto prior = static_cast<float>(options_.word_prior * static_cast<double>(text_.own_vocab));
  inverse_totals_[given] = 1 / (static_cast<float>(totals_[given]) + prior);
}

void Sampler::count_jumps_and_fertilities() {
  std::fill(jumps_.begin(), jumps_.end(), 0);
  std::fill(fertilities_.begin(), fertilities_.end(), 0);
  Sentence sentence;
  for (std::size_t s = 0; s < text_.own.size(); ++s) {
    begin_sentence(s, sentence);
    int previous = -1;
    for (std::size_t j = 0; j < sentence.own_size; ++j) {
      const std::uint16_t link = links_[sentence.first_token + j];
      if (link == kNoLink) continue;
      ++jumps_[jump_slot(previous, link)];
      previous = link;
    }
    ++jumps_[jump_slot(previous, static_cast<int>(sentence.given_size))];
    for (std::size_t i = 0; i < sentence.given_size; ++i)
      ++fertilities_[sentence.given[i] * kFertilities + fertility_slot(sentence.fertility[i])];
  }
  jump_total_ = 0;
  for (const std::int64_t count : jumps_) jump_total_ += count;
}

void Sampler::begin_sentence(std::size_t number, Sentence& sentence) const {
  sentence.first_token = text_.own.starts[number];
  sentence.own = text_.own.values.data() + sentence.first_token;
  sentence.own_size = text_.own[number].size();
  sentence.given = text_.given[number].data();
  sentence.given_size = text_.given[number].size();
  sentence.fertility.assign(sentence.given_size, 0);
  sentence.next.resize(sentence.own_size);
  sentence.previous = -1;
  int next = static_cast<int>(sentence.given_size);
  for (std::size_t j = sentence.own_size; j-- > 0;) {
    sentence.next[j] = next;
    const std::uint16_t link = links_[sentence.first_token + j];
    if (link == kNoLink) continue;
    next = link;
    ++sentence.fertility[link];
  }
}

// Takes the link of word j out of all counts.
void Sampler::remove(Sentence& sentence, std::size_t j) {
  const std::uint64_t token = sentence.first_token + j;
  const std::uint16_t link = links_[token];
  if (link == kNoLink) {
    --null_[sentence.own[j]];
    --null_total_;
    --jumps_[jump_slot(sentence.previous, sentence.next[j])];
    --jump_total_;
    return;
  }
  std::uint64_t k = candidates_.starts[token];
  while (candidates_.positions[k] != link) ++k;
  --pairs_[candidates_.pairs[k]];
  const WordId given = sentence.given[link];
  set_total(given, -1);
  --jumps_[jump_slot(sentence.previous, link)];
  --jumps_[jump_slot(link, sentence.next[j])];
  jump_total_ -= 2;
  std::uint32_t* const fertilities = fertilities_.data() + given * kFertilities;
  --fertilities[fertility_slot(sentence.fertility[link]--)];
  ++fertilities[fertility_slot(sentence.fertility[link])];
}

// The choices of word j, which has no link now.
void Sampler::weigh(const Sentence& sentence, std::size_t j) {
  const std::uint64_t token = sentence.first_token + j;
  const auto begin = candidates_.starts[token], size = candidates_.starts[token + 1] - begin;
  const auto word_prior = static_cast<float>(options_.word_prior);
  const float* const jump = jump_probability_.data();
  const int previous = sentence.previous, next = sentence.next[j];
  weights_.resize(size + 1);
  float sum = 0;
  for (std::uint64_t k = 0; k < size; ++k) {
    const int position = candidates_.positions[begin + k];
    const WordId given = sentence.given[position];
    const auto links = static_cast<float>(pairs_[candidates_.pairs[begin + k]]);
    float weight = (links + word_prior) * inverse_totals_[given];
    if (stage_ >= kJumpsToo)
      weight *= jump[jump_slot(previous, position)] * jump[jump_slot(position, next)];
    if (stage_ >= kFertilitiesToo) {
      const std::uint32_t* const counts = fertilities_.data() + given * kFertilities;
      const FertilityPriors::Prior& prior = fertility_priors_.of(given);
      const int now = fertility_slot(sentence.fertility[position]);
      const int then = fertility_slot(sentence.fertility[position] + 1);
      // The word itself is not counted: it is the one that is to be explained.
      weight *= (static_cast<float>(counts[then] - (now == then)) + prior[then]) /
                (static_cast<float>(counts[now] - 1) + prior[now]);
    }
    weights_[k] = sum += weight;
  }
  const double null_prior = options_.null_word_prior;
  const double vocab = static_cast<double>(text_.own_vocab);
  auto weight = static_cast<float>(options_.null_prior / (1 - options_.null_prior) *
                                   (null_[sentence.own[j]] + null_prior) /
                                   (static_cast<double>(null_total_) + null_prior * vocab));
  if (stage_ >= kJumpsToo) weight *= jump[jump_slot(previous, next)];
  weights_[size] = sum + weight;
}

void Sampler::insert(Sentence& sentence, std::size_t j, std::size_t choice) {
  const std::uint64_t token = sentence.first_token + j;
  const std::uint64_t k = candidates_.starts[token] + choice;
  if (k == candidates_.starts[token + 1]) {
    links_[token] = kNoLink;
    ++null_[sentence.own[j]];
    ++null_total_;
    ++jumps_[jump_slot(sentence.previous, sentence.next[j])];
    ++jump_total_;
    return;
  }
  const std::uint16_t link = links_[token] = candidates_.positions[k];
  ++pairs_[candidates_.pairs[k]];
  const WordId given = sentence.given[link];
  set_total(given, 1);
  ++jumps_[jump_slot(sentence.previous, link)];
  ++jumps_[jump_slot(link, sentence.next[j])];
  jump_total_ += 2;
  std::uint32_t* const fertilities = fertilities_.data() + given * kFertilities;
  --fertilities[fertility_slot(sentence.fertility[link]++)];
  ++fertilities[fertility_slot(sentence.fertility[link])];
  sentence.previous = link;
}

void Sampler::sweep(std::uint32_t unit) {
  fertility_priors_.update(fertilities_, 1);
  Sentence sentence;
  for (std::size_t s = 0; s < text_.own.size(); ++s) {
    if (s % kRefreshEvery == 0) update_jump_probabilities();
    begin_sentence(s, sentence);
    for (std::size_t j = 0; j < sentence.own_size; ++j) {
      remove(sentence, j);
      weigh(sentence, j);
      const float sum = weights_.back();
      if (unit != 0) {
        const float scale = static_cast<float>(unit) / sum;
        std::uint16_t* const posteriors =
            posteriors_.data() + candidates_.starts[sentence.first_token + j];
        float before = 0;
        for (std::size_t k = 0; k + 1 < weights_.size(); ++k) {
          posteriors[k] += static_cast<std::uint16_t>((weights_[k] - before) * scale + 0.5f);
          before = weights_[k];
        }
      }
      const auto drawn = static_cast<float>(random_.uniform()) * sum;
      std::size_t choice = 0;
      while (choice + 1 < weights_.size() && weights_[choice] <= drawn) ++choice;
      insert(sentence, j, choice);
    }
  }
}

void Sampler::update_jump_probabilities() {
  const double prior = options_.jump_prior;
  const double total = static_cast<double>(jump_total_) + prior * kJumps;
  for (int i = 0; i < kJumps; ++i)
    jump_probability_[i] = static_cast<float>((static_cast<double>(jumps_[i]) + prior) / total);
}

void Sampler::run(const Schedule& schedule, std::uint32_t unit,
                  const std::function<void()>& on_sweep) {
  for (int i = 0; i < schedule.sweeps(); ++i) {
    stage_ = i < schedule.words                    ? kWords
             : i < schedule.words + schedule.jumps ? kJumpsToo
                                                   : kFertilitiesToo;
    const bool is_averaged = i >= schedule.sweeps() - schedule.averaged;
    sweep(is_averaged ? unit : 0);
    if (is_averaged) add_sample();
    on_sweep();
  }
}

void Sampler::add_sample() {
  SampledCounts now;
  now.pairs.assign(pairs_.begin(), pairs_.end());
  now.null.assign(null_.begin(), null_.end());
  now.jumps.assign(jumps_.begin(), jumps_.end());
  now.fertilities = fertilities_;
  now.samples = 1;
  sums_.add(now);
}

}  // namespace demotic
