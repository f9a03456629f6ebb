#include "lm/arpa_reader.hpp"

#include "base/error.hpp"
#include "base/test.hpp"
#include "lm/arpa_writer.hpp"
#include "lm/lm_test.hpp"

namespace demotic::arpa_reader_test {

TEST("whatever is done to an ARPA file, reading it gives a model or an error") {
  std::string arpa;
  write_arpa(test::estimated(test::random_text(1, 30, 3), {.order = 3}).ngrams, 1,
             [&](std::string_view part) { arpa += part; });
  std::mt19937 random(7);
  int refused = 0;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    std::string text = arpa;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = "\\\n\t -1e9n=<a\xff"[random() % 13];
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
          break;
        default:
          text.resize(at + 1);
      }
    }
    const bool threw = !test::thrown<Error>([&] {
                          ArpaReader reader("text");
                          reader.add(text);
                          Ngrams ngrams = reader.finish();
                          const Model model = ModelBuilder().build(ngrams, true);
                          CHECK(model.score(model.begin_state(), kEnd).prob <= 1e4f);
                        }).empty();
    refused += threw;
  }
  CHECK(refused > 1000 && refused < 3000);
}

}  // namespace demotic::arpa_reader_test
