#include "decode/target_models.hpp"

#include <utility>

namespace demotic {

TargetWords::TargetWords(std::shared_ptr<const Vocab> vocab, const TargetModels& models,
                         const Model* whole)
    : vocab_(std::move(vocab)) {
  ids_.reserve(models.size() * vocab_->size());
  for (const TargetModel& model : models)
    for (WordId id = 0; id < vocab_->size(); ++id) ids_.push_back(model.token(vocab_->word(id)));
  unknown_.reserve(vocab_->size());
  for (WordId id = 0; id < vocab_->size(); ++id)
    unknown_.push_back(Model::is_oov(ids_[id]) &&
                       (whole == nullptr || Model::is_oov(whole->word(vocab_->word(id)))));
}

}  // namespace demotic
