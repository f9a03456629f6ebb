#include "grammar/sentence_record.hpp"

#include <set>
#include <vector>

#include "base/hash.hpp"
#include "base/test.hpp"

namespace demotic::sentence_record_test {

struct Example {
  std::size_t source_length, target_length;
  std::vector<Link> links;
  std::vector<std::byte> bytes;

  explicit Example(std::uint64_t seed)
      : source_length(1 + mix(seed) % 20), target_length(1 + mix(seed + 1) % 20) {
    std::set<Link> some;
    for (std::uint64_t k = 0; k < mix(seed + 2) % 25; ++k)
      some.insert({static_cast<std::uint16_t>(mix(seed * 50 + k) % source_length),
                   static_cast<std::uint16_t>(mix(seed * 70 + k) % target_length)});
    links.assign(some.begin(), some.end());
    bytes.resize(SentenceRecord::bytes(source_length, target_length, links.size()));
    std::vector<WordId> target(target_length);
    for (std::size_t j = 0; j < target_length; ++j) target[j] = static_cast<WordId>(10 + j);
    write_record(bytes, 7, 100, source_length, target, links);
  }

  // By definition: both edges linked, and no link that enters or leaves the block of source and
  // target words.
  bool is_phrase(int begin, int end) const {
    std::set<int> targets, edges;
    for (const Link link : links)
      if (link.source >= begin && link.source < end) {
        targets.insert(link.target);
        edges.insert(link.source);
      }
    if (!edges.contains(begin) || !edges.contains(end - 1) ||
        *targets.rbegin() - *targets.begin() >= kMaxSpan)
      return false;
    for (const Link link : links) {
      const bool inside = link.target >= *targets.begin() && link.target <= *targets.rbegin();
      if (inside && (link.source < begin || link.source >= end)) return false;
    }
    return true;
  }
};

TEST("the bits are the tight and consistent phrases") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Example example(seed);
    const SentenceRecord record(example.bytes.data());
    const int length = static_cast<int>(example.source_length);
    for (int begin = 0; begin < length; ++begin)
      for (int end = begin + 1; end <= length; ++end) {
        const bool expected = end - begin <= kMaxSpan && example.is_phrase(begin, end);
        CHECK(record.is_phrase({begin, end}) == expected);
        CHECK(end - begin > kMaxSpan ||
              (record.spans_to(end - 1) >> (end - begin - 1) & 1) == expected);
      }
  }
}

TEST("words and links come back") {
  const Example example(5);
  const SentenceRecord record(example.bytes.data());
  CHECK(record.sentence() == 7 && record.start() == 100);
  CHECK(record.target_word(0) == 10);
  std::vector<Link> links;
  for (int i = 0; i < record.source_length(); ++i)
    record.for_each_link(i, [&](int j) {
      links.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j)});
    });
  CHECK(links == example.links);
  CHECK(record_problem(example.bytes, 100) == nullptr);
  CHECK(record_problem(example.bytes, 10) != nullptr);
}

TEST("bytes cut off are refused") {
  const Example example(5);
  for (std::size_t size = 0; size < example.bytes.size() - 3; ++size)
    CHECK(record_problem(std::span(example.bytes).first(size), 100) != nullptr);
}

}  // namespace demotic::sentence_record_test
