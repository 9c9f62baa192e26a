/** Moving through the run: buttons, scrubber, speed and keys. */

import { on, seek, studio } from "./state.js";
import { byId } from "./svg.js";

// Updates in a second for each notch of the speed.
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 40, 120, 400];

let timer = 0;
let before = 0;
let due = 0;

export const isPlaying = () => timer !== 0;
const last = () => studio.ticks.length - 1;

export function startTransport() {
  const actions = {
    first: () => jump(0),
    back: () => jump(studio.place - 1),
    play: toggle,
    step: () => jump(studio.place + 1),
    last: () => jump(last()),
  };
  for (const [name, act] of Object.entries(actions)) byId(`to-${name}`).addEventListener("click", act);
  byId("scrubber").addEventListener("input", (event) => jump(Number(event.target.value)));
  byId("speed").addEventListener("input", sayTempo);
  document.addEventListener("keydown", (event) => key(event, actions));
  on("place", show);
  on("answer", show);
  sayTempo();
}

/** Go somewhere by hand: playing stops. */
export function jump(place) {
  pause();
  seek(place);
}

function sayTempo() {
  const tempo = SPEEDS[byId("speed").value];
  byId("speed").setAttribute("aria-valuetext", `${tempo} updates a second`);
  byId("speed").title = `${tempo} updates a second`;
}

function toggle() {
  if (isPlaying()) pause();
  else play();
}

/** Play from here; at the end, from the beginning. */
export function play() {
  if (studio.place >= last()) seek(0);
  before = performance.now();
  due = 0;
  timer = requestAnimationFrame(advance);
  show();
}

export function pause() {
  if (!isPlaying()) return;
  cancelAnimationFrame(timer);
  timer = 0;
  show();
}

function advance(now) {
  due += ((now - before) / 1000) * SPEEDS[byId("speed").value];
  before = now;
  const whole = Math.floor(due);
  due -= whole;
  if (whole > 0) seek(studio.place + whole);
  if (studio.place >= last()) pause();
  else timer = requestAnimationFrame(advance);
}

function show() {
  const { ticks, place } = studio;
  const scrubber = byId("scrubber");
  scrubber.max = last();
  scrubber.value = place;
  scrubber.style.setProperty("--part", last() ? place / last() : 0);
  scrubber.setAttribute("aria-valuetext", `update ${ticks[place]} of ${ticks[last()]}`);
  byId("counter").textContent = `${ticks[place]} / ${ticks[last()]}`;
  byId("to-play").setAttribute("aria-label", isPlaying() ? "Pause" : "Play");
  byId("to-play").querySelector("use").setAttribute("href", isPlaying() ? "#icon-pause" : "#icon-play");
}

let isMouseLast = false;
document.addEventListener("pointerdown", () => (isMouseLast = true), true);
document.addEventListener("keydown", (event) => (isMouseLast &&= event.key !== "Tab"), true);

const KEYS = { " ": "play", ArrowLeft: "back", ArrowRight: "step", Home: "first", End: "last" };

/** Keys drive the transport unless the focused control has a use for them. */
function key(event, actions) {
  const name = KEYS[event.key];
  if (!name || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog, .scroll")) return;
  // Space presses a button that the keyboard reached; after a mouse click it plays.
  if (name === "play" && event.target.matches("button, input, .handle")) {
    if (!isMouseLast) return;
    event.target.blur();
  }
  event.preventDefault();
  actions[name]();
}
