/** The algorithm panel: which one, and only the options it has; a second one for a race. */

import { lineToStartWith } from "./handles.js";
import { WHOLE, changeRun, on, seek, studio } from "./state.js";
import { byId, make } from "./svg.js";

const RULES = {
  first: "first mistake",
  cyclic: "cyclic",
  random: "random mistake",
  shuffled: "shuffled passes",
  worst: "worst mistake",
};
const TIES = { mistake: "is a mistake", "+1": "is +1", "-1": "is −1" };
const MANY = { joint: "joint", "one-vs-rest": "one against the rest", "one-vs-one": "one against one" };
const STARTS = { zero: "zero", line: "a line I drag" };

/** How each option is asked for. */
const OPTIONS = {
  rule: { title: "picks the", choices: RULES },
  tie: { title: "w·x = 0", choices: TIES },
  multiclass: { title: "many classes", choices: MANY },
  eta: { title: "step size η" },
  epsilon: { title: "stop at ε" },
  epochs: { title: "passes" },
  max_updates: { title: "most updates" },
  seed: { title: "seed" },
  init: { title: "starts from", choices: STARTS },
};

export function startAlgorithmPanel() {
  on("ask", drawRuns);
  on("answer", drawRuns);
}

let drawn = "";

/** Draw the panel again only when what it shows has changed, so that focus stays where it is. */
export function drawRuns() {
  const many = (studio.table?.classes.length ?? 2) > 2;
  const shown = studio.runs.map((run) => ({ ...run, init: run.init !== null }));
  const key = JSON.stringify([shown, many, studio.algorithms.length]);
  if (key === drawn || studio.algorithms.length === 0) return;
  drawn = key;
  const focused = document.activeElement?.id;
  drawRun(byId("run-a"), 0, many);
  byId("run-b").hidden = studio.runs.length < 2;
  if (studio.runs.length > 1) drawRun(byId("run-b"), 1, many);
  else byId("run-b").replaceChildren();
  if (focused && document.activeElement?.id !== focused) byId(focused)?.focus();
}

function drawRun(host, which, many) {
  const run = studio.runs[which];
  const known = studio.algorithms.find(({ name }) => name === run.algorithm) ?? studio.algorithms[0];
  host.replaceChildren();
  const name = studio.runs.length > 1 ? `Algorithm ${"AB"[which]}` : "Algorithm";
  const attributes = { id: `algorithm-${which}`, class: "algorithm-name", "aria-label": name };
  const select = make("select", attributes, "", host);
  for (const { name: value, title } of studio.algorithms) make("option", { value }, title, select);
  select.value = known.name;
  select.addEventListener("change", () => changeRun(which, { algorithm: select.value }));
  make("p", { class: "about" }, known.sentence, host);
  const fields = make("div", { class: "fields two" }, "", host);
  for (const option of relevantOptions(known, run, many)) fields.append(newField(option, which, run));
}

/** The options of an algorithm that can make a difference now. */
function relevantOptions(known, run, many) {
  const options = known.options.filter((option) => option in OPTIONS && option !== "multiclass");
  const isRandom = !options.includes("rule") || ["random", "shuffled"].includes(run.rule);
  const ofTwo = ["init", "tie"]; // a start line and the sides of w·x = 0 are those of two classes
  const kept = options.filter((option) => (option !== "seed" || isRandom) && !(many && ofTwo.includes(option)));
  return many && known.many?.length > 1 ? ["multiclass", ...kept] : kept;
}

function newField(option, which, run) {
  const known = OPTIONS[option];
  const label = make("label", {}, known.title);
  const id = `${option}-${which}`;
  label.append(known.choices ? newChoice(option, id, which, run) : newNumber(option, id, which, run));
  return label;
}

function newChoice(option, id, which, run) {
  const select = make("select", { id });
  for (const [value, title] of Object.entries(allowed(option, run))) make("option", { value }, title, select);
  select.value = option === "init" ? (run.init ? "line" : "zero") : run[option];
  select.addEventListener("change", () => choose(option, which, select.value));
  return select;
}

/** Not every algorithm knows all three ways to more than two classes. */
function allowed(option, run) {
  if (option !== "multiclass") return OPTIONS[option].choices;
  const known = studio.algorithms.find(({ name }) => name === run.algorithm);
  return Object.fromEntries(known.many.map((way) => [way, MANY[way]]));
}

function choose(option, which, value) {
  if (option !== "init") {
    changeRun(which, { [option]: value });
    return;
  }
  const init = value === "line" ? (studio.runs[which].init ?? lineToStartWith()) : null;
  // The start can be dragged only where it is seen: at the first place.
  if (init) seek(0);
  changeRun(which, { init });
}

function newNumber(option, id, which, run) {
  const [min, max] = studio.limits[option];
  const step = WHOLE.has(option) ? 1 : "any";
  const input = make("input", { id, type: "number", min, max, step });
  input.value = run[option];
  input.addEventListener("change", () => {
    if (input.value !== "" && input.reportValidity()) changeRun(which, { [option]: Number(input.value) });
  });
  return input;
}
