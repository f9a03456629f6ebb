"use strict";

// What the page shows is made of text nodes only: nothing in a translation can become markup.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const KINDS = { "pass-through": "Copied as it is", forced: "Prescribed", translation: "Rule" };
const SHOWN = 12; // features of a table

function side(symbols) {
  return symbols.flatMap((symbol) => [typeof symbol === "number" ? make("span", { class: "gap" }, `X${symbol}`) : symbol, " "]);
}

// A table that scrolls inside itself where the screen is narrow; then the keyboard must reach it.
function table(caption, heads, rows) {
  const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, name)));
  const body = rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell))));
  return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body)));
}

// The rule of a word: its evidence first, then what else could have been, then the arithmetic.
function ruleParts(rule, languages) {
  const parts = [
    make("h3", {}, `${KINDS[rule.kind] || rule.kind} for: ${rule.span.join(" ")}`),
    make("p", { class: "rule", dir: "auto" }, ...side(rule.source), "→ ", ...side(rule.target)),
  ];
  if (rule.examples.length) {
    const places = `${rule.places} ${rule.places === 1 ? "place" : "places"}`;
    const some = rule.examples.length < rule.places ? `, ${rule.examples.length} of them` : "";
    parts.push(make("h3", {}, `Evidence: ${places} of the training text${some}`),
      make("ol", { class: "pairs" }, ...rule.examples.map((each) => pair(each, languages))));
  }
  if (rule.alternatives.length) {
    parts.push(make("h3", {}, "What the training text has for this source side"),
      make("ul", {}, ...rule.alternatives.map((each) => make("li", {}, ...side(each.target), `(${each.count})`))));
  }
  const rows = rule.features.slice(0, SHOWN).map((each) =>
    [each.name, each.value.toFixed(3), each.weight.toFixed(3), (each.value * each.weight).toFixed(3)]);
  parts.push(table("What the rule adds to the score", ["feature", "value", "weight", "product"], rows));
  return parts;
}

function pair(example, languages) {
  return make("li", {}, make("span", { class: "note" }, `Line ${example.line}`),
    make("p", { lang: languages.source, dir: "auto" }, ...marked(example.source)),
    make("p", { lang: languages.target, dir: "auto" }, ...marked(example.target)));
}

function marked(parts) {
  const shapes = { rule: (text) => make("mark", {}, text), gap: (text) => make("span", { class: "filler" }, text), context: (text) => text };
  return parts.flatMap((each) => [shapes[each.part](each.text), " "]);
}

// By what a translation lost: positive figures speak for the one that won.
function lostParts(other, best) {
  const rows = other.differences.map((each) =>
    [each.name, each.chosen.toFixed(3), each.other.toFixed(3), each.weight.toFixed(3), each.advantage.toFixed(3)]);
  return table(`Behind by ${(best.score - other.score).toFixed(3)}`, ["feature", "best", "this", "weight", "difference"], rows);
}

function contrastParts(found, names) {
  if (found.agree) return [make("p", {}, "Both models give the same translation.")];
  const ranks = [found.first, found.second].map((view, i) => make("li", {}, view.rank_of_other === null
    ? `${names[i]} does not have the other translation in its list: its rules or its search differ.`
    : `${names[i]} has the other translation at rank ${view.rank_of_other}.`));
  const share = (value) => `${(100 * value).toFixed(1)}%`;
  const rows = found.features.map((each) => [each.name, share(each.first), share(each.second), share(each.change)]);
  const parts = [make("h3", {}, "Why the two models differ"), make("ul", {}, ...ranks)];
  if (rows.length) parts.push(table(`What speaks for the translation of ${names[0]}, in shares of all that decides`, ["feature", ...names, "change"], rows));
  return parts;
}
