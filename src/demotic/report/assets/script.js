"use strict";

// A small helper: an element with a class, attributes and children (text or elements).
function make(name, className, attributes, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function number(value) {
  return value.toPrecision(4).replace("-", "−");
}

function signed(value) {
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(4);
}

// ---------------------------------------------------------------- tables

function compareRows(column, direction) {
  const collator = new Intl.Collator(undefined, { numeric: true });
  return (a, b) => {
    const [left, right] = [a.cells[column], b.cells[column]];
    const [x, y] = [left.dataset.sort, right.dataset.sort];
    if ((x === undefined) !== (y === undefined)) return x === undefined ? 1 : -1;  // without a figure: last
    if (x !== undefined) return direction * (Number(x) - Number(y));
    return direction * collator.compare(left.textContent, right.textContent);
  };
}

function sortTable(table, heading, column) {
  const figures = heading.classList.contains("number");
  const before = heading.getAttribute("aria-sort");
  const order = before ? (before === "ascending" ? "descending" : "ascending") : figures ? "descending" : "ascending";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", order);
  table.classList.add("sorted");
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort(compareRows(column, order === "ascending" ? 1 : -1)));
}

function makeSortable(table) {
  if (table.tBodies[0].rows.length < 2) return;
  const headings = table.tHead.rows[table.tHead.rows.length - 1].cells;
  [...headings].forEach((heading, column) => {
    if (!heading.textContent) return;
    const button = make("button", "sort", { type: "button" }, ...heading.childNodes);
    button.addEventListener("click", () => sortTable(table, heading, column));
    heading.append(button);
  });
}

// ---------------------------------------------------------------- derivation trees

function side(symbols) {
  const parts = [];
  for (const symbol of symbols) {
    const gap = typeof symbol === "number";
    parts.push(gap ? make("span", "gap", {}, "X" + symbol) : String(symbol), " ");
  }
  return make("span", "side", { dir: "auto" }, ...parts);
}

function featureTable(node, names) {
  const table = make("table", "weights", {});
  table.append(make("caption", "", {}, node.features.length ? "Features of this rule" : "No feature of this rule weighs anything"));
  if (!node.features.length) return table;
  const heading = make("tr", "", {});
  for (const [name, css] of [["feature", ""], ["value", "number"], ["× weight", "number"], ["= part", "number"]])
    heading.append(make("th", css, { scope: "col" }, name));
  const body = make("tbody", "", {});
  for (const [feature, value, weight] of node.features)
    body.append(make("tr", "", {},
      make("th", "", { scope: "row" }, names[feature]),
      make("td", "number", {}, number(value)),
      make("td", "number", {}, number(weight)),
      make("td", "number", {}, signed(value * weight))));
  const sum = make("tr", "", {},
    make("th", "", { scope: "row", colspan: 3 }, "sum: score of the rule"), make("td", "number", {}, signed(node.score)));
  table.append(make("thead", "", {}, heading), body, make("tfoot", "", {}, sum));
  return table;
}

// The training pairs that a rule was found in, with the rule marked.
function trainingPairs(node) {
  const places = node.places === 1 ? "1 place" : `${node.places.toLocaleString("en")} places`;
  const pairs = [];
  for (const [line, ...sides] of node.examples)
    pairs.push(make("p", "", {}, make("span", "score", {}, `line ${line}`), " ", ...sides.flatMap(([before, rule, behind], i) =>
      [i ? " — " : "", make("span", "", { dir: "auto" }, before, " ", make("mark", "", {}, rule), " ", behind)])));
  return make("div", "", {}, make("p", "", {}, `Found in ${places} of the training text:`), ...pairs);
}

function ruleDetails(node, names) {
  const details = make("div", "", {}, featureTable(node, names));
  if (node.places) details.append(trainingPairs(node));
  return details;
}

// A button for a rule and the panel with its features, which the button opens.
function ruleButton(node, names) {
  const button = make("button", "rule", { type: "button", "aria-expanded": "false" });
  if (node.kind) button.append(make("span", "kind", {}, node.kind));
  const hasWords = node.source.some((symbol) => typeof symbol === "string");
  if (hasWords || !node.kind) button.append(side(node.source), make("span", "arrow", {}, "→ "), side(node.target));
  button.append(make("span", "score", {}, signed(node.score)));
  const panel = make("div", "features", { hidden: "" });
  button.addEventListener("click", () => toggle(button, panel, () => ruleDetails(node, names)));
  return [button, panel];
}

// Glue rules string the parts of a sentence together from left to right. As a tree they would lean over to the
// right without end, so they are drawn as a list: each glue rule before the part that it adds.
function glued(node) {
  if (!node.kind.startsWith("glue")) return [[node]];
  const children = node.children || [];
  const last = children[children.length - 1];
  return [...children.slice(0, -1).flatMap(glued), last ? [node, last] : [node]];
}

function treeItem(nodes, names) {
  const made = nodes.map((node) => ruleButton(node, names));
  const item = make("li", "", {}, ...made.flatMap(([button]) => [button, " "]));
  const children = nodes[nodes.length - 1].children || [];
  const inner = children.flatMap(glued);
  if (inner.length && nodes[0].kind !== "whole sentence")
    item.append(make("span", "span", { dir: "auto" }, nodes[nodes.length - 1].span));
  item.append(...made.map(([, panel]) => panel));
  if (inner.length) item.append(make("ul", "", {}, ...inner.map((each) => treeItem(each, names))));
  return item;
}

// Opens or closes what a button controls; its content is made when it is first wanted.
function toggle(button, panel, content, open = button.getAttribute("aria-expanded") !== "true") {
  if (open && !panel.firstChild) panel.append(content());
  panel.hidden = !open;
  button.setAttribute("aria-expanded", String(open));
}

function drawTree(root, names) {
  const [count, total] = sumUp(root);
  const text = `Score ${signed(total)}: the sum over ${count} rules. Press a rule to see its features and weights. `;
  const all = make("button", "small screen", { type: "button" }, "Open all rules");
  const list = make("ul", "", {}, treeItem([root], names));
  all.addEventListener("click", () => {
    const closed = [...list.querySelectorAll('.rule[aria-expanded="false"]')];
    const buttons = closed.length ? closed : list.querySelectorAll(".rule");
    for (const button of buttons) button.click();
    all.textContent = closed.length ? "Close all rules" : "Open all rules";
  });
  return make("div", "", {}, make("p", "note", {}, text, all), list);
}

function sumUp(node) {
  return (node.children || []).map(sumUp).reduce(([n, s], [m, t]) => [n + m, s + t], [1, node.score]);
}

function enableTrees() {
  const source = document.getElementById("derivations");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  for (const button of document.querySelectorAll("button.derivation")) {
    button.hidden = false;
    const panel = document.getElementById(button.getAttribute("aria-controls"));
    button.addEventListener("click", () =>
      toggle(button, panel, () => drawTree(data.trees[Number(button.dataset.tree)], data.features)));
  }
}

// ---------------------------------------------------------------- examples

const PAGE = 10;  // cards shown at once

function enableExamples(section) {
  const [form, list, more] = ["form", ".cards", ".more"].map((name) => section.querySelector(name));
  const cards = [...list.children];
  let shown = PAGE;
  function update() {
    const [key, direction] = form.elements.order.value.split(":");
    const wanted = form.elements.find.value.toLocaleLowerCase();
    const found = cards.filter((card) => card.textContent.toLocaleLowerCase().includes(wanted));
    found.sort((a, b) => direction * (a.dataset[key] - b.dataset[key]) || a.dataset.line - b.dataset.line);
    const visible = new Set(found.slice(0, shown));
    for (const card of cards) card.hidden = !visible.has(card);
    list.append(...found);
    form.querySelector("output").textContent = `${visible.size} of ${found.length} shown`;
    more.parentElement.hidden = visible.size === found.length;
  }
  function restart() {
    shown = PAGE;
    update();
  }
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.elements.order.addEventListener("change", restart);
  form.elements.find.addEventListener("input", restart);
  more.addEventListener("click", () => {
    shown += PAGE;
    update();
  });
  if (form.elements.order.options.length > 1 && list.querySelector("[data-gain1]")) form.elements.order.selectedIndex = 1;
  update();
}

// ---------------------------------------------------------------- the page

document.querySelectorAll("table").forEach(makeSortable);
document.querySelectorAll(".examples").forEach(enableExamples);
enableTrees();

// On a narrow screen the contents would push everything else down.
const contents = document.querySelector("nav details");
if (contents && window.matchMedia("(max-width: 62rem)").matches) contents.open = false;

// What is folded away is printed all the same.
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("main details")) details.open = true;
});
