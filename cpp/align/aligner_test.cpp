#include "align/aligner.hpp"

#include <fstream>
#include <iterator>

#include "align/candidates.hpp"
#include "align/model.hpp"
#include "align/sampler.hpp"
#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::aligner_test {

const std::string kPath = "aligner_test.bin", kModel = "aligner_test.align.bin";
const OnSweep kQuiet = [](std::size_t, std::size_t) {};

// Word by word, with the verb at the end of the source.
void write_corpus() {
  BitextBuilder builder;
  for (char x = 'a'; x <= 'h'; ++x)
    for (char y = 'a'; y <= 'h'; ++y)
      for (char verb = 'p'; verb <= 's'; ++verb) {
        if (x == y) continue;
        const auto upper = [](char c) { return std::string(1, static_cast<char>(c - 'a' + 'A')); };
        builder.add(std::string{x, ' ', y, ' ', verb},
                    upper(x) + " " + upper(verb) + " " + upper(y), std::nullopt);
      }
  builder.write(kPath);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST("a lexicon without ambiguity is found") {
  write_corpus();
  const Bitext text(kPath);
  const AlignedLinks found =
      align_corpus(text, {}, Heuristic::kGrowDiagFinalAnd, 1, 1, kModel, kQuiet);
  const std::vector<Link> expected{{0, 0}, {1, 2}, {2, 1}};
  std::size_t right = 0;
  for (std::size_t s = 0; s < text.size(); ++s)
    right +=
        std::vector<Link>(found.links.begin() + static_cast<long>(found.starts[s]),
                          found.links.begin() + static_cast<long>(found.starts[s + 1])) == expected;
  CHECK(right > text.size() * 95 / 100);
  for (const float probability : found.probabilities) CHECK(probability >= 0 && probability <= 1);
  const AlignmentModel model(kModel);
  std::vector<Link> links;
  for (const ScoredLink& link :
       links_of(model.align("c unknown q", "C Q UNKNOWN"), Heuristic::kGrowDiagFinalAnd))
    links.push_back(link.link);
  CHECK(links == expected);  // unknown words go together
}

TEST("the same links and the same model with any number of threads") {
  write_corpus();
  const Bitext text(kPath);
  const AlignedLinks first = align_corpus(text, {}, Heuristic::kUnion, 3, 1, kModel, kQuiet);
  const std::string model = bytes_of(kModel);
  for (const unsigned threads : {2u, 4u, 1000u}) {
    const AlignedLinks again =
        align_corpus(text, {}, Heuristic::kUnion, 3, threads, kModel, kQuiet);
    CHECK(again.links == first.links && again.probabilities == first.probabilities);
    CHECK(again.starts == first.starts && bytes_of(kModel) == model);
  }
}

TEST("what a sampler counts adds up") {
  write_corpus();
  const Bitext text(kPath);
  const Direction forward{text.target(), text.source(), text.target_vocab().size(),
                          text.source_vocab().size()};
  const CandidateLinks candidates(forward, 0.05, 1);
  const Schedule schedule(text.size(), 0.2);
  Sampler sampler(forward, candidates.forward, {}, Random(1, 0));
  sampler.run(schedule, 100, [] {});
  const SampledCounts& counts = sampler.counts();
  CHECK(counts.samples == static_cast<std::uint32_t>(schedule.averaged));
  std::uint64_t links = 0, null = 0, jumps = 0, words = 0, fertility = 0;
  for (const auto count : counts.pairs) links += count;
  for (const auto count : counts.null) null += count;
  for (const auto count : counts.jumps) jumps += count;
  for (std::size_t i = 0; i < counts.fertilities.size(); ++i) {
    words += counts.fertilities[i];
    fertility += counts.fertilities[i] * (i % kFertilities);
  }
  CHECK(links + null == counts.samples * text.target().values.size());
  CHECK(jumps == links + counts.samples * text.size());  // one more than links: to the end
  CHECK(words == counts.samples * text.source().values.size());
  CHECK(fertility == links);
}

TEST("fewer sweeps for larger corpora, within limits") {
  CHECK(Schedule(1, 1).fertilities == 100 && Schedule(1, 0.01).fertilities == 50);
  CHECK(Schedule(1, 3).fertilities == 300 && Schedule(1, 1000).fertilities == 1000);
  CHECK(Schedule(10000, 1).fertilities == 50 && Schedule(1000000, 1).fertilities == 5);
  CHECK(Schedule(100000000, 1).fertilities == 4);
  const Schedule usual(10000, 1);
  CHECK(usual.jumps == 12 && usual.words == 12 && usual.averaged == 25 && usual.sweeps() == 74);
}

TEST("impossible options are refused") {
  write_corpus();
  const Bitext text(kPath);
  AlignerOptions options;
  options.samplers = 0;
  CHECK(!test::thrown<Error>([&] {
           align_corpus(text, options, Heuristic::kUnion, 1, 1, "", kQuiet);
         }).empty());
}

}  // namespace demotic::aligner_test
