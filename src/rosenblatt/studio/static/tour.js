/** Try this: six guided steps. Each sets the state and says what to look for. */

import { START_RUN, chooseData, on, studio } from "./state.js";
import { byId, make } from "./svg.js";

const perceptron = (changes = {}) => ({ ...START_RUN, ...changes });
const pocket = (changes = {}) => ({ ...START_RUN, algorithm: "pocket", ...changes });

export const STEPS = [
  {
    title: "First separation",
    text: "Step with → and watch one mistake at a time pull the line. The amber arrow y·x is added to w, the sum is the next w.",
    look: "Look at the mistakes: they jump about, yet the cosine to the best w* climbs above its bound.",
    data: { preset: "separable", seed: 0, noise: 0, n: 20 },
    runs: [perceptron()],
    place: 0,
  },
  {
    title: "One outlier",
    text: "One point lies on the wrong side. The perceptron goes round and round and never rests.",
    look: "Drag the outlier home and the verdict changes at once. The ringed points cannot all be right: their weighted sum is zero.",
    data: { preset: "outlier", seed: 0, noise: 0, n: 20 },
    runs: [perceptron({ max_updates: 200 })],
    place: null,
  },
  {
    title: "XOR",
    text: "Two classes on two diagonals. No line will do, and the studio proves it with a few points.",
    look: "The two hulls overlap. That is the whole proof: where they meet, a point would have to be both classes.",
    data: { preset: "xor", seed: 0, noise: 0, n: 20 },
    runs: [perceptron({ max_updates: 200 })],
    place: null,
  },
  {
    title: "Thin margin",
    text: "Separable, but only just. The bound (R·B)² is large, and so is the number of updates.",
    look: "Drag the two nearest points apart: the dotted street widens, the bound falls, and so do the updates.",
    data: { preset: "thin-margin", seed: 0, noise: 0, n: 20 },
    runs: [perceptron({ max_updates: 20000 })],
    place: null,
  },
  {
    title: "Pocket or not",
    text: "The same noisy points for both. A keeps its latest line, B keeps the best it has met.",
    look: "Press play. A's error jumps up and down; the error of B only ever falls.",
    data: { preset: "separable", seed: 1, noise: 0.1, n: 60 },
    runs: [perceptron({ max_updates: 300 }), pocket({ max_updates: 300 })],
    place: 0,
  },
  {
    title: "A better start",
    text: "A starts from zero. B starts from the line of linear regression and only mends what is left.",
    look: "Press play and count: B begins with a single mistake and is done after a few updates, long before A.",
    data: { preset: "separable", seed: 1, noise: 0, n: 40 },
    runs: [perceptron(), perceptron({ algorithm: "regression-perceptron" })],
    place: 0,
  },
];

const WELCOME =
  "Each sets the scene and says what to look for. Start with 1, or just click into the plane.";

export function startTour() {
  const host = byId("tour-steps");
  STEPS.forEach((step, i) => {
    const name = { "aria-label": `${i + 1}: ${step.title}`, title: step.title };
    const button = make("button", { type: "button", class: "button small", ...name }, String(i + 1), host);
    button.addEventListener("click", () => go(i + 1));
  });
  on("ask", leave);
  for (const event of ["ask", "answer"]) on(event, drawTour);
  drawTour();
}

/** Set the state of a step and say what to look for. */
export function go(number) {
  const step = STEPS[number - 1];
  studio.tour = number;
  studio.runs = step.runs;
  chooseData(step.data);
  if (step.place !== null) Object.assign(studio, { atEnd: false, wanted: step.place });
}

/** Another data set ends the step; edits by hand are what its text asks for. */
function leave() {
  if (studio.tour === 0) return;
  const { data } = STEPS[studio.tour - 1];
  if (!studio.data.preset || studio.data.preset === data.preset) return;
  studio.tour = 0;
}

let drawn = null;

function drawTour() {
  if (drawn === studio.tour) return;
  drawn = studio.tour;
  [...byId("tour-steps").children].forEach((button, i) => {
    button.setAttribute("aria-pressed", String(studio.tour === i + 1));
  });
  const host = byId("tour-text");
  host.replaceChildren();
  const step = STEPS[studio.tour - 1];
  make("h3", {}, step ? step.title : "Six short walks", host);
  make("p", {}, step ? step.text : WELCOME, host);
  if (step) make("p", { class: "look" }, step.look, host);
}

