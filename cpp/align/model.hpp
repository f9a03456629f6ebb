// A saved alignment model: aligns pairs that were not in the training text.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "align/candidates.hpp"
#include "align/parameters.hpp"
#include "align/posteriors.hpp"
#include "base/section_file.hpp"
#include "corpus/bitext.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

// Writes the word pairs for which `keeps` holds.
void write_alignment_model(const std::string& path, const Bitext& text, const CandidatePairs& pairs,
                           const DirectionParameters& forward, const DirectionParameters& backward,
                           const std::function<bool(std::size_t)>& keeps);

// DirectionParameters in place. Vocabularies are one larger: the last word is any unknown one.
struct DirectionView {
  std::span<const float> words, unseen, null, jumps, fertility;
};

class AlignmentModel {
 public:
  explicit AlignmentModel(const std::string& path);

  // Words separated by spaces; neither side may be empty. The same pair gives the same result,
  // whatever was aligned before it.
  PairPosteriors align(std::string_view source, std::string_view target) const;

  std::size_t pairs() const { return targets_.size(); }
  const Vocab& source_vocab() const { return source_vocab_; }
  const Vocab& target_vocab() const { return target_vocab_; }
  const std::string& path() const { return file_.path(); }

 private:
  DirectionView read_direction(const std::string& name, std::size_t own, std::size_t given) const;
  // Number of a word pair, or -1.
  std::ptrdiff_t find(WordId source, WordId target) const;

  SectionReader file_;
  Vocab source_vocab_, target_vocab_;
  std::span<const std::uint64_t> starts_;
  std::span<const WordId> targets_;
  DirectionView forward_, backward_;
};

}  // namespace demotic
