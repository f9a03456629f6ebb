#include "grammar/cdec_format.hpp"

#include <charconv>

#include "grammar/cdec_reader.hpp"

namespace demotic {
namespace {

constexpr std::string_view kSeparator = " ||| ";

void append_symbols(std::string& out, std::span<const Symbol> symbols, const Vocab& vocab,
                    const Grammar& grammar, const SourceSide& side) {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (i > 0) out += ' ';
    if (symbols[i] < 0)
      out.append("[")
          .append(grammar.labels[side.children[static_cast<std::size_t>(-1 - symbols[i])]])
          .append(",")
          .append(1, static_cast<char>('0' - symbols[i]))
          .append("]");
    else
      out += vocab.word(static_cast<WordId>(symbols[i]));
  }
}

template <class Number>
void append_number(std::string& out, Number value) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_rule(std::string& out, const Grammar& grammar, const RuleBlock& block,
                 const SourceSide& side, std::string_view source, std::uint32_t r) {
  const auto& names = *grammar.feature_names;
  const Rule& rule = block.rules[r];
  out.append("[")
      .append(grammar.labels[side.label])
      .append("]")
      .append(kSeparator)
      .append(source)
      .append(kSeparator);
  append_symbols(out, block.target(rule), *grammar.target_vocab, grammar, side);
  out += kSeparator;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ' ';
    out.append(names[i]).append("=");
    append_number(out, block.features[r * names.size() + i]);
  }
  out += kSeparator;
  for (const RuleLink link : block.alignment(rule)) {
    if (out.back() != ' ') out += ' ';
    append_number(out, int{link.source});
    out += '-';
    append_number(out, int{link.target});
  }
  out += '\n';
}

}  // namespace

std::string to_cdec_format(const Grammar& grammar) {
  std::string out, source;
  for (const auto& block : grammar.blocks)
    for (const SourceSide& side : block->sides) {
      source.clear();
      append_symbols(source, block->source(side), *grammar.source_vocab, grammar, side);
      for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r)
        append_rule(out, grammar, *block, side, source, r);
    }
  return out;
}

Grammar from_cdec_format(std::string_view text, const std::string& file) {
  CdecReader reader(file);
  reader.add(text);
  return reader.finish();
}

}  // namespace demotic
