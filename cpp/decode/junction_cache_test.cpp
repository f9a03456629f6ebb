#include "decode/junction_cache.hpp"

#include <random>

#include "base/test.hpp"
#include "lm/lm_test.hpp"

namespace demotic::junction_cache_test {

TEST("a cache with more questions than places gives the language model's answers") {
  const Model model = test::model_of(test::random_text(8, 2000, 20), 3);
  JunctionCache cache(model);
  std::mt19937 random(3);
  std::vector<ChartState> pieces(3000);
  for (ChartState& piece : pieces)
    for (auto length = random() % 4; length > 0; --length)
      model.append(piece, static_cast<WordId>(3 + random() % 20));
  for (int repeat = 0; repeat < 200'000; ++repeat) {
    const ChartState first = pieces[random() % pieces.size()],
                     second = pieces[random() % pieces.size()];
    const Merged expected = model.merge(first, second), found = cache.merge(first, second);
    if (found.change != expected.change || found.state != expected.state) CHECK(false);
  }
}

}  // namespace demotic::junction_cache_test
