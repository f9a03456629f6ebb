#include "features/class_tables.hpp"

#include <utility>

namespace demotic {

ClassTable::ClassTable(std::shared_ptr<const WordClasses> classes,
                       std::shared_ptr<const std::vector<SymbolText>> symbols, const Vocab& vocab)
    : classes_(std::move(classes)), symbols_(std::move(symbols)) {
  class_of_.reserve(vocab.size());
  for (WordId id = 0; id < vocab.size(); ++id) class_of_.push_back(classes_->of(vocab.word(id)));
}

ClassTables::Side::Side(std::shared_ptr<const WordClasses> classes) : classes_(std::move(classes)) {
  std::vector<SymbolText> symbols;
  for (std::uint16_t number = 0; number <= classes_->numbers(); ++number)
    symbols.emplace_back(std::string("<").append(classes_->name(number)).append(">"));
  symbols_ = std::make_shared<const std::vector<SymbolText>>(std::move(symbols));
}

std::shared_ptr<const ClassTable> ClassTables::Side::of(const std::shared_ptr<const Vocab>& vocab) {
  return cache_.of(vocab,
                   [this](const Vocab& words) { return ClassTable(classes_, symbols_, words); });
}

}  // namespace demotic
