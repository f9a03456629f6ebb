#include "corpus/bitext.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "corpus/vocab_section.hpp"

namespace demotic {
namespace {

constexpr std::string_view kKind = "bitext";
constexpr std::uint32_t kVersion = 1;

std::size_t count_words(std::string_view line) {
  std::size_t count = 0;
  for_each_token(line, [&](std::string_view) { ++count; });
  return count;
}

void check_length(std::string_view side, std::size_t words) {
  if (words == 0)
    throw Error("the " + std::string(side) + " side is empty",
                "run `demotic prepare` first: it removes such pairs");
  if (words > kMaxSentenceWords)
    throw Error("the " + std::string(side) + " side has " + std::to_string(words) +
                    " words, the limit is " + std::to_string(kMaxSentenceWords),
                "run `demotic prepare` first: it removes over-long pairs");
}

std::uint32_t parse_position(std::string_view word, std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw Error("'" + std::string(word) + "' is not an alignment link",
                "expected Pharaoh format: source-target positions from 0, such as 0-0 1-2");
  return value;
}

// Lists must follow each other without gaps: starts[0] = 0, never falling, the last one at the end
// of the values.
template <class T>
Ragged<T> checked_lists(const SectionReader& file, const std::string& values,
                        const std::string& starts) {
  const Ragged<T> lists{file.section<T>(values), file.section<std::uint64_t>(starts)};
  if (lists.starts.empty() || lists.starts.front() != 0 ||
      lists.starts.back() != lists.values.size() ||
      !std::is_sorted(lists.starts.begin(), lists.starts.end()))
    file.damaged("'" + starts + "' does not divide '" + values + "'");
  return lists;
}

void check_words(const SectionReader& file, const Ragged<WordId>& sentences, std::size_t vocab_size,
                 const std::string& side) {
  for (const WordId word : sentences.values)
    if (word >= vocab_size)
      file.damaged(side + " word id " + std::to_string(word) + " is outside the vocabulary");
  for (std::size_t i = 0; i < sentences.size(); ++i)
    if (sentences[i].empty() || sentences[i].size() > kMaxSentenceWords)
      file.damaged(side + " sentence " + std::to_string(i) + " has an impossible length");
}

}  // namespace

std::vector<Link> parse_links(std::string_view text, std::size_t source_words,
                              std::size_t target_words) {
  std::vector<Link> links;
  for_each_token(text, [&](std::string_view word) {
    const std::size_t dash = std::min(word.find('-'), word.size());
    const auto source = parse_position(word, word.substr(0, dash));
    const auto target =
        parse_position(word, dash < word.size() ? word.substr(dash + 1) : std::string_view());
    if (source >= source_words || target >= target_words)
      throw Error("alignment link " + std::string(word) + " is out of range: the pair has " +
                      std::to_string(source_words) + " source and " + std::to_string(target_words) +
                      " target words",
                  "are text and alignment of the same version and in the same direction?");
    links.push_back({static_cast<std::uint16_t>(source), static_cast<std::uint16_t>(target)});
  });
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

void BitextBuilder::add(std::string_view source, std::string_view target,
                        std::optional<std::string_view> links) {
  if (size() == 0) aligned_ = links.has_value();
  if (aligned_ != links.has_value()) throw Error("either all pairs have alignment links or none");
  const std::size_t source_words = count_words(source), target_words = count_words(target);
  check_length("source", source_words);
  check_length("target", target_words);
  const auto parsed = links ? parse_links(*links, source_words, target_words) : std::vector<Link>();

  const auto append = [](Side& side, std::string_view line) {
    for_each_token(line,
                   [&](std::string_view word) { side.words.push_back(side.vocab.add(word)); });
    side.starts.push_back(side.words.size());
  };
  append(source_, source);
  append(target_, target);
  links_.insert(links_.end(), parsed.begin(), parsed.end());
  link_starts_.push_back(links_.size());
}

void BitextBuilder::write(const std::string& path) const {
  SectionWriter file(path, kKind, kVersion, 11);
  const auto write_side = [&](const Side& side, const std::string& name) {
    add_vocab(file, name, side.vocab);
    file.add(name + ".words", side.words);
    file.add(name + ".starts", side.starts);
  };
  write_side(source_, "source");
  write_side(target_, "target");
  file.add("links", links_);
  file.add("links.starts", link_starts_);
  file.add("aligned", std::vector<std::uint8_t>{aligned_});
  file.finish();
}

Bitext::Bitext(const std::string& path)
    : file_(path, kKind, kVersion),
      source_vocab_(read_vocab(file_, "source")),
      target_vocab_(read_vocab(file_, "target")),
      source_(checked_lists<WordId>(file_, "source.words", "source.starts")),
      target_(checked_lists<WordId>(file_, "target.words", "target.starts")),
      links_(checked_lists<Link>(file_, "links", "links.starts")) {
  const auto aligned = file_.section<std::uint8_t>("aligned");
  if (aligned.size() != 1) file_.damaged("'aligned' must be one byte");
  aligned_ = aligned[0] != 0;
  if (source_.size() != target_.size() || source_.size() != links_.size())
    file_.damaged("source, target and links differ in number");
  check_words(file_, source_, source_vocab_.size(), "source");
  check_words(file_, target_, target_vocab_.size(), "target");
  for (std::size_t i = 0; i < size(); ++i)
    for (const Link link : links_[i])
      if (link.source >= source_[i].size() || link.target >= target_[i].size())
        file_.damaged("a link of pair " + std::to_string(i) + " is out of range");
}

}  // namespace demotic
