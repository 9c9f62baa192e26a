/**
 * Curves over the updates of a run. They are drawn once for an answer; a step only moves the
 * cursor. Pressing or dragging in a curve seeks.
 */

import { placeOf, studio } from "./state.js";
import { jump } from "./transport.js";
import { draw, make, set } from "./svg.js";

const WIDTH = 300;
const HEIGHT = 84;
const COLUMNS = 150;

export class Curve {
  /** `low` and `high` are the ends of the axis; `name` is said to screen readers. */
  constructor(host, { low, high, name }) {
    Object.assign(this, { host, low, high, name });
    this.why = make("p", { hidden: true });
    host.after(this.why);
    this.top = make("span", { class: "scale upper" }, String(high), host);
    this.bottom = make("span", { class: "scale lowest" }, String(low).replace("-", "−"), host);
    const stretched = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
    this.svg = draw("svg", { ...stretched, role: "img", "aria-label": name }, host);
    this.rules = draw("g", {}, this.svg);
    this.lines = draw("g", {}, this.svg);
    this.cursor = draw("path", { class: "cursor", d: "" }, this.svg);
    this.end = make("span", { class: "scale longest" }, "", host);
    this.listen();
  }

  listen() {
    const seekHere = (event) => {
      const { left, width } = this.svg.getBoundingClientRect();
      jump(placeOf(((event.clientX - left) / width) * this.longest));
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      seekHere(event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (event.buttons) seekHere(event);
    });
  }

  /** Say in a sentence why there is no curve instead of drawing an empty one; "" shows the curve. */
  leaveOut(why) {
    this.host.hidden = why !== "";
    this.why.hidden = why === "";
    this.why.textContent = why;
  }

  /** `series` is [{steps, values, kind}]; the first is drawn last, on top. */
  drawSeries(series) {
    this.longest = studio.ticks.at(-1) || 1;
    this.end.textContent = studio.ticks.at(-1);
    this.rules.replaceChildren();
    for (const level of [this.low, 0, this.high]) {
      draw("path", { class: "rule", d: `M0 ${this.y(level)}H${WIDTH}` }, this.rules);
    }
    this.lines.replaceChildren();
    for (const { steps, values, kind } of series.slice().reverse()) {
      draw("path", { class: `curve-line ${kind}`, d: this.thinned(steps, values) }, this.lines);
    }
    this.drawCursor();
  }

  y(value) {
    const part = (Math.max(this.low, Math.min(this.high, value)) - this.low) / (this.high - this.low);
    return (HEIGHT - 3 - part * (HEIGHT - 6)).toFixed(1);
  }

  /** Long runs smear: in each column keep the first, the smallest, the largest and the last value. */
  thinned(steps, values) {
    const columns = new Map();
    values.forEach((value, i) => {
      if (value === null || !Number.isFinite(value)) return;
      const column = Math.round((steps[i] / this.longest) * COLUMNS);
      const kept = columns.get(column);
      if (!kept) columns.set(column, { at: steps[i], first: value, low: value, high: value, last: value });
      else {
        kept.low = Math.min(kept.low, value);
        kept.high = Math.max(kept.high, value);
        kept.last = value;
      }
    });
    const corners = [...columns.values()].flatMap(({ at, first, low, high, last }) => {
      const x = ((at / this.longest) * WIDTH).toFixed(1);
      const values = low === high ? [first] : [first, low, high, last];
      return values.map((value) => `${x} ${this.y(value)}`);
    });
    return corners.length ? "M" + corners.join("L") : "";
  }

  drawCursor() {
    if (!this.longest) return;
    const x = ((studio.ticks[studio.place] / this.longest) * WIDTH).toFixed(1);
    this.cursor.setAttribute("d", `M${x} 0V${HEIGHT}`);
  }

  say(sentence) {
    set(this.svg, { "aria-label": `${this.name}: ${sentence}` });
  }
}

/** Bars for counts, one for each row of the run; pressing one seeks to it. */
export class Bars extends Curve {
  drawBars(steps, counts) {
    this.longest = studio.ticks.at(-1) || 1;
    this.end.textContent = studio.ticks.at(-1);
    const most = Math.max(1, ...counts);
    this.top.textContent = most;
    this.high = most;
    this.lines.replaceChildren();
    const width = Math.max(0.6, (WIDTH / steps.length) * 0.7);
    const bars = steps.map((step, i) => {
      const x = (step / this.longest) * (WIDTH - width);
      return `M${x.toFixed(1)} ${HEIGHT}V${this.y(counts[i])}h${width.toFixed(1)}V${HEIGHT}Z`;
    });
    draw("path", { class: "bars", d: bars.join("") }, this.lines);
    this.drawCursor();
  }
}
