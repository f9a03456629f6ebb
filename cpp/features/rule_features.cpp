#include "features/rule_features.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/probe_table.hpp"

namespace demotic {

// First all fingerprints are written, one after the other; then they are looked up in the same
// order, a few prefetches ahead.
class RuleFeatures::Builder {
 public:
  Builder(RuleFeatures& result, const FeatureIndex& index)
      : result_(result),
        index_(index),
        context_(result.templates_->view_of(*result.grammar_)),
        source_(result.templates_->hashes_of(result.grammar_->source_vocab)),
        target_(result.templates_->hashes_of(result.grammar_->target_vocab)),
        writer_(*source_, *target_),
        label_(result.label_) {}

  void run() {
    if (ExternalFeatures* functions = result_.templates_->external())
      result_.external_ = functions->of(context_, *source_, *target_);
    write_prints();
    std::size_t external = 0;
    for (const auto& row : result_.external_) external += row->size();
    if (const FeatureTransform* transform = result_.templates_->transform()) {
      inputs_.emplace(*result_.grammar_, transform->inputs());
      output_numbers_.assign(transform->outputs(), kNone);
      external += transform->outputs();
    }
    result_.entries_.reserve(entries_ + external);
    look_up();
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kPrefetchDistance = 32;

  void write_prints() {
    const auto& templates = result_.templates_->templates();
    const auto first_of_rule =
        std::ranges::find_if(templates, [](const auto& one) { return !one->source_only(); });
    const auto write = [&](const RuleView& rule, auto begin, auto end) {
      const std::size_t before = writer_.features().size();
      for (auto one = begin; one != end; ++one) {
        if ((*one)->has_labels() && label_.text.empty()) continue;
        writer_.begin_group((*one)->has_labels() ? &label_ : nullptr);
        (*one)->write(rule, writer_);
      }
      print_ends_.push_back(static_cast<std::uint32_t>(writer_.features().size()));
      return writer_.features().size() - before;
    };
    print_ends_.reserve(2 * result_.grammar_->rules());
    writer_.reserve(4 * result_.grammar_->rules());
    for (const auto& block : result_.grammar_->blocks)
      for (const SourceSide& side : block->sides) {
        entries_ +=
            (side.rule_end - side.rule_begin) *
            write({context_, *block, side, side.rule_begin}, templates.begin(), first_of_rule);
        for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r)
          entries_ += write({context_, *block, side, r}, first_of_rule, templates.end());
      }
  }

  void look_up() {
    const auto& blocks = result_.grammar_->blocks;
    std::vector<RuleFeature> of_side;
    const std::uint32_t* end = print_ends_.data();
    for (std::uint32_t b = 0; b < blocks.size(); ++b)
      for (const SourceSide& side : blocks[b]->sides) {
        of_side.clear();
        look_up_until(*end++, b, side.rule_begin, of_side);
        for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r) {
          result_.entries_.insert(result_.entries_.end(), of_side.begin(), of_side.end());
          look_up_until(*end++, b, r, result_.entries_);
          if (!result_.external_.empty())
            for (const auto& feature : *result_.external_[result_.rules()])
              add(feature.print, feature.value, b, r, result_.entries_);
          if (result_.templates_->groups()) add_up(result_.row_begins_.back());
          if (inputs_) transform(*blocks[b], side, r);
          result_.row_begins_.push_back(static_cast<std::uint32_t>(result_.entries_.size()));
        }
      }
  }

  // The dense features of a rule, transformed. A bin is looked up once, not for each rule that
  // falls into it.
  void transform(const RuleBlock& block, const SourceSide& side, std::uint32_t rule) {
    const FeatureTransform& transform = *result_.templates_->transform();
    for (std::size_t i = 0; i < inputs_->inputs(); ++i)
      transform.apply(i, inputs_->value(i, block, side, rule),
                      [&](std::size_t output, float value) {
                        std::uint32_t& number = output_numbers_[output];
                        if (number == kNone)
                          number = number_of(transform.print(output), Local::kTransformed,
                                             static_cast<std::uint32_t>(output));
                        result_.entries_.push_back({number, value});
                      });
  }

  void look_up_until(std::uint32_t end, std::uint32_t block, std::uint32_t rule,
                     std::vector<RuleFeature>& out) {
    const auto& prints = writer_.features();
    for (; next_ < end; ++next_) {
      if (next_ + kPrefetchDistance < prints.size())
        index_.prefetch(prints[next_ + kPrefetchDistance].print);
      add(prints[next_].print, prints[next_].value, block, rule, out);
    }
  }

  // A feature of a template; where there are groups, its group instead, if it has one.
  void add(const Fingerprint& print, float value, std::uint32_t block, std::uint32_t rule,
           std::vector<RuleFeature>& out) {
    if (const FeatureGroups* groups = result_.templates_->groups()) {
      if (const auto group = groups->find(print))
        out.push_back({number_of(groups->fingerprint(*group), Local::kGroup, *group), value});
    } else {
      out.push_back({number_of(print, block, rule), value});
    }
  }

  // A rule may have several members of a group: the value of the group is their sum.
  void add_up(std::size_t row_begin) {
    auto& entries = result_.entries_;
    std::size_t end = row_begin;
    for (std::size_t i = row_begin; i < entries.size(); ++i) {
      const auto row = std::span(entries).subspan(row_begin, end - row_begin);
      const auto same = std::ranges::find(row, entries[i].feature, &RuleFeature::feature);
      if (same != row.end())
        same->value += entries[i].value;
      else
        entries[end++] = entries[i];
    }
    entries.resize(end);
  }

  std::uint32_t number_of(const Fingerprint& print, std::uint32_t block, std::uint32_t rule) {
    if (const auto id = index_.find(print)) return *id;
    const auto& locals = result_.locals_;
    const auto same = [&](std::uint32_t number) { return locals[number].print == print; };
    const auto hash_of = [&](std::uint32_t number) {
      return locals[number].print.first ^ locals[number].print.second;
    };
    const auto [number, is_new] = local_table_.insert(
        print.first ^ print.second, static_cast<std::uint32_t>(locals.size()), same, hash_of);
    if (is_new) result_.locals_.push_back({print, block, rule});
    return number | RuleFeature::kLocal;
  }

  RuleFeatures& result_;
  const FeatureIndex& index_;
  GrammarView context_;
  std::shared_ptr<const WordHashes> source_, target_;
  HashWriter writer_;
  const NameText label_;
  std::size_t entries_ = 0;  // that native templates give
  std::vector<std::uint32_t>
      print_ends_;  // of each side and then of each of its rules: where its fingerprints end
  std::uint32_t next_ = 0;                     // fingerprint to look up
  std::optional<InputReader> inputs_;          // of the transform
  std::vector<std::uint32_t> output_numbers_;  // of its outputs; kNone: not looked up yet
  NumberTable local_table_;                    // of the features that the index does not know
};

RuleFeatures::RuleFeatures(std::shared_ptr<const Grammar> grammar,
                           std::shared_ptr<const TemplateSet> templates, const FeatureIndex& index,
                           std::string_view label)
    : grammar_(std::move(grammar)),
      templates_(std::move(templates)),
      index_(index.identity()),
      row_begins_{0} {
  if (!label.empty()) {
    append_escaped(label_ = "<@", label);
    label_ += '>';
  }
  const FeatureIndex::Reading reading(index);
  row_begins_.reserve(grammar_->rules() + 1);
  Builder(*this, index).run();
}

std::string RuleFeatures::local_name(std::size_t number) const {
  if (number >= locals())
    throw Error("no feature of this sentence has the number " + std::to_string(number));
  const Local& local = locals_[number];
  if (local.block == Local::kGroup) return FeatureGroups::name(local.rule);
  if (local.block == Local::kTransformed) return templates_->transform()->name(local.rule);
  const RuleBlock& block = *grammar_->blocks[local.block];
  const auto side =
      std::ranges::upper_bound(block.sides, local.rule, {}, &SourceSide::rule_begin) - 1;
  const GrammarView context = templates_->view_of(*grammar_);
  const NameText label(label_);
  for (const auto& one : templates_->templates()) {
    if (one->has_labels() && label_.empty()) continue;
    TextWriter names(*grammar_, one->has_labels() ? &label : nullptr);
    one->write(RuleView{context, block, *side, local.rule}, names);
    for (const auto& feature : names.features())
      if (fingerprint(feature.name) == local.print) return feature.name;
  }
  std::size_t rule = local.rule;
  for (std::uint32_t b = 0; b < local.block; ++b) rule += grammar_->blocks[b]->rules.size();
  const auto& row = *external_.at(rule);
  return std::ranges::find(row, local.print, &ExternalFeatures::Feature::print)->name;
}

std::size_t RuleFeatures::bytes() const {
  return sizeof *this + row_begins_.capacity() * sizeof(std::uint32_t) +
         entries_.capacity() * sizeof(RuleFeature) + locals_.capacity() * sizeof(Local) +
         external_.capacity() * sizeof(ExternalFeatures::Row);
}

}  // namespace demotic
