/**
 * Reading an address. Whatever stands behind `#`, a state comes out that the page can show; what
 * was not understood keeps its usual value and is told in `complaints`.
 */

import { kept } from "./kept_table.js";
import { LAYERS, PANELS, START_DATA, START_RUN, WHOLE, studio } from "./state.js";
import { STEPS } from "./tour.js";

/** `seed` alone is that of the data; a run's own has another name. */
export const writtenAs = (option) => (option === "seed" ? "run_seed" : option);

const SEVERAL = new Set(["class", "name"]);
const NARROWEST = 1e-6; // of a square

/** The state that an address means, and what of it was not understood, in a sentence or "". */
export function understood(hash) {
  const said = new Said(hash);
  const step = STEPS[said.number("tour", [1, STEPS.length], true, 0) - 1] ?? null;
  const isWalk = step !== null && !["preset", "points", "table", "algorithm"].some((name) => said.has(name));
  const wanted = said.number("step", [0, studio.limits.max_updates[1]], true, isWalk ? step.place : null);
  const runs = readRuns(said, step);
  const { data, box } = readData(said, step);
  said.word("theme", ["light", "dark"], null); // theme.js has followed it already
  const state = {
    runs,
    data,
    table: data.points ? data : studio.table,
    tour: step === null ? 0 : STEPS.indexOf(step) + 1,
    wanted,
    atEnd: wanted === null,
    show: new Set(LAYERS.filter((layer) => !said.list("off", LAYERS).includes(layer))),
    hide: new Set(said.list("hide", PANELS)),
  };
  return { state, box, complaint: said.complaint() };
}

/** What an address says, asked name by name. */
class Said {
  constructor(hash) {
    this.entries = new URLSearchParams(hash);
    this.asked = new Set();
    this.complaints = new Set();
  }

  has(name) {
    return this.entries.has(name);
  }

  text(name) {
    this.asked.add(name);
    return this.entries.get(name);
  }

  all(name) {
    this.asked.add(name);
    return this.entries.getAll(name);
  }

  complain(name, reason) {
    const text = this.entries.get(name) ?? "";
    const short = text.length > 24 ? `${text.slice(0, 24)}…` : text;
    this.complaints.add(`${name.slice(0, 24)}=${short} (${reason})`);
  }

  number(name, [least, most], isWhole, otherwise) {
    const text = this.text(name);
    if (text === null) return otherwise;
    const value = text.trim() === "" ? NaN : Number(text);
    if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
    const [from, to] = [least, most].map((end) => end.toLocaleString("en", { maximumFractionDigits: 12 }));
    this.complain(name, `a ${isWhole ? "whole " : ""}number from ${from} to ${to} is meant`);
    return otherwise;
  }

  word(name, words, otherwise) {
    const text = this.text(name);
    if (text === null) return otherwise;
    // A plus sign that was written by hand arrives as a blank.
    const word = [text, text.replace(/^ /, "+")].find((known) => words.includes(known));
    if (word === undefined) this.complain(name, `one of ${words.join(", ")} is meant`);
    return word ?? otherwise;
  }

  list(name, words) {
    const said = (this.text(name) ?? "").split(/[.,]/).filter(Boolean);
    const known = said.filter((word) => words.includes(word));
    if (known.length < said.length) this.complain(name, `these are ${words.join(", ")}`);
    return known;
  }

  /** Numbers joined by "_", as many as are meant, or null. */
  vector(name, count) {
    const text = this.text(name);
    if (text === null) return null;
    const values = numbers(text);
    if (values.length === count && values.every(isCoordinate)) return values;
    this.complain(name, `${count} numbers joined by _ are meant`);
    return null;
  }

  /** What was not understood, names that nobody asked for included. */
  complaint() {
    for (const name of new Set(this.entries.keys())) {
      if (!this.asked.has(name)) this.complain(name, "this says nothing here");
      else if (!SEVERAL.has(name) && this.entries.getAll(name).length > 1) this.complain(name, "said twice, the first holds");
    }
    if (this.complaints.size === 0) return "";
    const [first, ...more] = [...this.complaints].slice(0, 6);
    return `Not all of this link was understood: ${[first, ...more].join("; ")}.`;
  }
}

const numbers = (text) => text.split("_").map((part) => (part.trim() === "" ? NaN : Number(part)));

function isCoordinate(value) {
  const [least, most] = studio.limits.coordinate;
  return value >= least && value <= most;
}

/** One run, or two for a race; those of a guided step where the address names no algorithm. */
function readRuns(said, step) {
  const base = step !== null && !said.has("algorithm") ? step.runs : [START_RUN];
  const runs = [readRun(said, "", base[0])];
  if (said.has("b.algorithm")) runs.push(readRun(said, "b.", START_RUN));
  else if (base.length > 1) runs.push(readRun(said, "b.", base[1]));
  return runs;
}

function readRun(said, prefix, base) {
  const names = studio.algorithms.map(({ name }) => name);
  const words = { ...studio.choices, algorithm: names };
  const read = (option, otherwise) => {
    const name = prefix + writtenAs(option);
    if (option === "init") return said.has(name) ? said.vector(name, 3) : otherwise;
    if (option in words) return said.word(name, words[option], otherwise);
    return said.number(name, studio.limits[option], WHOLE.has(option), otherwise);
  };
  return Object.fromEntries(Object.entries(base).map(([option, value]) => [option, read(option, value)]));
}

/** Points of one's own, a table too long for a link, or a preset; in this order. */
function readData(said, step) {
  if (said.has("points")) {
    const read = readPoints(said);
    if (read !== null) return read;
  } else if (said.has("table")) {
    const data = kept(said.text("table"));
    if (data !== null) return { data, box: readBox(said) };
    said.complain("table", "its points are not here, a link holds up to 1,000; open the table again");
  }
  return { data: readPreset(said, step), box: null };
}

function readPreset(said, step) {
  const base = step !== null && !said.has("preset") ? step.data : START_DATA;
  if (step === null && studio.opened && !["preset", "n", "seed", "noise"].some((name) => said.has(name))) {
    return studio.opened;
  }
  const preset = said.word("preset", studio.presets.map(({ name }) => name), base.preset);
  const usual = preset === base.preset ? base.n : studio.presets.find(({ name }) => name === preset).n;
  const number = (name, otherwise) => said.number(name, studio.limits[name], WHOLE.has(name), otherwise);
  return { preset, seed: number("seed", base.seed), noise: number("noise", base.noise), n: number("n", usual) };
}

function readPoints(said) {
  const classes = said.all("class");
  const names = said.all("name");
  const target = said.vector("target", 3);
  const drawn = said.vector("drawn", 2);
  const box = readBox(said);
  const rows = said.text("points").split("*").filter(Boolean).map(numbers);
  const wrong = rows.findIndex((row) => !isPoint(row, classes));
  const isNamed = (list, least, most) => list.length >= least && list.length <= most && list.every(isName);
  const [fewest, most] = studio.limits.classes;
  const hasClasses = isNamed(classes, fewest, most);
  if (wrong >= 0) said.complain("points", `point ${wrong + 1} of the link is not two numbers and a class`);
  else if (!hasClasses) said.complain("points", `${fewest} to ${most} times class= belongs to it`);
  if (names.length && !isNamed(names, 2, 2)) said.complain("name", "two names are meant");
  if (drawn && drawn[1] - drawn[0] < NARROWEST) said.complain("drawn", "low_high is meant");
  if (rows.length > studio.limits.n[1]) said.complain("points", `up to ${studio.limits.n[1]} are shown`);
  if (wrong >= 0 || !hasClasses || rows.length > studio.limits.n[1]) return null;
  const data = {
    points: rows.map(([x, y]) => [x, y]),
    labels: rows.map((row) => row[2]),
    classes,
    names: isNamed(names, 2, 2) ? names : ["x1", "x2"],
    target,
  };
  // The square the points were drawn from: E_out is measured there.
  if (drawn && drawn[1] - drawn[0] >= NARROWEST) data.box = drawn;
  return { data, box };
}

const isName = (name) => name.length <= studio.limits.letters[1];

function isPoint(row, classes) {
  return row.length === 3 && row.slice(0, 2).every(isCoordinate) && Number.isInteger(row[2]) && row[2] in classes;
}

/** The square that is shown, or null for the one that fits. */
function readBox(said) {
  const box = said.vector("box", 3);
  if (box === null) return null;
  if (box[2] >= NARROWEST) return { x: box[0], y: box[1], side: box[2] };
  said.complain("box", "x_y_side is meant, the side above 0");
  return null;
}
