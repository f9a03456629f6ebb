#include "decode/target_models.hpp"

#include <utility>

namespace demotic {

TargetWords::TargetWords(std::shared_ptr<const Vocab> vocab, const TargetModels& models)
    : vocab_(std::move(vocab)), ids_(models.size()) {
  for (std::size_t model = 0; model < models.size(); ++model) {
    ids_[model].reserve(vocab_->size());
    for (WordId id = 0; id < vocab_->size(); ++id)
      ids_[model].push_back(models[model].token(vocab_->word(id)));
  }
}

}  // namespace demotic
