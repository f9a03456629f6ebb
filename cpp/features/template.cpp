#include "features/template.hpp"

#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "corpus/exchange.hpp"
#include "features/alignment_templates.hpp"
#include "features/class_id_template.hpp"
#include "features/count_templates.hpp"
#include "features/id_template.hpp"
#include "features/ngram_templates.hpp"
#include "features/shape_template.hpp"

namespace demotic {
namespace {

constexpr int kMaxOrder = 9;
constexpr std::string_view kLabelled = "@label";   // behind the text of a template
constexpr std::string_view kOfClasses = "class_";  // what the names of their templates begin with

// "n=2" or "n=2..3"; nothing: bigrams.
NGramOrders read_orders(std::string_view options, std::string_view text) {
  if (options.empty()) return {};
  NGramOrders orders;
  const char* const end = options.data() + options.size();
  bool good = options.starts_with("n=");
  if (good) {
    auto at = std::from_chars(options.data() + 2, end, orders.least);
    orders.most = orders.least;
    good = at.ec == std::errc();
    if (good && std::string_view(at.ptr, end).starts_with(".."))
      at = std::from_chars(at.ptr + 2, end, orders.most);
    good = good && at.ec == std::errc() && at.ptr == end;
  }
  if (!good || orders.least < 1 || orders.most < orders.least || orders.most > kMaxOrder)
    throw Error("'" + std::string(text) + "' is not a template with its n-gram orders",
                "write n=2 or n=2..3, with orders from 1 to " + std::to_string(kMaxOrder));
  return orders;
}

// What a user writes, in parts.
struct TemplateText {
  std::string_view all;
  std::string name;  // with the number of its classes, "class_id:50", without other options
  unsigned classes = 0;
  std::string_view options;
};

TemplateText read_text(std::string_view text) {
  const auto split = [](std::string_view all) {
    const std::size_t colon = all.find(':');
    return std::pair(all.substr(0, colon), colon == all.npos ? "" : all.substr(colon + 1));
  };
  const auto [name, options] = split(text);
  if (!name.starts_with(kOfClasses) && name != "word_class_pair")
    return {text, std::string(name == "ngram" ? "src_ngram" : name), 0, options};
  const auto [number, others] = split(options);
  unsigned classes = 0;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, classes);
  if (error != std::errc() || stop != end || classes < 2 || classes > kMostClasses)
    throw Error("'" + std::string(text) + "' is not a template with its number of word classes",
                "write  " + std::string(name) + ":50, with 2 to " + std::to_string(kMostClasses) +
                    " classes");
  return {text, std::string(name) + ":" + std::to_string(classes), classes, others};
}

template <class Body>
std::unique_ptr<FeatureTemplate> made(const TemplateText& text, Body body) {
  return std::make_unique<TemplateOf<Body>>(text.name, text.classes, std::move(body));
}

// The templates that exist for words and for classes; nullptr for others.
template <class Spelling>
std::unique_ptr<FeatureTemplate> make_spelt(std::string_view kind, const TemplateText& text,
                                            const NamePrefix& prefix, Spelling spelling) {
  using enum TargetWindows;
  const auto orders = [&] { return read_orders(text.options, text.all); };
  if (kind == "src_ngram") return made(text, SourceNGrams<Spelling>{prefix, spelling, orders()});
  if (kind == "tgt_ngram")
    return made(text, TargetNGrams<kWithoutGaps, Spelling>{prefix, spelling, orders()});
  if (kind == "tgt_gap")
    return made(text, TargetNGrams<kWithGaps, Spelling>{prefix, spelling, orders()});
  if (kind == "tgt_border") return std::make_unique<BorderTemplate>(text.name, text.classes);
  if (kind == "word_pair") return made(text, WordPairs<Spelling>{prefix, spelling});
  if (kind == "fertility") return made(text, Fertility<Spelling>{prefix, spelling});
  return nullptr;
}

std::unique_ptr<FeatureTemplate> make_of_classes(const TemplateText& text) {
  const NamePrefix prefix(text.name + ":");
  const ClassSpelling classes{text.classes};
  const std::string_view name = std::string_view(text.name).substr(0, text.name.find(':'));
  if (name == "class_id") return made(text, ClassIdentity{prefix, classes});
  if (name == "word_class_pair") return made(text, WordClassPairs{prefix, classes});
  return make_spelt(name.substr(kOfClasses.size()), text, prefix, classes);
}

std::unique_ptr<FeatureTemplate> make_of_words(const TemplateText& text) {
  const std::string& name = text.name;
  if (name == "id") return made(text, RuleIdentity{});
  if (name == "shape") return made(text, RuleShape{});
  if (name == "length") return made(text, RuleLength{});
  if (name == "count_bin") return made(text, CountBin{});
  if (name == "unaligned") return made(text, UnalignedWords{});
  return make_spelt(name, text, NamePrefix(name + ":"), WordSpelling{});
}

}  // namespace

std::vector<std::string> native_templates() {
  return {"id",        "src_ngram", "tgt_ngram", "tgt_gap",   "shape",     "length",
          "count_bin", "word_pair", "fertility", "unaligned", "tgt_border"};
}

std::vector<std::string> class_templates() {
  return {"class_id",        "class_src_ngram", "class_tgt_ngram", "class_tgt_gap",
          "class_word_pair", "word_class_pair", "class_fertility", "class_tgt_border"};
}

void FeatureTemplate::add_labels() {
  if (is_border())
    throw Error("the template '" + name_ + "' cannot have labels", "write  " + name_);
  name_ += kLabelled;
  has_labels_ = true;
}

std::unique_ptr<FeatureTemplate> make_template(std::string_view text) {
  if (text.ends_with(kLabelled)) {
    auto labelled = make_template(text.substr(0, text.size() - kLabelled.size()));
    labelled->add_labels();
    return labelled;
  }
  const TemplateText parts = read_text(text);
  auto found = parts.classes > 0 ? make_of_classes(parts) : make_of_words(parts);
  if (!found) {
    std::string known;
    for (const auto& names : {native_templates(), class_templates()})
      for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
    throw Error("unknown template '" + parts.name + "'", "known: " + known);
  }
  const bool has_orders =
      parts.name.find("_ngram") != parts.name.npos || parts.name.find("_gap") != parts.name.npos;
  if (!parts.options.empty() && !has_orders)
    throw Error("the template '" + parts.name + "' has no options", "write  " + parts.name);
  return found;
}

}  // namespace demotic
