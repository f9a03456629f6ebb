// A feature template: which features a rule has. Built-in ones are native; others join through
// external_features.hpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/name_writer.hpp"

namespace demotic {

class FeatureTemplate {
 public:
  explicit FeatureTemplate(std::string name, unsigned classes = 0)
      : name_(std::move(name)), classes_(classes) {}
  virtual ~FeatureTemplate() = default;

  // Every name of a feature begins with it and a colon: "id", "class_id:50". With labels, "@label"
  // follows it, which stands at the end of names as the label of the sentence.
  const std::string& name() const { return name_; }
  // Its features are those of a label of the sentence; a sentence without a label has none.
  bool has_labels() const { return has_labels_; }
  void add_labels();
  // How many word classes it needs on each side; 0: none.
  unsigned classes() const { return classes_; }
  // The features are the same for all rules of a source side, so they are computed once per side,
  // for its first rule.
  virtual bool source_only() const = 0;
  // Its features are bigrams of target words where rules meet (decode/border_features.hpp); a rule
  // alone has none.
  virtual bool is_border() const { return false; }
  virtual void write(const RuleView& rule, HashWriter& out) const = 0;
  virtual void write(const RuleView& rule, TextWriter& out) const = 0;

 private:
  std::string name_;
  unsigned classes_;
  bool has_labels_ = false;
};

// A template from its body: a class with `static constexpr bool kSourceOnly` and a member that
// works with both writers,
//   template <class Writer> void write(const RuleView& rule, Writer& out) const;
template <class Body>
class TemplateOf final : public FeatureTemplate {
 public:
  TemplateOf(std::string name, unsigned classes, Body body)
      : FeatureTemplate(std::move(name), classes), body_(std::move(body)) {}
  bool source_only() const override { return Body::kSourceOnly; }
  void write(const RuleView& rule, HashWriter& out) const override { body_.write(rule, out); }
  void write(const RuleView& rule, TextWriter& out) const override { body_.write(rule, out); }

 private:
  Body body_;
};

class BorderTemplate final : public FeatureTemplate {
 public:
  using FeatureTemplate::FeatureTemplate;
  bool source_only() const override { return false; }
  bool is_border() const override { return true; }
  void write(const RuleView&, HashWriter&) const override {}
  void write(const RuleView&, TextWriter&) const override {}
};

// Makes a template from its name and, behind a colon, its options: "id", "src_ngram",
// "src_ngram:n=2..3", "class_id:50", "class_src_ngram:50:n=2..3". "ngram" is short for "src_ngram".
// "@label" behind all that: the conjunction with the label of the sentence.
// Throws Error for what it does not know.
std::unique_ptr<FeatureTemplate> make_template(std::string_view text);

// Names of the native templates, in the order of the documentation: of words, and of word classes.
std::vector<std::string> native_templates();
std::vector<std::string> class_templates();

}  // namespace demotic
