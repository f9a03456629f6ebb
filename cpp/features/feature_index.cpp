#include "features/feature_index.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/identity.hpp"
#include "base/text.hpp"

namespace demotic {
namespace {

constexpr int kFirstBits = 6;

// Weight files and k-best lists are text; a name must survive there.
void check_name(std::string_view name) {
  if (name.empty()) throw Error("a feature has an empty name");
  if (std::ranges::any_of(name, is_space) || name.find('=') != name.npos ||
      name.find("|||") != name.npos)
    throw Error("the feature name '" + std::string(name) + "' contains white space, '=' or '|||'",
                "escape it: %20 is a space, %3D is '=', %7C is '|'");
}

// As find; throws Error if another name has the same fingerprint.
std::optional<FeatureId> find_same(const FeatureIndex& index, const Fingerprint& print,
                                   std::string_view name) {
  const auto found = index.find(print);
  if (found && index.name(*found) != name)
    throw Error("the features '" + std::string(index.name(*found)) + "' and '" + std::string(name) +
                    "' have the same fingerprint",
                "rename one of them");
  return found;
}

}  // namespace

FeatureIndex::FeatureIndex()
    : shared_(new Shared{new_identity()}),
      slots_(std::size_t{1} << kFirstBits),
      shift_(64 - kFirstBits) {}

FeatureIndex::FeatureIndex(std::shared_ptr<const FeatureIndex> base) : FeatureIndex() {
  first_ = static_cast<FeatureId>(base->size());
  base_ = std::move(base);
}

FeatureIndex::Reading::Reading(const FeatureIndex& index) : index_(index) {
  for (const FeatureIndex* at = &index; at != nullptr; at = at->base_.get()) {
    if (at->shared_->readers.fetch_add(1) >= 0) continue;
    for (const FeatureIndex* marked = &index;; marked = marked->base_.get()) {
      marked->shared_->readers.fetch_sub(1);
      if (marked == at) break;
    }
    throw Error("features are looked up while another thread adds to their index",
                "translate with a frozen decoder, or let one thread do both");
  }
}

FeatureIndex::Reading::~Reading() {
  for (const FeatureIndex* at = &index_; at != nullptr; at = at->base_.get())
    at->shared_->readers.fetch_sub(1);
}

// A change of the index, which nobody reads meanwhile.
class FeatureIndex::Interning {
 public:
  explicit Interning(Shared& shared) : shared_(shared) {
    int nobody = 0;
    if (!shared_.readers.compare_exchange_strong(nobody, kInterning))
      throw Error("a feature is added while another thread uses its index",
                  "translate with a frozen decoder, or let one thread do both");
  }
  ~Interning() { shared_.readers.fetch_sub(kInterning); }
  Interning(const Interning&) = delete;
  Interning& operator=(const Interning&) = delete;

 private:
  Shared& shared_;
};

FeatureId FeatureIndex::intern(const Fingerprint& print, std::string_view text) {
  std::size_t before = 0;
  {
    const Reading reading(*this);
    if (const auto found = find_same(*this, print, text)) return *found;
    before = names_.size();
  }
  check_name(text);
  const Interning alone(*shared_);
  if (names_.size() != before)  // another thread has added some since we looked
    if (const auto found = find_same(*this, print, text)) return *found;
  if (size() >= kMaxSize)
    throw Error("more than 2 billion features",
                "use fewer templates, or select features between epochs");
  if (4 * (names_.size() + 1) > 3 * slots_.size()) grow();
  const auto id = static_cast<FeatureId>(size());
  names_.push_back(store(text));
  insert(Slot(print, id));
  return id;
}

std::string_view FeatureIndex::name(FeatureId id) const {
  if (id >= size())
    throw Error("no feature has id " + std::to_string(id) + ": the index has " +
                std::to_string(size()) + " features");
  if (id < first_) return unchanged_base().name(id);
  const Name place = names_[id - first_];
  return {chunks_[place.chunk].get() + place.offset, place.length};
}

std::size_t FeatureIndex::bytes() const {
  return sizeof *this + slots_.capacity() * sizeof(Slot) + names_.capacity() * sizeof(Name) +
         chunks_.size() * kChunkBytes;
}

void FeatureIndex::throw_foreign(const char* what) {
  throw Error(std::string(what) + " belongs to another feature index",
              "use the index and the weights that it was made with");
}

void FeatureIndex::base_has_grown() {
  throw Error("features were added to a feature index after another one had been layered on it",
              "create the upper index again");
}

void FeatureIndex::insert(const Slot& slot) {
  std::size_t i = place_of(slot);
  while (slots_[i].id != kNone) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = slot;
}

void FeatureIndex::grow() {
  HugeVector<Slot> old(2 * slots_.size());
  std::swap(old, slots_);
  --shift_;
  for (const Slot& slot : old)
    if (slot.id != kNone) insert(slot);
}

FeatureIndex::Name FeatureIndex::store(std::string_view text) {
  if (text.size() >= kChunkBytes)
    throw Error("a feature name has " + std::to_string(text.size()) + " bytes; the limit is 1 MB",
                "is a word of the corpus that long?");
  if (chunk_end_ + text.size() >= kChunkBytes) {
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(kChunkBytes));
    chunk_end_ = 0;
  }
  std::memcpy(chunks_.back().get() + chunk_end_, text.data(), text.size());
  const Name place{chunks_.size() - 1, chunk_end_, text.size()};
  chunk_end_ += text.size();
  return place;
}

}  // namespace demotic
