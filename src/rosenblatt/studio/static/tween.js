/**
 * Between two updates the line turns instead of jumping: w + s (w' - w) for s from 0 to 1, which
 * is the update itself, added bit by bit. Readers who asked for less motion see the steps alone.
 */

const MILLISECONDS = 130;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Call `show(weights)` for weights on the way; returns a function that stops it. */
export function tween(from, to, show) {
  if (calm.matches || from.length !== to.length) return () => {};
  const begun = performance.now();
  let frame = requestAnimationFrame(function next(now) {
    const part = Math.min(1, (now - begun) / MILLISECONDS);
    show(part < 1 ? blended(from, to, eased(part)) : to);
    if (part < 1) frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}

const eased = (part) => 1 - (1 - part) ** 3;

function blended(from, to, part) {
  return from.map((w, c) => w.map((value, j) => value + part * (to[c][j] - value)));
}
