#include "align/ibm1.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace demotic {
namespace {

constexpr int kIbm1Iterations = 4;
constexpr float kIbm1Prior = 0.01f;   // added to every expected count
constexpr float kIbm1Forget = 1e-7f;  // expected counts below it are dropped
constexpr std::size_t kWordParts = 64, kSentenceParts = 8;

// Expected counts into probabilities.
void normalise(std::span<Ibm1::Entry> row) {
  double total = 0;
  for (const Ibm1::Entry& entry : row) total += entry.probability;
  const auto factor = static_cast<float>(1 / (total + kIbm1Prior * row.size()));
  for (Ibm1::Entry& entry : row) entry.probability = (entry.probability + kIbm1Prior) * factor;
}

class Ibm1Trainer {
 public:
  using Entry = Ibm1::Entry;

  Ibm1Trainer(const Direction& text, unsigned threads)
      : text_(text),
        threads_(threads),
        given_(text.given, text.given_vocab),
        ends_(given_.parts(kWordParts)),
        parts_(ends_.size()),
        lengths_(text.given_vocab),
        null_(text.own_vocab),
        scale_(text.own.values.size()) {}

  void count_uniformly();  // first iteration: every link is as probable as any other
  void sum_links();        // scale of each token under the current probabilities
  void find_least(float threshold);
  void estimate();  // new probabilities
  void keep_likely();

  std::vector<std::uint64_t> starts() const;
  std::vector<Entry> take_entries();
  std::vector<float>& null() { return null_; }
  std::vector<float>& scale() { return scale_; }
  std::vector<float>& least() { return least_; }

 private:
  WordId begin_of(std::size_t part) const { return part == 0 ? 0 : ends_[part - 1]; }
  void estimate_null();
  template <class Visit>
  void visit_links(std::size_t first, std::size_t last, Visit visit) const;
  template <class Body>
  void for_sentences(Body body) const {  // parts of the text, on several threads
    const std::size_t size = text_.own.size();
    parallel_for(kSentenceParts, threads_, [&](std::size_t part) {
      body(size * part / kSentenceParts, size * (part + 1) / kSentenceParts);
    });
  }
  template <class Token, class Keep>
  void rebuild(std::size_t part, Token on_token, Keep keep);

  const Direction& text_;
  unsigned threads_;
  Occurrences given_;
  std::vector<WordId> ends_;
  std::vector<std::vector<Entry>> parts_;  // rows of the words of a part, one after the other
  std::vector<std::uint64_t> lengths_;     // of the rows
  std::vector<float> null_, scale_, least_;
};

void Ibm1Trainer::count_uniformly() {
  for (std::size_t s = 0; s < text_.own.size(); ++s)
    for (auto k = text_.own.starts[s]; k < text_.own.starts[s + 1]; ++k)
      scale_[k] = 1.0f / static_cast<float>(text_.given[s].size() + 1);
  std::fill(null_.begin(), null_.end(), 1.0f);
  parallel_for(parts_.size(), threads_, [&](std::size_t part) {
    std::vector<float> counts(text_.own_vocab);
    std::vector<WordId> seen;
    std::vector<Entry>& rows = parts_[part];
    for (WordId word = begin_of(part); word < ends_[part]; ++word) {
      seen.clear();
      for (auto at = given_.starts[word]; at < given_.starts[word + 1]; ++at) {
        const std::uint32_t sentence = given_.sentences[at];
        const float share = scale_[text_.own.starts[sentence]];
        for (const WordId own : text_.own[sentence]) {
          if (counts[own] == 0) seen.push_back(own);
          counts[own] += share;
        }
      }
      const std::size_t begin = rows.size();
      for (const WordId own : seen) {
        rows.push_back({own, counts[own]});
        counts[own] = 0;
      }
      lengths_[word] = rows.size() - begin;
      normalise(std::span(rows).subspan(begin));
    }
    rows.shrink_to_fit();
  });
  estimate_null();
}

void Ibm1Trainer::estimate_null() {
  std::vector<Entry> row(null_.size());
  for (WordId own = 0; own < row.size(); ++own) row[own] = {own, 0};
  for (std::size_t k = 0; k < scale_.size(); ++k) {
    const WordId own = text_.own.values[k];
    row[own].probability += null_[own] * scale_[k];
  }
  normalise(row);
  for (WordId own = 0; own < row.size(); ++own) null_[own] = row[own].probability;
}

void Ibm1Trainer::sum_links() {
  for_sentences([&](std::size_t first, std::size_t last) {
    const auto begin = text_.own.starts[first], end = text_.own.starts[last];
    for (auto k = begin; k < end; ++k) scale_[k] = null_[text_.own.values[k]];
    visit_links(first, last, [&](std::uint64_t k, float probability) { scale_[k] += probability; });
    for (auto k = begin; k < end; ++k) scale_[k] = 1 / scale_[k];
  });
}

void Ibm1Trainer::find_least(float threshold) {
  least_.assign(scale_.size(), 0);
  for_sentences([&](std::size_t first, std::size_t last) {
    visit_links(first, last, [&](std::uint64_t k, float probability) {
      least_[k] = std::max(least_[k], probability * scale_[k]);
    });
    for (auto k = text_.own.starts[first]; k < text_.own.starts[last]; ++k)
      least_[k] = least_[k] > 0 ? std::min(least_[k], threshold) : 1;
  });
}

// Calls visit(token, probability) for every link of the sentences [first, last), for one token in
// the order of the ids of the given words.
template <class Visit>
void Ibm1Trainer::visit_links(std::size_t first, std::size_t last, Visit visit) const {
  std::vector<float> probability(text_.own_vocab);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const Entry* row = parts_[part].data();
    for (WordId word = begin_of(part); word < ends_[part]; row += lengths_[word], ++word) {
      const auto all = given_.sentences.begin() + static_cast<std::ptrdiff_t>(given_.starts[word]);
      const auto stop =
          given_.sentences.begin() + static_cast<std::ptrdiff_t>(given_.starts[word + 1]);
      const auto from = std::lower_bound(all, stop, first), to = std::lower_bound(from, stop, last);
      if (from == to) continue;
      const std::span<const Entry> entries(row, lengths_[word]);
      for (const Entry& entry : entries) probability[entry.own] = entry.probability;
      for (auto at = from; at != to; ++at)
        for (auto k = text_.own.starts[*at]; k < text_.own.starts[*at + 1]; ++k)
          visit(k, probability[text_.own.values[k]]);
      for (const Entry& entry : entries) probability[entry.own] = 0;
    }
  }
}

// Walks through the sentences of each word of a part. `on_token(value, posterior, token)` updates
// the value of a word pair, which begins with 0; `keep(entry, value)` decides whether the pair
// stays.
template <class Token, class Keep>
void Ibm1Trainer::rebuild(std::size_t part, Token on_token, Keep keep) {
  std::vector<float> probability(text_.own_vocab), values(text_.own_vocab);
  std::vector<Entry>& rows = parts_[part];
  std::size_t read = 0, written = 0;
  for (WordId word = begin_of(part); word < ends_[part]; ++word) {
    const std::span<const Entry> row = std::span(rows).subspan(read, lengths_[word]);
    for (const Entry& entry : row) probability[entry.own] = entry.probability;
    for (auto at = given_.starts[word]; at < given_.starts[word + 1]; ++at) {
      const std::uint32_t sentence = given_.sentences[at];
      for (auto k = text_.own.starts[sentence]; k < text_.own.starts[sentence + 1]; ++k) {
        const WordId own = text_.own.values[k];
        on_token(values[own], probability[own] * scale_[k], k);
      }
    }
    read += row.size();
    const std::size_t begin = written;
    for (Entry entry : row) {  // a row is never longer than before: written in its place
      const bool stays = keep(entry, values[entry.own]);
      probability[entry.own] = values[entry.own] = 0;
      if (stays) rows[written++] = entry;
    }
    lengths_[word] = written - begin;
  }
  rows.resize(written);
  rows.shrink_to_fit();
}

void Ibm1Trainer::estimate() {
  estimate_null();
  parallel_for(parts_.size(), threads_, [&](std::size_t part) {
    rebuild(
        part, [](float& count, float posterior, std::uint64_t) { count += posterior; },
        [](Entry& entry, float count) {
          entry.probability = count;
          return count > kIbm1Forget;
        });
    Entry* row = parts_[part].data();
    for (WordId word = begin_of(part); word < ends_[part]; row += lengths_[word], ++word)
      normalise({row, lengths_[word]});
  });
}

void Ibm1Trainer::keep_likely() {
  parallel_for(parts_.size(), threads_, [&](std::size_t part) {
    rebuild(
        part,
        [&](float& likely, float posterior, std::uint64_t k) {
          if (posterior >= least_[k]) likely = 1;
        },
        [](Entry&, float likely) { return likely > 0; });
  });
}

std::vector<std::uint64_t> Ibm1Trainer::starts() const {
  std::vector<std::uint64_t> starts{0};
  starts.reserve(lengths_.size() + 1);
  for (const std::uint64_t length : lengths_) starts.push_back(starts.back() + length);
  return starts;
}

std::vector<Ibm1::Entry> Ibm1Trainer::take_entries() {
  std::vector<Entry> entries;
  for (std::vector<Entry>& part : parts_) {
    entries.insert(entries.end(), part.begin(), part.end());
    std::vector<Entry>().swap(part);
  }
  return entries;
}

}  // namespace

Occurrences::Occurrences(const Ragged<WordId>& text, std::size_t vocab)
    : starts(vocab + 1), sentences(text.values.size()), tokens(text.values.size()) {
  for (const WordId word : text.values) ++starts[word + 1];
  for (std::size_t word = 0; word < vocab; ++word) starts[word + 1] += starts[word];
  std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t s = 0; s < text.size(); ++s)
    for (auto k = text.starts[s]; k < text.starts[s + 1]; ++k) {
      const std::uint64_t place = next[text.values[k]]++;
      sentences[place] = static_cast<std::uint32_t>(s);
      tokens[place] = k;
    }
}

std::vector<WordId> Occurrences::parts(std::size_t wanted) const {
  std::vector<WordId> ends;
  const auto vocab = static_cast<WordId>(starts.size() - 1);
  for (WordId word = 0; word < vocab; ++word)
    if (starts[word + 1] * wanted >= starts.back() * (ends.size() + 1)) ends.push_back(word + 1);
  if (ends.empty() || ends.back() != vocab) ends.push_back(vocab);
  return ends;
}

Ibm1::Ibm1(const Direction& text, double threshold, unsigned threads) {
  Ibm1Trainer trainer(text, threads);
  trainer.count_uniformly();
  for (int iteration = 1; iteration < kIbm1Iterations; ++iteration) {
    trainer.sum_links();
    trainer.estimate();
  }
  trainer.sum_links();
  trainer.find_least(static_cast<float>(threshold));
  trainer.keep_likely();
  starts_ = trainer.starts();
  entries_ = trainer.take_entries();
  null_ = std::move(trainer.null());
  scale_ = std::move(trainer.scale());
  least_ = std::move(trainer.least());
}

}  // namespace demotic
