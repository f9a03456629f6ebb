"use strict";

const byId = (id) => document.getElementById(id);
const form = byId("form"), list = byId("sentences");
const canSuggest = document.body.dataset.suggestions === "yes";
const most = Number(document.body.dataset.most);
let lines = [];     // of the text: numbers of their sentences
let sentences = []; // {source, text, edited, confidence, unmet, other}
let turn = 0;       // the latest translation that was asked for

const chosen = (select) => select.selectedOptions[0];
const model = () => byId("model").value;
// A tab leaves the field when it is typed, so `=` does as well.
const terms = () => byId("glossary").value.split("\n").map((line) => (/\t|^#/.test(line) ? line : line.replace(/\s*=\s*/, "\t"))).join("\n");
const OTHERS = 6; // translations of a sentence that can be chosen from
const SURE = [[0.8, "high"], [0.5, "medium"], [0, "low"]]; // probabilities that a translation is good enough

async function ask(path, fields) {
  const key = byId("key");
  const body = JSON.stringify(key ? { ...fields, api_key: key.value } : fields);
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body });
  const result = await answer.json().catch(() => ({ error: `the service answered ${answer.status}` }));
  if (!answer.ok) throw new Error([result.error, result.hint].filter(Boolean).join(": "));
  return result;
}

function say(text) { byId("status").textContent = text; }

function complain(error) { byId("error").textContent = error ? error.message : ""; }

async function translateAll(option, sources) {
  const result = [], confidence = option.dataset.calibrated === "yes", glossary = terms();
  for (let i = 0; i < sources.length; i += most) {
    const part = sources.slice(i, i + most);
    if (sources.length > most) say(`${i} of ${sources.length} sentences`);
    const found = await ask("v1/translate", { lines: part, model: option.value, confidence, glossary });
    result.push(...found.translations.map((each, k) => ({
      text: each[0].text, confidence: found.confidence ? found.confidence[k] : null, unmet: found.unmet ? found.unmet[k] : [],
    })));
  }
  return result;
}

async function translate() {
  const mine = ++turn, option = chosen(byId("model")), other = byId("other") ? chosen(byId("other")) : null;
  complain(null);
  say("Translating");
  try {
    const split = (await ask("v1/sentences", { text: byId("text").value, model: option.value })).lines;
    const sources = split.flat();
    const found = await translateAll(option, sources);
    const others = other && other.value ? await translateAll(other, sources) : [];
    if (mine !== turn) return;
    let next = 0;
    lines = split.map((line) => line.map(() => next++));
    sentences = sources.map((source, i) => ({ source, ...found[i], edited: false, other: others[i] && others[i].text }));
    draw();
    say(`${sentences.length} ${sentences.length === 1 ? "sentence" : "sentences"} translated`);
  } catch (error) {
    if (mine === turn) { say(""); complain(error); }
  }
}

function draw() {
  list.replaceChildren(...sentences.map(item));
  for (const id of ["save-text", "save-table"]) byId(id).disabled = sentences.length === 0;
}

function item(sentence, i) {
  const languages = chosen(byId("model")).dataset;
  const source = make("p", { lang: languages.source, dir: "auto" }, sentence.source);
  const target = make("p", { lang: languages.target, dir: "auto", class: sentence.edited ? "target edited" : "target" }, sentence.text);
  const panel = make("div", { class: "panel", id: `panel-${i}`, hidden: "" });
  const notes = [confidenceNote(sentence), ...sentence.unmet.map((term) => make("p", { class: "note" }, `Term not used: ${term}`))];
  const explain = make("button", { type: "button", "aria-expanded": "false", "aria-label": `Explain the words of sentence ${i + 1}` }, "Explain");
  const edit = make("button", { type: "button", "aria-label": `Edit the translation of sentence ${i + 1}` }, "Edit");
  explain.addEventListener("click", () => explainSentence(sentence, i, target, panel, explain).catch(complain));
  const others = make("button", { type: "button", "aria-label": `Others: more translations of sentence ${i + 1}` }, "Others");
  const tools = make("div", { class: "tools" }, explain, others, edit);
  others.addEventListener("click", () => showOthers(sentence, i, panel).catch(complain));
  edit.addEventListener("click", () => editSentence(sentence, i, target, panel, tools));
  const sides = make("div", { class: "sides" },
    make("div", {}, make("h2", {}, `Sentence ${i + 1}`), source),
    make("div", {}, make("h2", {}, "Translation"), target, ...notes.filter(Boolean)));
  if (sentence.other !== undefined) {
    sides.append(otherSide(sentence, languages.target));
    const why = make("button", { type: "button", "aria-label": `Why different? The two models on sentence ${i + 1}` }, "Why different?");
    why.addEventListener("click", () => contrastModels(sentence, panel).catch(complain));
    tools.append(why);
  }
  sides.append(tools, panel);
  return make("li", {}, sides);
}

// Never by colour alone: the figure stands beside it. What a person has edited needs no guess.
function confidenceNote(sentence) {
  if (sentence.confidence === null || sentence.edited) return null;
  const [, level] = SURE.find(([least]) => sentence.confidence >= least);
  return make("p", { class: `confidence ${level}` }, make("span", { class: "bar", "aria-hidden": "true" }),
    `Confidence ${Math.round(100 * sentence.confidence)}% (${level})`);
}

async function contrastModels(sentence, panel) {
  complain(null);
  const found = await ask("v1/contrast", { line: sentence.source, model: model(), other: byId("other").value, glossary: terms() });
  panel.replaceChildren(...contrastParts(found, [model(), byId("other").value]));
  panel.hidden = false;
}

function otherSide(sentence, language) {
  const words = new Map();
  for (const word of sentence.text.split(/\s+/)) words.set(word, (words.get(word) || 0) + 1);
  const marked = sentence.other.split(/(\s+)/).map((part) => {
    const left = words.get(part) || 0;
    if (left > 0) words.set(part, left - 1);
    return !part.trim() || left > 0 ? part : make("ins", {}, part);
  });
  const same = sentence.other === sentence.text;
  return make("div", { class: "other" }, make("h2", {}, `${chosen(byId("other")).textContent}${same ? ": the same" : ""}`),
    make("p", { lang: language, dir: "auto" }, ...(same ? [sentence.other] : marked)));
}

// Places of words are in code points; JavaScript counts halves of some of them.
async function explainSentence(sentence, i, target, panel, button) {
  if (button.getAttribute("aria-expanded") === "true") {
    target.textContent = sentence.text;
    panel.hidden = true;
    button.setAttribute("aria-expanded", "false");
    return;
  }
  complain(null);
  const found = await ask("v1/explain", { line: sentence.source, model: model(), glossary: terms() });
  const points = [...found.text];
  const parts = [];
  let place = 0;
  for (const word of found.words) {
    parts.push(points.slice(place, word.begin).join(""));
    if (word.end > word.begin) parts.push(wordButton(points.slice(word.begin, word.end).join(""), word.rule, found, i, target, panel));
    place = word.end;
  }
  target.replaceChildren(...parts, points.slice(place).join(""));
  button.setAttribute("aria-expanded", "true");
  const first = target.querySelector(".word");
  if (first) first.focus();
}

function wordButton(text, number, found, i, target, panel) {
  const button = make("button", { type: "button", class: "word", "aria-expanded": "false", "aria-controls": `panel-${i}`, "data-rule": number }, text);
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    for (const each of target.querySelectorAll(".word")) {
      each.setAttribute("aria-expanded", "false");
      each.classList.toggle("covered", open && each.dataset.rule === button.dataset.rule);
    }
    button.setAttribute("aria-expanded", String(open));
    panel.hidden = !open;
    if (open) panel.replaceChildren(...ruleParts(found.rules[number], chosen(byId("model")).dataset));
  });
  return button;
}

// Other translations of a sentence; one that is pressed takes the place of the first.
async function showOthers(sentence, i, panel) {
  complain(null);
  const found = await ask("v1/explain", { line: sentence.source, runners_up: OTHERS, examples: 0, model: model(), glossary: terms() });
  const choices = found.runners_up.filter((each) => each.text !== sentence.text).map((each) => {
    const button = make("button", { type: "button", class: "word", dir: "auto", lang: chosen(byId("model")).dataset.target }, each.text);
    button.addEventListener("click", () => take(sentence, i, each.text).catch(complain));
    return make("li", {}, button, make("details", {}, make("summary", {}, "Why it lost"), lostParts(each, found)));
  });
  panel.replaceChildren(make("h3", {}, "Other translations: press one to use it"), make("ul", {}, ...choices));
  panel.hidden = false;
  const first = panel.querySelector("button");
  if (first) first.focus();
}

async function take(sentence, i, text) {
  Object.assign(sentence, { text, edited: true });
  redraw(i);
  if (!canSuggest) return say(`Sentence ${i + 1} changed`);
  const { state } = await ask("suggest", { q: sentence.source, s: text, model: model() });
  say(state === "learnt" ? "Learnt: the next translation knows it" : "Kept as a suggestion for the operator");
}

function redraw(i) {
  list.children[i].replaceWith(item(sentences[i], i));
  list.children[i].querySelector(".tools button:last-child").focus();
}

function editSentence(sentence, i, target, panel, tools) {
  const box = make("textarea", { rows: "3", dir: "auto", "aria-label": `Translation of sentence ${i + 1}` });
  box.value = sentence.text;
  const keep = make("button", { type: "button", class: "main" }, canSuggest ? "Keep and suggest" : "Keep");
  const leave = make("button", { type: "button" }, "Cancel");
  const keepText = async () => {
    const text = box.value.trim();
    if (!text || text === sentence.text) return redraw(i);
    await take(sentence, i, text);
  };
  keep.addEventListener("click", () => keepText().catch(complain));
  leave.addEventListener("click", () => redraw(i));
  box.addEventListener("keydown", (event) => {
    const isEnd = event.key === "Enter" && event.ctrlKey;
    if (!isEnd && event.key !== "Escape") return;
    event.preventDefault(); // or the button that gets the focus would be pressed by the same key
    if (isEnd) keepText().catch(complain);
    else redraw(i);
  });
  panel.hidden = true;
  for (const button of tools.children) button.disabled = true;
  target.replaceChildren();
  target.after(box, make("div", { class: "tools" }, keep, leave));
  box.focus();
}

function save(name, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const cell = (text) => text.replace(/[\t\n]/g, " ");

byId("save-text").addEventListener("click", () =>
  save("translation.txt", lines.map((line) => line.map((i) => sentences[i].text).join(" ")).join("\n") + "\n"));
byId("save-table").addEventListener("click", () =>
  save("translation.tsv", sentences.map((each) => `${cell(each.source)}\t${cell(each.text)}\n`).join("")));
// A catalogue, a page or another file of a known format: it comes back with its markup, and is saved.
byId("document").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  complain(null);
  say(`Translating ${file.name}`);
  const review = chosen(byId("model")).dataset.calibrated === "yes" ? 50 : 0;
  try {
    const found = await ask("v1/file", { name: file.name, content: await file.text(), model: model(), glossary: terms(), review });
    save(file.name.replace(/(\.[^.]*)$/, `.${chosen(byId("model")).dataset.target}$1`), found.content);
    say(`${file.name}: ${found.segments} segments translated${found.unsure ? `, ${found.unsure} marked for review` : ""}`);
  } catch (error) {
    say("");
    complain(error);
  }
});
byId("file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  const text = (await file.text()).replace(/\r\n/g, "\n").replace(/\n$/, "");
  // A table has the source in its first column.
  byId("text").value = file.name.endsWith(".tsv") ? text.split("\n").map((line) => line.split("\t")[0]).join("\n") : text;
  event.target.value = "";
  say(`${file.name} opened`);
  byId("text").focus();
});
form.addEventListener("submit", (event) => { event.preventDefault(); translate(); });
byId("terms").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  byId("glossary").value = (await file.text()).replace(/\r\n/g, "\n");
  say(`${file.name} opened as glossary`);
});
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.ctrlKey) { event.preventDefault(); form.requestSubmit(); }
});
if (byId("other")) {
  const show = () => { // only models of the same languages can be compared
    const { source, target } = chosen(byId("model")).dataset;
    for (const option of byId("other").options) {
      option.hidden = option.disabled = Boolean(option.value) &&
        (option.value === byId("model").value || option.dataset.source !== source || option.dataset.target !== target);
    }
    if (chosen(byId("other")).disabled) byId("other").value = "";
  };
  byId("model").addEventListener("change", show);
  show();
}
