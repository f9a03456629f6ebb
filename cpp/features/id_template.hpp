// Rule identity: one feature per rule, the finest there is.
//   X -> X1 hat mir X2 versprochen, X1 promised me X2
//   id:[1]_hat_mir_[2]_versprochen|[1]_promised_me_[2] NP -> der NN1, the NN1
//   id:[NP]|der_[NN,1]|the_[NN,1]
#pragma once

#include "features/name_writer.hpp"

namespace demotic {

struct RuleIdentity {
  static constexpr bool kSourceOnly = false;
  static constexpr NameText kPrefix{"id:"};

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    out.begin(kPrefix);
    if (!rule.left_side().is_default) {
      out.symbol(rule.left_side().plain, true);
      out.text(kBar);
    }
    out.source_side(rule);
    out.text(kBar);
    out.target_side(rule);
    out.end(1);
  }
};

}  // namespace demotic
