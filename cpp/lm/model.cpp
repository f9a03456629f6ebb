#include "lm/model.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/section_file.hpp"

namespace demotic {

Model::Model(const Arrays& arrays, std::shared_ptr<const void> owner, const SectionReader* file)
    : arrays_(arrays), words_(arrays.vocab.size()), owner_(std::move(owner)), file_(file) {
  if (arrays.order < 1 || arrays.order > kMaxOrder)
    throw Error("order " + std::to_string(arrays.order) + " is impossible");
  if (arrays.counts.size() != arrays.order)
    throw Error("the numbers of n-grams do not fit the order");
  const WordId specials[] = {kUnknown, kBegin, kEnd};
  const std::string_view names[] = {kUnknownWord, kBeginWord, kEndWord};
  for (int i = 0; i < 3; ++i)
    if (words_ < 3 || arrays.vocab.word(specials[i]) != names[i])
      throw Error("the vocabulary does not begin with <unk>, <s> and </s>");
  if (arrays.ngrams.size() < 1 + words_ || arrays.ngrams.size() >= kMaxNgrams ||
      arrays.longest.size() >= kMaxNgrams)
    throw Error("the n-gram table does not fit the vocabulary");
  if (arrays.ngrams[kEmptyNgram].length != 0)
    throw Error("the n-gram table does not begin with the empty n-gram");
  middle_slots_ = arrays.ngrams.size() - 1 - words_;
}

void Model::check_unchanged() const {
  if (file_ != nullptr) file_->check_unchanged();
}

}  // namespace demotic
