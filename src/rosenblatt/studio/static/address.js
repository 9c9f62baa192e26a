/**
 * The state in the address, so that a link shows the same picture.
 *
 *   #preset=xor&seed=3&n=40&algorithm=pocket&rule=random&step=12&hide=data,cards
 *
 * Only what differs from the start is written. Points that were edited are written one by one;
 * numbers are JavaScript's shortest exact ones, so nothing is rounded on the way.
 */

import { understood, writtenAs } from "./address_reader.js";
import { keep } from "./kept_table.js";
import { LAYERS, START_DATA, START_RUN, fitTo, notify, on, studio } from "./state.js";

const MOST_POINTS_IN_A_LINK = 1000;

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
  const { theme, isChosen } = document.documentElement.dataset;
  if (isChosen) entries.set("theme", theme);
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
  } else {
    entries.set("table", keep(data));
  }
  const { box } = studio;
  if (data.points && studio.isFitted) entries.set("box", [box.x, box.y, box.side].join("_"));
}

function writeRun(entries, run, prefix) {
  for (const [name, value] of Object.entries(run)) {
    const plain = Array.isArray(value) ? value.join("_") : value;
    if (value !== START_RUN[name] || name === "algorithm") entries.set(prefix + writtenAs(name), plain);
  }
}

/** Bring the state of an address back; what cannot be read is said, and the rest is shown. */
export function read(hash) {
  const { state, box, complaint } = understood(hash);
  Object.assign(studio, state);
  fitTo(box);
  studio.gesture += 1;
  notify(complaint, "link");
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
  document.documentElement.addEventListener("theme", write);
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
