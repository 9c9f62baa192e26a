/** The race: two runs on the same data under one scrubber, and a table of where each stands. */

import { errorAt, outsideAt, spokenRow } from "./rules.js";
import { on, rowOf, setRuns, studio } from "./state.js";
import { byId, make, number } from "./svg.js";

export function startRace() {
  byId("race").addEventListener("change", (event) => {
    if (event.target.checked) setRuns([studio.runs[0], rival(studio.runs[0])]);
    else setRuns([studio.runs[0]]);
  });
  on("ask", () => {
    byId("race").checked = studio.runs.length > 1;
  });
}

/** Against the perceptron the pocket is the first question, against all others the perceptron. */
function rival(run) {
  return { ...run, algorithm: run.algorithm === "perceptron" ? "pocket" : "perceptron", init: null };
}

const LINES = [
  ["updates", (run, row) => number(run.steps[row])],
  ["of", (run) => number(run.steps.at(-1))],
  ["mistakes", (run, row) => number(errorAt(run, row))],
  ["best so far", (run, row) => number(run.pocket_errors?.[row])],
  ["error outside", (run, row) => number(outsideAt(run, row))],
  ["cosine to w*", (run, row) => number(run.cosine?.[spokenRow(run, row)])],
];

export function drawRace() {
  const { runs } = studio.answer;
  const table = byId("race-table");
  table.replaceChildren();
  const head = make("tr", {}, "", make("thead", {}, "", table));
  make("td", {}, "", head);
  runs.forEach((run, i) => {
    make("th", { scope: "col", class: i === 0 ? "ink-a" : "ink-b" }, `${"AB"[i]}  ${run.title}`, head);
  });
  const body = make("tbody", {}, "", table);
  for (const [name, read] of LINES) {
    const line = make("tr", {}, "", body);
    make("th", { scope: "row" }, name, line);
    for (const run of runs) make("td", {}, read(run, rowOf(run)), line);
  }
}
