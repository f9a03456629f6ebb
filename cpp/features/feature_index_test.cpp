#include "features/feature_index.hpp"

#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/test.hpp"

namespace demotic::feature_index_test {

TEST("fingerprints compose: the parts of a name may be hashed in any grouping") {
  const std::string name = "id:[1]_hat_mir_[2]|[1]_gab_mir_\xc3\xa4";
  for (std::size_t i = 0; i <= name.size(); ++i)
    for (std::size_t j = i; j <= name.size(); ++j) {
      const NameHash left = hash_name(name.substr(0, i)), middle = hash_name(name.substr(i, j - i)),
                     right = hash_name(name.substr(j));
      CHECK(append(append(left.print, middle), right) == fingerprint(name));
      CHECK(concatenate(left, concatenate(middle, right)) == hash_name(name));
    }
}

TEST("fingerprints tell names apart, lengths too") {
  CHECK(fingerprint("") == Fingerprint{});
  CHECK(fingerprint("a") != fingerprint("b"));
  CHECK(fingerprint("a") != fingerprint(std::string("\0a", 2)));
  CHECK(fingerprint("ab") != fingerprint("ba"));
}

TEST("an index grows, keeps its ids and gives names back") {
  FeatureIndex index;
  constexpr FeatureId kFeatures = 200'000;
  for (FeatureId i = 0; i < kFeatures; ++i)
    CHECK(index.intern("feature:" + std::to_string(i)) == i);
  for (FeatureId i = 0; i < kFeatures; ++i)
    CHECK(index.intern("feature:" + std::to_string(i)) == i);
  CHECK(index.size() == kFeatures);
  bool all = true;
  for (FeatureId i = 0; i < kFeatures; ++i)
    all = all && index.find("feature:" + std::to_string(i)) == i &&
          index.name(i) == "feature:" + std::to_string(i);
  CHECK(all);
  CHECK(!index.find("feature:" + std::to_string(kFeatures)));
  CHECK(index.bytes() < 100 * kFeatures);
}

TEST("threads that add the same features at once get errors or the same ids, never two of a name") {
  FeatureIndex index;
  constexpr std::size_t kNames = 3000;
  parallel_for(4, 4, [&](std::size_t thread) {
    for (std::size_t i = 0; i < kNames; ++i) {
      const std::string name = "feature:" + std::to_string((i + thread) % kNames);
      const auto message = test::thrown<Error>([&] { index.intern(name); });
      CHECK(message.empty() || message.find("another thread") != std::string::npos);
    }
  });
  for (std::size_t i = 0; i < kNames; ++i) index.intern("feature:" + std::to_string(i));
  CHECK(index.size() == kNames);
  bool all = true;
  for (FeatureId id = 0; id < kNames; ++id) all = all && index.find(index.name(id)) == id;
  CHECK(all);
}

TEST("nobody adds to an index that is read, and nobody reads one that is added to") {
  const auto index = std::make_shared<FeatureIndex>();
  index->intern("a");
  {
    const FeatureIndex over(index);
    const FeatureIndex::Reading reading(over), another(*index);
    CHECK(test::thrown<Error>([&] { index->intern("b"); }) ==
          "a feature is added while another thread uses its index");
    CHECK(index->intern("a") == 0);  // nothing to add
    CHECK(index->size() == 1);
  }
  CHECK(index->intern("b") == 1);
}

TEST("an index knows the ids of those that it was made over, and no others") {
  const auto base = std::make_shared<FeatureIndex>();
  FeatureIndex over(base), other;
  CHECK(over.has_ids_of(over.identity()) && over.has_ids_of(base->identity()));
  CHECK(!base->has_ids_of(over.identity()) && !other.has_ids_of(base->identity()));
  const std::uint64_t identity = other.identity();
  const FeatureIndex moved = std::move(other);
  CHECK(moved.identity() == identity && identity != 0);
  CHECK(test::thrown<Error>([&] { moved.check_ids_of(base->identity(), "the k-best list"); }) ==
        "the k-best list belongs to another feature index");
}

TEST("names stay where they are while the index grows") {
  FeatureIndex index;
  const std::string_view name = index.name(index.intern("Glue"));
  for (int i = 0; i < 100'000; ++i)
    index.intern("a_long_name_that_fills_chunks_of_memory:" + std::to_string(i));
  CHECK(name == "Glue" && name.data() == index.name(0).data());
}

TEST("an index refuses names that would not survive in a text file") {
  FeatureIndex index;
  for (const char* name : {"", "a b", "a=b", "a|||b", "a\nb"})
    CHECK(test::thrown<Error>([&] { index.intern(name); }) != "");
  CHECK(test::thrown<Error>([&] { index.intern(std::string(1 << 20, 'x')); }) ==
        "a feature name has 1048576 bytes; the limit is 1 MB");
  CHECK(test::thrown<Error>([&] {
          index.intern(fingerprint("a"), "a"), index.intern(fingerprint("a"), "b");
        }) == "the features 'a' and 'b' have the same fingerprint");
  CHECK(test::thrown<Error>([&] { index.name(1); }) ==
        "no feature has id 1: the index has 1 features");
}

TEST("an index over another one adds features without a change to it") {
  const auto base = std::make_shared<FeatureIndex>();
  for (int i = 0; i < 100; ++i) base->intern("known:" + std::to_string(i));
  FeatureIndex over(base), beside(base);
  CHECK(over.size() == 100 && over.find("known:42") == 42 && over.name(42) == "known:42" &&
        !over.find("new:0"));
  CHECK(over.intern("known:7") == 7);
  bool all = true;
  for (FeatureId i = 0; i < 1000; ++i)
    all = all && over.intern("new:" + std::to_string(i)) == 100 + i;
  for (FeatureId i = 0; i < 1000; ++i)
    all = all && over.find("new:" + std::to_string(i)) == 100 + i &&
          over.name(100 + i) == "new:" + std::to_string(i);
  CHECK(all);
  CHECK(over.size() == 1100 && base->size() == 100 && beside.size() == 100 &&
        !beside.find("new:0"));
  CHECK(test::thrown<Error>([&] { over.name(1100); }) ==
        "no feature has id 1100: the index has 1100 features");
}

TEST("an index notices that the one below it has grown") {
  const auto base = std::make_shared<FeatureIndex>();
  base->intern("known");
  FeatureIndex over(base);
  base->intern("late");
  for (const auto& use : {+[](FeatureIndex& index) { index.find("late"); },
                          +[](FeatureIndex& index) { index.intern("late"); },
                          +[](FeatureIndex& index) { index.name(0); }})
    CHECK(test::thrown<Error>([&] { use(over); }) ==
          "features were added to a feature index after another one had been layered on it");
}

}  // namespace demotic::feature_index_test
