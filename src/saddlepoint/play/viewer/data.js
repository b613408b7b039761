// Reads the positions of GAME DATA: each picture and text is told as what differs from the one before.

/** @type {("walls" | "marks" | "pieces" | "trails")[]} */
const LISTS = ["walls", "marks", "pieces", "trails"];

/**
 * The positions with whole pictures and texts; those that are whole already stay as they are.
 * @param {PackedPosition[]} positions
 * @returns {ReplayPosition[]}
 */
export function unpack(positions) {
	let picture = /** @type {Picture} */ ({});
	let text = "";
	return positions.map((one) => {
		picture = whole(picture, one.picture);
		text = lines(text, one.text);
		return { ...one, picture, text };
	});
}

/**
 * @param {Picture} before
 * @param {PackedPicture} delta
 * @returns {Picture}
 */
function whole(before, delta) {
	if (!delta.same) return /** @type {Picture} */ (delta);
	const { same, ...rest } = delta;
	/** @type {Record<string, any>} */
	const now = rest;
	for (const key of same) now[key] = before[key];
	for (const key of LISTS) if (now[key] && !Array.isArray(now[key])) now[key] = changed(before[key] ?? [], now[key]);
	return /** @type {Picture} */ (now);
}

/**
 * A list without the entries whose numbers are in `drop`, with cells added to those that `grow`, and with those of
 * `add`.
 * @param {any[]} before
 * @param {Exclude<PackedList<any>, any[]>} change
 */
function changed(before, { drop = [], grow = [], add = [] }) {
	const without = new Set(drop);
	const longer = new Map(grow);
	const kept = before.map((one, n) =>
		longer.has(n) ? { ...one, cells: [...one.cells, ...(longer.get(n) ?? [])] } : one,
	);
	return [...kept.filter((_, n) => !without.has(n)), ...add];
}

/** @type {(before: string, text: PackedPosition["text"]) => string} */
function lines(before, text) {
	if (!Array.isArray(text)) return text ?? "";
	const [count, changes] = text;
	const old = before.split("\n");
	return Array.from({ length: count }, (_, n) => changes[n] ?? old[n] ?? "").join("\n");
}
