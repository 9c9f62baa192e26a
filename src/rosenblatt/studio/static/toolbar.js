/** Around the plane: the class of a new point, the layers, the hint, flip, delete, undo and redo. */

import { flipPoint, removePoint } from "./edits.js";
import { canRedo, canUndo, redo, undo } from "./history.js";
import { PANELS, notify, on, say, studio } from "./state.js";
import { byId, draw, make, markPath, number } from "./svg.js";

export function startToolbar() {
  startLayers();
  byId("flip").addEventListener("click", () => flipPoint(studio.selected));
  byId("remove").addEventListener("click", () => removePoint(studio.selected));
  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", redo);
  byId("notice").querySelector("button").addEventListener("click", ({ currentTarget }) => {
    notify("", currentTarget.parentElement.dataset.kind);
  });
  document.addEventListener("keydown", undoKey);
  document.addEventListener("keydown", pointKey);
  for (const event of ["focusin", "focusout"]) document.addEventListener(event, drawHint);
  on("answer", drawClasses);
  on("look", drawLook);
  for (const event of ["answer", "table", "selected", "look"]) on(event, drawHint);
}

function undoKey(event) {
  const key = event.key.toLowerCase();
  // Where text is typed the keys undo the typing.
  const isElsewhere = event.target.closest("input[type=number], textarea, dialog");
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isElsewhere) return;
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}

/** The keys on the buttons hold wherever the focus is, as long as they mean nothing else there. */
function pointKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  if (event.key.toLowerCase() === "x") byId("flip").click();
  else if (event.key === "Delete") byId("remove").click();
}

function startLayers() {
  for (const box of byId("layers").querySelectorAll("input")) {
    box.addEventListener("change", () => {
      studio.show[box.checked ? "add" : "delete"](box.name);
      say("look");
    });
  }
}

/** Show which layers are on and leave out the panels that the address hides. */
function drawLook() {
  for (const box of byId("layers").querySelectorAll("input")) box.checked = studio.show.has(box.name);
  for (const panel of PANELS) document.body.classList.toggle(`hide-${panel}`, studio.hide.has(panel));
  document.body.classList.toggle("hide-left", studio.hide.has("data") && studio.hide.has("algorithm"));
  document.body.classList.toggle("hide-right", studio.hide.has("cards") && studio.hide.has("tour"));
}

let drawnClasses = "";

/** One radio button for each class, with its mark. */
function drawClasses() {
  const { classes } = studio.table;
  const target = byId("layers").querySelector("[name=target]");
  target.disabled = !studio.table.target;
  if (drawnClasses === classes.join("\n")) return;
  drawnClasses = classes.join("\n");
  if (studio.label >= classes.length) studio.label = classes.length - 1;
  byId("classes").replaceChildren();
  classes.forEach((name, label) => byId("classes").append(newClass(name, label)));
}

function newClass(name, label) {
  const choice = make("label", { class: "class-choice" });
  const button = make("input", { type: "radio", name: "new-class", value: label }, "", choice);
  button.checked = label === studio.label;
  button.addEventListener("change", () => {
    studio.label = label;
    say("look");
  });
  const picture = draw("svg", { class: "chip", viewBox: "-9 -9 18 18", "aria-hidden": "true" }, choice);
  draw("path", { class: `mark class-${label % 10}`, d: markPath(label, 6) }, picture);
  make("span", {}, pretty(name), choice);
  return choice;
}

export const pretty = (name) => name.replace(/^-(?=\d)/, "−");

const HINT = "Click adds a point, Shift-click one of the next class. Drag points, and lines by their grips.";

function drawHint() {
  const { table, selected } = studio;
  if (!table) return;
  const isSelected = selected in table.points;
  byId("flip").disabled = byId("remove").disabled = !isSelected;
  byId("undo").disabled = !canUndo();
  byId("redo").disabled = !canRedo();
  byId("hint").textContent = isSelected ? aboutPoint(table, selected) : HINT;
}

function aboutPoint(table, index) {
  const [x, y] = table.points[index].map(number);
  const label = pretty(table.classes[table.labels[index]]);
  const isHeld = document.activeElement?.matches(`.pt[data-index="${index}"]`);
  const how = isHeld ? "Drag it or use the arrow keys." : "Drag it, flip it or delete it.";
  return `Point ${index + 1}: (${x}, ${y}), ${label}. ${how}`;
}

