/** Put the page together: read the address, ask the server, draw what it answers. */

import { followAddress, read } from "./address.js";
import { startAlgorithmPanel } from "./algorithm_panel.js";
import { startCards } from "./cards.js";
import { drawPresets, startDataPanel } from "./data_panel.js";
import { startExports } from "./exports.js";
import { giveHandles } from "./handles.js";
import { giveHands } from "./hands.js";
import { startHistory } from "./history.js";
import { Plane } from "./plane.js";
import { startRace } from "./race.js";
import { ask, complain, get } from "./server.js";
import { on, say, studio } from "./state.js";
import { byId } from "./svg.js";
import { startTableDialog } from "./table_dialog.js";
import { startToolbar } from "./toolbar.js";
import { startTour } from "./tour.js";
import { startTransport } from "./transport.js";
import { startUpdateCard } from "./update_card.js";
import { drawVerdict } from "./verdict.js";

let planes = [];

/** As many planes as runs: one, or two for a race. */
function fitPlanes() {
  const wanted = studio.runs.length;
  while (planes.length > wanted) planes.pop().remove();
  while (planes.length < wanted) {
    const plane = new Plane(byId("planes"), planes.length);
    giveHands(plane);
    giveHandles(plane);
    planes.push(plane);
  }
  byId("planes").classList.toggle("two", wanted > 1);
}

function drawPlanes(method) {
  fitPlanes();
  for (const plane of planes) {
    if (!plane.size) plane.resize();
    plane[method]();
  }
}

function listen() {
  on("back", comeBack);
  on("ask", fitPlanes);
  on("ask", ask);
  on("answer", drawVerdict);
  on("answer", () => drawPlanes("drawAll"));
  on("place", () => drawPlanes("drawStep"));
  on("table", () => drawPlanes("drawTable"));
  on("look", () => drawPlanes("drawAll"));
  on("selected", () => drawPlanes("drawTable"));
  document.documentElement.addEventListener("theme", () => drawPlanes("drawAll"));
}

function start() {
  startToolbar();
  startTransport();
  startCards();
  startRace();
  startDataPanel();
  startAlgorithmPanel();
  startTableDialog();
  startUpdateCard(() => planes);
  startExports(() => planes);
  listen();
  startTour();
  startHistory();
  followAddress(() => fromAddress());
}

/** Show what the address says; the data of the command line when it says nothing of data. */
function fromAddress() {
  read(location.hash.slice(1));
  say("look");
  say("ask");
}

async function welcome() {
  const { presets, algorithms, limits, choices, opened } = await get("/api/presets");
  Object.assign(studio, { presets, algorithms, limits, choices, opened });
  drawPresets();
  fromAddress();
}

/** The server answers again: ask what it did not answer. */
function comeBack() {
  if (studio.presets.length === 0) begin();
  else if (studio.answer === null) say("ask");
}

async function begin() {
  try {
    await welcome();
  } catch (error) {
    complain(error);
  }
}

start();
begin();
