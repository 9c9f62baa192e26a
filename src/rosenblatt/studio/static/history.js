/**
 * Undo and redo. A step is a change of what is asked: points, data sets, settings. All moves of one
 * gesture, such as a drag, are one step. Steps that the server refused are none (see server.js).
 */

import { fitTo, on, say, studio } from "./state.js";

const MOST_UNDONE = 100;

export const canUndo = () => studio.history.past.length > 0;
export const canRedo = () => studio.history.future.length > 0;

export function startHistory() {
  on("ask", record);
}

function record() {
  const { data, runs, tour, gesture } = studio;
  const now = { data, runs, tour, gesture, box: studio.isFitted ? studio.box : null };
  const { past, present } = studio.history;
  if (present?.data === data && present.runs === runs) return;
  const isOngoing = present === null || present.gesture === gesture;
  studio.history = isOngoing
    ? { past, present: now, future: [] }
    : { past: [...past, present].slice(-MOST_UNDONE), present: now, future: [] };
}

export function undo() {
  const { past, present, future } = studio.history;
  if (canUndo()) show({ past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] });
}

export function redo() {
  const { past, present, future } = studio.history;
  if (canRedo()) show({ past: [...past, present], present: future[0], future: future.slice(1) });
}

/** Bring a remembered state back. */
function show(history) {
  const { data, runs, tour, box } = history.present;
  Object.assign(studio, { history, data, runs, tour });
  if (data.points) studio.table = data;
  fitTo(box);
  studio.gesture += 1; // an answer about what was undone must not be drawn
  say("table");
  say("ask");
}
