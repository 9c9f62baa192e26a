/**
 * The verdict in the head of the page. Where the points show a part of data with more columns there
 * are two: on all columns, which the server judges in the background, and on what is seen.
 */

import { complain, get } from "./server.js";
import { studio } from "./state.js";
import { atMost, byId, make } from "./svg.js";

const PATIENCE = 1000;

export function drawVerdict() {
  const { verdict, runs } = studio.answer;
  const seen = verdict.sentence + boundWords(runs);
  if (verdict.whole) {
    const { kind, sentence, view } = verdict.whole;
    write([[kind, sentence], [verdict.kind, `This picture, ${view}: ${seen}`]]);
    if (kind === "pending") waitFor(verdict);
  } else write([[verdict.kind, seen]]);
}

/** One line for each verdict; left alone where it stays as it is, for it is read out. */
function write(lines) {
  const place = byId("verdict");
  place.dataset.kind = lines.at(-1)[0];
  const key = JSON.stringify(lines);
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  place.replaceChildren();
  for (const [kind, sentence] of lines) make("span", { "data-kind": kind, title: sentence }, sentence, place);
}

/** The most updates that can be made, where the theorem says it of every run that is shown. */
function boundWords(runs) {
  if (runs.some((run) => run.bound === null)) return "";
  const most = Math.floor(Math.max(...runs.map((run) => run.bound)));
  return ` The perceptron makes at most ${atMost(most)} update${most === 1 ? "" : "s"}.`;
}

let waiting = 0;

/** Ask again until the whole is judged, or another picture is shown. */
function waitFor(verdict) {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    if (studio.answer.verdict !== verdict) return;
    try {
      const found = await get(`/api/whole?key=${encodeURIComponent(verdict.whole.key)}`);
      if (found) verdict.whole = found;
    } catch (error) {
      complain(error);
      return;
    }
    if (studio.answer.verdict === verdict) drawVerdict();
  }, PATIENCE);
}
