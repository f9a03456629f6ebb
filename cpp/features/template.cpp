#include "features/template.hpp"

#include <charconv>

#include "base/error.hpp"
#include "features/count_templates.hpp"
#include "features/id_template.hpp"
#include "features/ngram_templates.hpp"
#include "features/shape_template.hpp"
#include "features/word_pair_template.hpp"

namespace demotic {
namespace {

constexpr int kMaxOrder = 9;

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

template <class Body>
std::unique_ptr<FeatureTemplate> make(std::string_view name, Body body) {
  return std::make_unique<TemplateOf<Body>>(std::string(name), std::move(body));
}

}  // namespace

std::vector<std::string> native_templates() {
  return {"id", "src_ngram", "tgt_ngram", "tgt_gap", "shape", "length", "count_bin", "word_pair"};
}

std::unique_ptr<FeatureTemplate> make_template(std::string_view text) {
  const std::size_t colon = text.find(':');
  std::string_view name = text.substr(0, colon),
                   options = colon == text.npos ? "" : text.substr(colon + 1);
  if (name == "ngram") name = "src_ngram";
  if (name == "src_ngram") return make(name, SourceNGrams{read_orders(options, text)});
  if (name == "tgt_ngram")
    return make(name, TargetNGrams<TargetWindows::kWithoutGaps>{read_orders(options, text)});
  if (name == "tgt_gap")
    return make(name, TargetNGrams<TargetWindows::kWithGaps>{read_orders(options, text)});
  if (!options.empty())
    throw Error("the template '" + std::string(name) + "' has no options",
                "write  " + std::string(name));
  if (name == "id") return make(name, RuleIdentity{});
  if (name == "shape") return make(name, RuleShape{});
  if (name == "length") return make(name, RuleLength{});
  if (name == "count_bin") return make(name, CountBin{});
  if (name == "word_pair") return make(name, WordPairs{});
  std::string known;
  for (const std::string& one : native_templates()) known += (known.empty() ? "" : ", ") + one;
  throw Error("unknown template '" + std::string(name) + "'", "known: " + known);
}

}  // namespace demotic
