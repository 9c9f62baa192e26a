/**
 * What the page knows: what was asked, what was answered, and where in the run we stand.
 *
 * Every other module changes it through the functions here and listens for what changed:
 *   "ask"       data or settings are new; the server has to compute
 *   "table"     points moved under the hand; the answer follows
 *   "answer"    a new answer is here
 *   "place"     another update is looked at
 *   "look"      layers, class for new points or hidden panels changed
 *   "selected"  another point is selected
 */

import { squareAround } from "./geometry.js";

export const DRAWN_AS_SVG = 1000;
export const LAYERS = ["regions", "target", "margin", "ghosts", "arrow"];
export const PANELS = ["data", "algorithm", "cards", "tour", "tools", "transport", "header", "editing"];
export const WHOLE = new Set(["n", "seed", "epochs", "max_updates"]);
export const START_DATA = { preset: "separable", seed: 0, noise: 0, n: 20 };
export const START_RUN = {
  algorithm: "perceptron",
  rule: "first",
  tie: "mistake",
  multiclass: "joint",
  eta: 1,
  epsilon: 1e-6,
  epochs: 10,
  max_updates: 1000,
  init: null,
  seed: 0,
};

export const studio = {
  data: { ...START_DATA },
  runs: [{ ...START_RUN }],
  presets: [],
  limits: {},
  choices: {},
  opened: null,
  algorithms: [],
  table: null,
  box: null,
  isFitted: false,
  answer: null,
  ticks: [0],
  place: 0,
  wanted: null,
  atEnd: true,
  label: 1,
  selected: -1,
  show: new Set(LAYERS),
  hide: new Set(),
  tour: 0,
  gesture: 0,
  history: { past: [], present: null, future: [] },
  quick: false,
};

const listeners = new Map();

export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, []);
  listeners.get(event).push(listener);
}

export function say(event) {
  for (const listener of listeners.get(event) ?? []) listener(studio);
}

/** Ask for new data: the view is fitted to it and the run is shown from its result. */
export function chooseData(data, { box = null } = {}) {
  studio.data = data;
  fitTo(box);
  studio.table = data.points ? data : studio.table;
  studio.gesture += 1;
  studio.atEnd = true;
  select(-1);
  say("ask");
}

/** Show a given square, or the one that fits the next answer; until then the old one is shown. */
export function fitTo(box) {
  studio.box = box ?? studio.box;
  studio.isFitted = box !== null;
}

export function changeRun(which, changes) {
  studio.runs = studio.runs.map((run, i) => (i === which ? { ...run, ...changes } : run));
  studio.gesture += 1;
  say("ask");
}

export function setRuns(runs) {
  studio.runs = runs;
  studio.gesture += 1;
  say("ask");
}

/** Take an answer: the times of all its runs become the places of the one scrubber. */
export function take(answer, isNewest) {
  studio.answer = answer;
  if (isNewest || !studio.table) studio.table = answer.data;
  if (!studio.isFitted) fitTo(squareAround(studio.table.points));
  studio.ticks = mergedSteps(answer.runs);
  const last = studio.ticks.length - 1;
  if (studio.wanted !== null) studio.place = placeOf(studio.wanted);
  studio.wanted = null;
  if (studio.atEnd || studio.place > last) studio.place = last;
  say("answer");
}

function mergedSteps(runs) {
  const times = new Set();
  for (const run of runs) for (const step of run.steps) times.add(step);
  return [...times].sort((a, b) => a - b);
}

/** Look at another place of the run; beyond the end is the end, where new answers keep us. */
export function seek(place) {
  const last = studio.ticks.length - 1;
  studio.place = Math.max(0, Math.min(last, Math.round(place)));
  studio.atEnd = studio.place === last;
  say("place");
}

/** The place whose number of updates is nearest to a time. */
export function placeOf(time) {
  const { ticks } = studio;
  let low = 0;
  let high = ticks.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (ticks[middle] <= time) low = middle;
    else high = middle;
  }
  return time - ticks[low] <= ticks[high] - time ? low : high;
}

/** The row of a run that holds at the place we look at: a shorter run waits at its end. */
export function rowOf(run) {
  const time = studio.ticks[studio.place] ?? 0;
  let low = 0;
  let high = run.steps.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (run.steps[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function select(index) {
  if (studio.selected === index) return;
  studio.selected = index;
  say("selected");
}

/**
 * Say a sentence on the page; an empty one takes the message of its kind away: "link" about the
 * address, "server" about a server that is not there, "" about what was asked last.
 */
export function notify(sentence, kind = "") {
  const notice = document.getElementById("notice");
  if (sentence === "" && notice.dataset.kind !== kind) return;
  notice.dataset.kind = kind;
  notice.hidden = sentence === "";
  notice.firstElementChild.textContent = capital(sentence);
}

/** Sentences of the library begin small, to stand behind a name; on the page they stand alone. */
export const capital = (sentence) => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
