#include "corpus/bitext.hpp"

#include <fstream>

#include "base/error.hpp"
#include "base/section_test.hpp"
#include "base/test.hpp"

namespace demotic::bitext_test {

const std::string kPath = "bitext_test.bin";

void write_example() {
  BitextBuilder builder;
  builder.add("das  haus ist klein", "the house is small", "0-0 1-1 2-2 3-3");
  builder.add("ja", "yes , indeed", "0-2 0-0 0-0");
  builder.write(kPath);
}

TEST("sentences, words and links come back") {
  write_example();
  const Bitext bitext(kPath);
  CHECK(bitext.size() == 2 && bitext.aligned());
  CHECK(bitext.source()[0].size() == 4 && bitext.target()[1].size() == 3);
  CHECK(bitext.target_vocab().word(bitext.target()[1][2]) == "indeed");
  CHECK(bitext.links()[1].size() == 2);  // sorted, without the repetition
  CHECK((bitext.links()[1][1] == Link{0, 2}));
}

TEST("bad pairs are refused and leave the builder as it was") {
  BitextBuilder builder;
  CHECK(!test::thrown<Error>([&] { builder.add("a", " ", "0-0"); }).empty());
  CHECK(!test::thrown<Error>([&] { builder.add("a b", "c", "0-0 2-0"); }).empty());
  for (const char* links : {"0", "0-", "-0", "0-0-0", "0:0", "1e3-0", "99999999999-0", "0 - 0"})
    CHECK(!test::thrown<Error>([&] { builder.add("a b", "c", links); }).empty());
  CHECK(builder.size() == 0);
}

TEST("a file with any damaged byte is refused or still consistent") {
  write_example();
  std::ifstream in(kPath, std::ios::binary);
  const std::string whole = test::without_checksums({std::istreambuf_iterator<char>(in), {}});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0xff);
    std::ofstream(kPath, std::ios::binary) << bytes;
    test::thrown<Error>([] {
      const Bitext bitext(kPath);
      for (std::size_t n = 0; n < bitext.size(); ++n)
        for (const Link link : bitext.links()[n]) CHECK(link.source < bitext.source()[n].size());
    });
  }
}

}  // namespace demotic::bitext_test
