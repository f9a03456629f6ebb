// Word classes as templates use them: by the ids of a vocabulary, ready to be written in names.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "corpus/word_classes.hpp"
#include "features/symbol_text.hpp"
#include "features/vocab_cache.hpp"

namespace demotic {

// The classes of both sides of a corpus. `size` is how many were asked for, by which templates name
// them; there may be fewer.
struct ClassPair {
  unsigned size;
  std::shared_ptr<const WordClasses> source, target;
};

// The classes of a vocabulary's words: <12>, <unk>.
class ClassTable {
 public:
  ClassTable(std::shared_ptr<const WordClasses> classes,
             std::shared_ptr<const std::vector<SymbolText>> symbols, const Vocab& vocab);
  // A word of the vocabulary.
  const SymbolText& operator[](WordId word) const { return (*symbols_)[class_of_[word]]; }
  std::size_t size() const { return class_of_.size(); }
  // Any word.
  const SymbolText& of(std::string_view word) const { return (*symbols_)[classes_->of(word)]; }

 private:
  std::shared_ptr<const WordClasses> classes_;
  std::shared_ptr<const std::vector<SymbolText>> symbols_;  // by number
  std::vector<std::uint16_t> class_of_;                     // by word
};

// The classes of the words of a grammar.
struct GrammarClasses {
  unsigned size;
  std::shared_ptr<const ClassTable> source, target;
};

// Tables of the vocabularies that are in use. For any number of threads.
class ClassTables {
 public:
  explicit ClassTables(const ClassPair& classes)
      : size_(classes.size), source_(classes.source), target_(classes.target) {}
  unsigned size() const { return size_; }
  GrammarClasses of(const std::shared_ptr<const Vocab>& source,
                    const std::shared_ptr<const Vocab>& target) {
    return {size_, source_.of(source), target_.of(target)};
  }

 private:
  class Side {
   public:
    explicit Side(std::shared_ptr<const WordClasses> classes);
    std::shared_ptr<const ClassTable> of(const std::shared_ptr<const Vocab>& vocab);

   private:
    std::shared_ptr<const WordClasses> classes_;
    std::shared_ptr<const std::vector<SymbolText>> symbols_;
    VocabCache<ClassTable> cache_;
  };

  unsigned size_;
  Side source_, target_;
};

}  // namespace demotic
