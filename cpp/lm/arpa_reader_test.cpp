#include "lm/arpa_reader.hpp"

#include <algorithm>
#include <string>

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

std::string arpa_with(std::string bigrams, std::string trigrams) {
  const auto lines = [](const std::string& text) {
    return std::to_string(std::count(text.begin(), text.end(), '\n'));
  };
  return "\\data\\\nngram 1=5\nngram 2=" + lines(bigrams) + "\nngram 3=" + lines(trigrams) +
         "\n\\1-grams:\n-1 <unk>\n-1 <s> -1\n-1 </s>\n-1 a -1\n-1 b -1\n\\2-grams:\n" + bigrams +
         "\\3-grams:\n" + trigrams + "\\end\\\n";
}

// "LINE: MESSAGE" of the error when a text is read in parts, or "".
std::string error_of(const std::string& arpa, std::size_t part) {
  try {
    ArpaReader reader("text");
    for (std::size_t i = 0; i < arpa.size(); i += part)
      reader.add(std::string_view(arpa).substr(i, part));
    reader.finish();
  } catch (const Error& error) {
    CHECK(error.file() == "text");
    return std::to_string(error.line()) + ": " + error.message();
  }
  return "";
}

// N-grams are put in their places some dozens at a time; the first line that is wrong is named
// whatever is wrong in it, and wherever the text is cut.
TEST("of several errors the first is reported, also when lines are looked at together") {
  const std::string missing = "-1 b a b\n", twice = "-1 a b a\n-1 a b a\n", no_number = "x a b a\n",
                    unknown = "-1 a c a\n", fields = "-1 a\n";
  const auto expect = [](const std::string& trigrams, int line, const std::string& message) {
    const std::string arpa = arpa_with("-1 a b -1\n-1 a a\n", trigrams);
    for (const std::size_t part : {1000, 7, 1}) {
      const std::string found = error_of(arpa, part);
      CHECK(found.starts_with(std::to_string(line) + ": "));
      CHECK(found.find(message) != std::string::npos);
    }
  };
  const int first = 15;  // line of the first trigram
  for (const std::string& later : {missing, twice, no_number, unknown, fields}) {
    expect(missing + later, first, "'b a' is missing, but 'b a b' begins with it");
    expect(twice + later, first + 1, "'a b a' comes twice");
    expect(no_number + later, first, "'x' is not a number");
    expect(unknown + later, first, "'c' is not among the unigrams");
    expect(fields + later, first, "found 2 fields");
  }
  expect("-1 b a c\n", first, "'b a' is missing");  // before the word that is not there, too
}

TEST("a suffix that a line puts in may be the context of the next line") {
  // "b a" is not there until "a b a" needs it.
  CHECK(error_of(arpa_with("-1 a b -1\n", "-1 a b a\n-1 b a a\n"), 1000).empty());
  CHECK(!error_of(arpa_with("-1 a b -1\n", "-1 b a a\n-1 a b a\n"), 1000).empty());
}

}  // namespace demotic::arpa_reader_test
