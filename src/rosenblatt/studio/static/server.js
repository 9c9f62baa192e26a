/**
 * Asking the server. One question is under way at a time; of those that come meanwhile only the
 * newest is kept, so a drag never builds a queue. An old answer is drawn only while the same
 * gesture goes on, because then it shows the same points a few milliseconds earlier.
 */

import { START_DATA, START_RUN, fitTo, notify, say, studio, take } from "./state.js";

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
  notify(""); // what was refused before is past
  take(answer, isNewest);
  if (!isNewest) return;
  const { data, runs, box, tour, history } = studio;
  good = { data, runs, box, tour, history };
}

let good = null;

/** A refused question changes nothing: the state goes back to that of the picture, or to the start. */
function refuse(error) {
  complain(error);
  if (good !== null) {
    Object.assign(studio, good, { table: studio.answer.data, isFitted: true });
    take(studio.answer, true);
  } else if (!(error instanceof Unreachable) && studio.data !== START_DATA) {
    startAnew(error.message);
  }
}

/** The very first question was refused: rather the usual start than an empty page. */
function startAnew(reason) {
  Object.assign(studio, { data: START_DATA, runs: [{ ...START_RUN }], table: null, tour: 0 });
  studio.history = { past: [], present: null, future: [] };
  fitTo(null);
  notify(`${reason} The start is shown instead.`, "link");
  say("ask");
}

/** Say what went wrong; of a server that is not there only as long as it is not. */
export function complain(error) {
  notify(error.message, error instanceof Unreachable ? "server" : "");
}

class Unreachable extends Error {}

const PATIENCE = 1000; // milliseconds between two looks for the server
let isGone = false;

/** The server does not answer: look for it until it does. */
async function lookForServer() {
  if (isGone) return;
  isGone = true;
  while (isGone) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    if (!isGone) return;
    const answer = await fetch("/static/icon.svg", { cache: "no-store" }).catch(() => null);
    if (answer) found();
  }
}

function found() {
  isGone = false;
  notify("", "server");
  say("back");
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

const SLOW = 700; // milliseconds after which a reader wonders
const VERY_SLOW = 6000;
let nSlow = 0;

/** Say that something is computed when it takes longer than a moment. */
function tellWhenSlow() {
  const place = document.getElementById("waiting");
  const tell = (sentence) => {
    place.hidden = false;
    place.textContent = sentence;
  };
  nSlow += 1;
  const timers = [
    setTimeout(() => tell("Computing …"), SLOW),
    setTimeout(() => tell("Still computing … Learners that are used for the first time are compiled, which takes a while."), VERY_SLOW),
  ];
  return () => {
    timers.forEach(clearTimeout);
    nSlow -= 1;
    place.hidden = nSlow === 0 || place.hidden;
  };
}

async function reach(address, options) {
  const isHere = tellWhenSlow();
  let response;
  try {
    response = await fetch(address, options);
  } catch {
    lookForServer();
    throw new Unreachable("The studio's server does not answer; start `rosenblatt studio` again.");
  } finally {
    isHere();
  }
  if (isGone) found();
  if (response.ok) return response;
  const answer = await response.json().catch(() => null);
  throw new Error(answer?.error ?? `The server refused with ${response.status}.`);
}
