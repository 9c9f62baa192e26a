/**
 * Asking the server. One question is under way at a time; of those that come meanwhile only the
 * newest is kept, so a drag never builds a queue. An old answer is drawn only while the same
 * gesture goes on, because then it shows the same points a few milliseconds earlier.
 */

import { notify, studio, take } from "./state.js";

let underWay = false;
let waiting = null;
let newest = 0;

/** The question for the present state. */
export function question() {
  return {
    id: newest,
    data: studio.data,
    runs: studio.runs.map(relevant),
    quick: studio.quick,
  };
}

/** Only the options that the algorithm has: the address may hold others from an earlier choice. */
function relevant(run) {
  const known = studio.algorithms.find((algorithm) => algorithm.name === run.algorithm);
  if (!known) return run;
  const names = new Set(["algorithm", ...known.options]);
  if (known.many?.length) names.add("multiclass");
  const kept = Object.fromEntries(Object.entries(run).filter(([name]) => names.has(name)));
  if (known.many?.length && !known.many.includes(kept.multiclass)) kept.multiclass = known.many[0];
  return kept;
}

export function ask() {
  newest += 1;
  waiting = { body: question(), gesture: studio.gesture, asked: performance.now() };
  if (!underWay) send();
}

async function send() {
  const { body, gesture, asked } = waiting;
  waiting = null;
  underWay = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    receive(await post("/api/scene", JSON.stringify(body)), body.id, gesture);
    timed(body.id, asked);
  } catch (error) {
    if (body.id === newest) refuse(error);
  } finally {
    underWay = false;
    if (waiting) send();
    else document.body.setAttribute("aria-busy", "false");
  }
}

/** From the question to the drawn answer, for those who measure; old entries are thrown away. */
function timed(id, asked) {
  if (id % 500 === 0) performance.clearMeasures();
  performance.measure("answer", { start: asked });
}

function receive(answer, id, gesture) {
  const isNewest = id === newest;
  if (!isNewest && gesture !== studio.gesture) return;
  take(answer, isNewest);
  if (!isNewest) return;
  const { data, runs, box, tour, history } = studio;
  good = { data, runs, box, tour, history };
}

let good = null;

/** A refused question changes nothing: the state goes back to that of the picture. */
function refuse(error) {
  notify(error.message);
  if (good === null) return;
  Object.assign(studio, good, { table: studio.answer.data, isFitted: true });
  take(studio.answer, true);
}

/** POST and return the JSON; a refusal becomes an Error with the server's sentence. */
export async function post(address, body, type = "application/json") {
  const response = await reach(address, { method: "POST", headers: { "Content-Type": type }, body });
  return response.json();
}

export async function get(address) {
  return (await reach(address, {})).json();
}

export async function postForFile(address, body) {
  const headers = { "Content-Type": "application/json" };
  return (await reach(address, { method: "POST", headers, body })).blob();
}

async function reach(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch {
    throw new Error("The studio's server does not answer; start `rosenblatt studio` again.");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => null);
  throw new Error(answer?.error ?? `The server refused with ${response.status}.`);
}
