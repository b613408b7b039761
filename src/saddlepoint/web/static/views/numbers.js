// Numbers as they are read: values with their sign, shares, counts, times.

const MINUS = "\u2212";
const UNITS = [
	{ from: 1e9, unit: "G", size: 1e9 },
	{ from: 1e6, unit: "M", size: 1e6 },
	{ from: 1e4, unit: "k", size: 1e3 },
];

/**
 * A value to player 0, two decimals and its sign.
 * @param {number | null | undefined} value
 */
export function signed(value, digits = 2) {
	if (value === null || value === undefined) return "–";
	const text = Math.abs(value).toFixed(digits);
	return Number(text) === 0 ? text : (value > 0 ? "+" : MINUS) + text;
}

/** @type {(part: number) => string} */
export const share = (part) => `${Math.round(100 * part)} %`;

/**
 * 1234567 as 1.23 M.
 * @param {number} number
 */
export function count(number) {
	for (const { from, unit, size } of UNITS) if (number >= from) return `${(number / size).toPrecision(3)} ${unit}`;
	return `${Math.round(number)}`;
}

/** @type {(time: number) => string} */
export const seconds = (time) => (time < 1 ? `${Math.round(1000 * time)} ms` : `${time.toPrecision(3)} s`);

/**
 * How far a value is from the middle of what a game can be worth, −1 to 1.
 * @param {number} value
 * @param {Bounds} range
 */
export function leaning(value, [low, high]) {
	const middle = (low + high) / 2;
	return Math.max(-1, Math.min(1, (value - middle) / ((high - low) / 2 || 1)));
}
