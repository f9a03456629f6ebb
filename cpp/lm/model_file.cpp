#include "lm/model_file.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/section_file.hpp"

namespace demotic {
namespace {
constexpr std::string_view kKind = "lm";
constexpr std::uint32_t kVersion = 2;
}  // namespace

void write_model(const Model& model, const std::string& path) {
  const Model::Arrays& arrays = model.arrays();
  SectionWriter file(path, kKind, kVersion, 6);
  file.add("counts", arrays.counts);
  file.add("words.text", arrays.vocab.text());
  file.add("words.starts", arrays.vocab.starts());
  file.add("words.table", arrays.vocab.table());
  file.add("ngrams", arrays.ngrams);
  file.add("longest", arrays.longest);
  file.finish();
}

Model map_model(const std::string& path) {
  const auto file = std::make_shared<const SectionReader>(path, kKind, kVersion);
  const auto counts = file->section<std::uint64_t>("counts");
  try {
    const VocabView vocab(file->section<char>("words.text"),
                          file->section<std::uint64_t>("words.starts"),
                          file->section<WordId>("words.table"));
    return Model({static_cast<unsigned>(counts.size()), vocab, file->section<Ngram>("ngrams"),
                  file->section<LongestNgram>("longest"), counts},
                 file, file.get());
  } catch (const Error& error) {
    if (!error.file().empty()) throw;  // the reader has said it all
    file->damaged(error.message());
  }
}

}  // namespace demotic
