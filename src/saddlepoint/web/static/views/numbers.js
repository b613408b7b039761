// Numbers as they are read: values with their sign, shares, counts, times.

const MINUS = "\u2212";

/** A value to player 0, two decimals and its sign. */
export function signed(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value > 0 ? "+" : MINUS) + text;
}

export const share = (part) => `${Math.round(100 * part)} %`;

/** 1234567 as 1.23 M. */
export function count(number) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (number >= size) return `${(number / (size === 1e4 ? 1e3 : size)).toPrecision(3)} ${unit}`;
  }
  return `${Math.round(number)}`;
}

export const seconds = (time) => (time < 1 ? `${Math.round(1000 * time)} ms` : `${time.toPrecision(3)} s`);

/** How far a value is from the middle of what a game can be worth, −1 to 1. */
export function leaning(value, [low, high]) {
  const middle = (low + high) / 2;
  return Math.max(-1, Math.min(1, (value - middle) / ((high - low) / 2 || 1)));
}
