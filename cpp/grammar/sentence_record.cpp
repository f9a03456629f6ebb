#include "grammar/sentence_record.hpp"

#include <cstring>
#include <vector>

namespace demotic {
namespace {

struct Extremes {  // lowest and highest linked position per word
  std::vector<std::uint8_t> low, high;
  explicit Extremes(std::size_t words) : low(words, kUnaligned), high(words, kUnaligned) {}
  void add(std::size_t word, std::size_t other) {
    const auto position = static_cast<std::uint8_t>(other);
    if (low[word] == kUnaligned || position < low[word]) low[word] = position;
    if (high[word] == kUnaligned || position > high[word]) high[word] = position;
  }
};

// Sets the bits of all tight and consistent phrases.
void find_phrases(const Extremes& source, const Extremes& target, std::vector<std::uint16_t>& from,
                  std::vector<std::uint16_t>& to) {
  const int length = static_cast<int>(source.low.size());
  for (int begin = 0; begin < length; ++begin) {
    if (source.low[begin] == kUnaligned) continue;
    Span image, back;  // target span of the words so far; source span of that
    for (int end = begin + 1; end <= std::min(length, begin + kMaxSpan); ++end) {
      if (source.low[end - 1] == kUnaligned) continue;
      const Span before = image;
      image = image.hull({source.low[end - 1], source.high[end - 1] + 1});
      if (image.size() > kMaxSpan) break;
      for (int j = image.begin; j < image.end; ++j) {
        if (j == before.begin && !before.empty()) j = before.end;  // seen already
        if (j < image.end && target.low[j] != kUnaligned)
          back = back.hull({target.low[j], target.high[j] + 1});
      }
      if (back.begin < begin) break;  // more words make it no smaller
      if (back.end > end) continue;
      from[begin] |= static_cast<std::uint16_t>(1u << (end - begin - 1));
      to[end - 1] |= static_cast<std::uint16_t>(1u << (end - begin - 1));
    }
  }
}

template <class T>
std::byte* put(std::byte* place, const std::vector<T>& values) {
  if (!values.empty()) std::memcpy(place, values.data(), values.size() * sizeof(T));
  return place + values.size() * sizeof(T);
}

}  // namespace

void write_record(std::span<std::byte> bytes, std::uint32_t sentence, std::uint32_t start,
                  std::size_t source_length, std::span<const WordId> target,
                  std::span<const Link> links) {
  Extremes source_links(source_length), target_links(target.size());
  std::vector<RecordLink> packed;
  for (const Link link : links) {
    source_links.add(link.source, link.target);
    target_links.add(link.target, link.source);
    packed.push_back(
        {static_cast<std::uint8_t>(link.source), static_cast<std::uint8_t>(link.target)});
  }
  std::vector<std::uint16_t> from(source_length, 0), to(source_length, 0);
  find_phrases(source_links, target_links, from, to);

  const RecordHeader header{sentence, start, static_cast<std::uint8_t>(source_length),
                            static_cast<std::uint8_t>(target.size()),
                            static_cast<std::uint16_t>(links.size())};
  std::memset(bytes.data(), 0, bytes.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::byte* place = bytes.data() + sizeof header;
  place = put(put(place, from), to);
  place = put(put(place, source_links.low), source_links.high);
  place = put(put(place, target_links.low), target_links.high);
  put(place, packed);
  put(bytes.data() + bytes.size() - target.size_bytes(),
      std::vector<WordId>(target.begin(), target.end()));
}

const char* record_problem(std::span<const std::byte> bytes, std::size_t target_vocab_size) {
  if (bytes.size() < sizeof(RecordHeader)) return "a sentence record is cut off";
  const SentenceRecord record(bytes.data());
  if (record.bytes() > bytes.size()) return "a sentence record is cut off";
  const int source = record.source_length(), target = record.target_length();
  if (source == 0 || target == 0 || source > kMaxRecordWords || target > kMaxRecordWords)
    return "a sentence record has an impossible length";
  for (int j = 0; j < target; ++j)
    if (record.target_word(j) >= target_vocab_size)
      return "a target word is outside the vocabulary";

  Extremes source_links(static_cast<std::size_t>(source)),
      target_links(static_cast<std::size_t>(target));
  const auto links = record.links();
  for (const RecordLink link : links) {
    if (link.source >= source || link.target >= target) return "a link is out of range";
    source_links.add(link.source, link.target);
    target_links.add(link.target, link.source);
  }
  if (!std::is_sorted(links.begin(), links.end())) return "the links are out of order";
  for (int i = 0; i < source; ++i) {
    const Span image = source_links.low[i] == kUnaligned
                           ? Span{}
                           : Span{source_links.low[i], source_links.high[i] + 1};
    if (record.aligned(i) == image.empty() || record.to_target({i, i + 1}) != image)
      return "a source word disagrees with its links";
    if ((record.spans_from(i) >> std::min(source - i, kMaxSpan)) != 0 ||
        (record.spans_to(i) >> std::min(i + 1, kMaxSpan)) != 0)
      return "a phrase reaches beyond its sentence";
  }
  for (int j = 0; j < target; ++j) {
    const Span image = target_links.low[j] == kUnaligned
                           ? Span{}
                           : Span{target_links.low[j], target_links.high[j] + 1};
    if (record.to_source({j, j + 1}) != image) return "a target word disagrees with its links";
  }
  return nullptr;
}

}  // namespace demotic
