#include "lm/arpa_writer.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/parallel.hpp"

namespace demotic {
namespace {

void append_number(std::string& text, float value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

void append_words(std::string& text, const Ngrams& ngrams, unsigned order, std::uint32_t ngram) {
  for (unsigned n = order; n > 1; --n) {
    text += ngrams.vocab.word(ngrams.levels[n - 1].first[ngram]);
    text += ' ';
    ngram = ngrams.levels[n - 1].suffix[ngram];
  }
  text += ngrams.vocab.word(ngrams.levels[0].first[ngram]);
}

std::string format(const Ngrams& ngrams, unsigned order, std::size_t begin, std::size_t end) {
  const Ngrams::Level& level = ngrams.levels[order - 1];
  std::string text;
  text.reserve((end - begin) * (24 + 8 * order));
  for (std::size_t i = begin; i < end; ++i) {
    append_number(text, level.prob[i]);
    text += '\t';
    append_words(text, ngrams, order, static_cast<std::uint32_t>(i));
    if (!level.backoff.empty()) {
      text += '\t';
      append_number(text, level.backoff[i]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

void write_arpa(const Ngrams& ngrams, unsigned threads,
                const std::function<void(std::string_view)>& write) {
  std::string header = "\\data\\\n";
  for (unsigned order = 1; order <= ngrams.order(); ++order)
    header += "ngram " + std::to_string(order) + "=" +
              std::to_string(ngrams.levels[order - 1].size()) + "\n";
  write(header);
  constexpr std::size_t kPart = 1 << 15;
  for (unsigned order = 1; order <= ngrams.order(); ++order) {
    write("\n\\" + std::to_string(order) + "-grams:\n");
    const std::size_t size = ngrams.levels[order - 1].size(),
                      wave = kPart * 2 * std::max(threads, 1u);
    for (std::size_t first = 0; first < size; first += wave) {
      std::vector<std::string> texts((std::min(wave, size - first) + kPart - 1) / kPart);
      parallel_for(texts.size(), threads, [&](std::size_t i) {
        texts[i] =
            format(ngrams, order, first + i * kPart, std::min(size, first + (i + 1) * kPart));
      });
      for (const std::string& text : texts) write(text);
    }
  }
  write("\n\\end\\\n");
}

}  // namespace demotic
