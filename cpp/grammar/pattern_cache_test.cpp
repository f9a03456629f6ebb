#include "grammar/pattern_cache.hpp"

#include "base/test.hpp"

namespace demotic::pattern_cache_test {

PatternKey key(Symbol word, std::uint64_t mask = 0) {
  PatternKey result{mask, 1};
  result.symbols[0] = word;
  return result;
}

void insert(PatternCache& cache, const PatternKey& key, std::shared_ptr<const RuleBlock> block) {
  const std::size_t bytes = block->bytes();
  cache.insert(key, std::move(block), bytes);
}

std::shared_ptr<RuleBlock> block(std::size_t rules) {
  auto result = std::make_shared<RuleBlock>();
  result->rules.resize(rules);
  return result;
}

TEST("a block comes back under its key alone") {
  PatternCache cache(1 << 20);
  const auto first = block(1), second = block(2);
  insert(cache, key(1), first);
  insert(cache, key(1, 5), second);
  CHECK(cache.find(key(1)) == first && cache.find(key(1, 5)) == second);
  CHECK(cache.find(key(2)) == nullptr && cache.find(key(1, 6)) == nullptr);
}

TEST("memory stays bounded and what was used last stays") {
  constexpr std::size_t kBytes = 1 << 20;
  PatternCache cache(kBytes);
  insert(cache, key(0), block(10));
  for (Symbol word = 1; word < 20000; ++word) {
    insert(cache, key(word), block(10));
    CHECK(cache.find(key(0)) != nullptr);
  }
  CHECK(cache.bytes() <= kBytes);
  CHECK(cache.find(key(1)) == nullptr && cache.find(key(19999)) != nullptr);
}

TEST("a block larger than the cache is not kept") {
  PatternCache cache(1 << 12);
  insert(cache, key(1), block(10000));
  CHECK(cache.bytes() == 0);
}

}  // namespace demotic::pattern_cache_test
