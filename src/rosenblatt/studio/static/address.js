/**
 * The state in the address, so that a link shows the same picture.
 *
 *   #preset=xor&seed=3&n=40&algorithm=pocket&rule=random&step=12&hide=data,cards
 *
 * Only what differs from the start is written. Points that were edited are written one by one;
 * numbers are JavaScript's shortest exact ones, so nothing is rounded on the way.
 */

import { LAYERS, PANELS, START_DATA, START_RUN, fitTo, notify, on, studio } from "./state.js";

const MOST_POINTS_IN_A_LINK = 1000;
const WORDS = new Set(["algorithm", "rule", "tie", "multiclass"]);

/** The part of the address behind `#` that brings this state back. */
export function written() {
  const entries = new URLSearchParams();
  writeData(entries);
  studio.runs.forEach((run, i) => writeRun(entries, run, i === 0 ? "" : "b."));
  if (!studio.atEnd) entries.set("step", studio.ticks[studio.place]);
  const off = LAYERS.filter((layer) => !studio.show.has(layer));
  if (off.length) entries.set("off", off.join("."));
  if (studio.hide.size) entries.set("hide", [...studio.hide].join("."));
  if (studio.tour) entries.set("tour", studio.tour);
  return entries.toString();
}

function writeData(entries) {
  const { data } = studio;
  if (data.preset) {
    for (const [name, value] of Object.entries(data)) {
      if (value !== START_DATA[name] || name === "preset" || name === "n") entries.set(name, value);
    }
  } else if (data.points.length <= MOST_POINTS_IN_A_LINK) {
    entries.set("points", data.points.map(([x, y], i) => `${x}_${y}_${data.labels[i]}`).join("*"));
    for (const name of data.classes) entries.append("class", name);
    for (const name of data.names) entries.append("name", name);
    if (data.target) entries.set("target", data.target.join("_"));
    if (data.box) entries.set("drawn", data.box.join("_"));
    if (studio.box) entries.set("box", [studio.box.x, studio.box.y, studio.box.side].join("_"));
  }
}

/** `seed` alone is that of the data; a run's own has another name. */
const writtenAs = (option) => (option === "seed" ? "run_seed" : option);

function writeRun(entries, run, prefix) {
  for (const [name, value] of Object.entries(run)) {
    const plain = Array.isArray(value) ? value.join("_") : value;
    if (value !== START_RUN[name] || name === "algorithm") entries.set(prefix + writtenAs(name), plain);
  }
}

/** Bring the state of an address back; what cannot be read is said, and the start is kept. */
export function read(hash) {
  const entries = new URLSearchParams(hash);
  const runs = [readRun(entries, "")];
  if (entries.has("b.algorithm")) runs.push(readRun(entries, "b."));
  const { data, box } = readData(entries);
  Object.assign(studio, {
    runs,
    data,
    table: data.points ? data : studio.table,
    wanted: entries.has("step") ? Number(entries.get("step")) || 0 : null,
    atEnd: !entries.has("step"),
    tour: Math.min(6, Math.max(0, Number(entries.get("tour")) || 0)),
    show: new Set(LAYERS.filter((layer) => !list(entries, "off").includes(layer))),
    hide: new Set(PANELS.filter((panel) => list(entries, "hide").includes(panel))),
  });
  fitTo(box);
  studio.gesture += 1;
}

const list = (entries, name) => (entries.get(name) ?? "").split(/[.,]/);
const numbers = (text) => text.split("_").map(Number);

function readRun(entries, prefix) {
  const run = { ...START_RUN };
  for (const name of Object.keys(run)) {
    const text = entries.get(prefix + writtenAs(name));
    if (text === null) continue;
    if (name === "init") run.init = vector(text);
    else run[name] = WORDS.has(name) ? text : Number(text);
  }
  return run;
}

function vector(text) {
  const values = numbers(text);
  return values.length === 3 && values.every(Number.isFinite) ? values : null;
}

function readData(entries) {
  if (entries.has("points")) {
    try {
      return readPoints(entries);
    } catch (error) {
      notify(error.message);
    }
  }
  const data = { ...START_DATA };
  if (entries.has("preset")) data.preset = entries.get("preset");
  data.n = studio.presets.find(({ name }) => name === data.preset)?.n ?? data.n;
  for (const name of ["seed", "noise", "n"]) {
    if (entries.has(name)) data[name] = Number(entries.get(name));
  }
  return { data, box: null };
}

function readPoints(entries) {
  const classes = entries.getAll("class");
  const rows = entries.get("points").split("*").filter(Boolean).map(numbers);
  rows.forEach((row, i) => {
    if (row.length !== 3 || !row.every(Number.isFinite) || !(row[2] in classes)) {
      const what = `Point ${i + 1} of the link is not two numbers and a class`;
      throw new Error(`${what}; the start is shown instead.`);
    }
  });
  const names = entries.getAll("name");
  const data = {
    points: rows.map(([x, y]) => [x, y]),
    labels: rows.map((row) => row[2]),
    classes,
    names: names.length === 2 ? names : ["x1", "x2"],
    target: vector(entries.get("target") ?? ""),
  };
  // The square the points were drawn from: E_out is measured there.
  if (entries.has("drawn")) data.box = numbers(entries.get("drawn"));
  const box = vector(entries.get("box") ?? "");
  return { data, box: box ? { x: box[0], y: box[1], side: box[2] } : null };
}

let timer = 0;
let last = "";

function write() {
  clearTimeout(timer);
  // Browsers refuse more than some 200 changes of the address in half a minute; a drag makes more.
  timer = setTimeout(() => {
    last = written();
    if (location.hash.slice(1) !== last) history.replaceState(null, "", `#${last}`);
  }, 200);
}

/** Keep the address up to date, and follow it when the reader changes it. */
export function followAddress(restart) {
  for (const event of ["ask", "answer", "place", "look"]) on(event, write);
  addEventListener("hashchange", () => {
    clearTimeout(timer);
    if (location.hash.slice(1) !== last) restart();
  });
}

/** The whole link, or a sentence why the picture does not fit into one. */
export function link() {
  if (studio.data.points && studio.data.points.length > MOST_POINTS_IN_A_LINK) {
    throw new Error(`A link holds at most ${MOST_POINTS_IN_A_LINK} points; download the CSV instead.`);
  }
  return `${location.origin}/#${written()}`;
}
