// A position in words, for who cannot see it.

/** @type {(picture: Picture, cell: Cell) => string} */
const where = (picture, [x, y]) => {
	const { column_names: columns = [], row_names: rows = [] } = picture;
	return columns[x] && rows[y]
		? `${columns[x]}${/\d$/.test(columns[x]) || /[a-z]{2}/i.test(rows[y]) ? " " : ""}${rows[y]}`
		: `column ${x + 1}, row ${y + 1}`;
};

// A text in which games say "player 0" and "player 1", with the players' names.
/** @type {(text: string | undefined, names: string[]) => string} */
export const withNames = (text, names) => (text ?? "").replace(/\bplayer ([01])\b/g, (_, player) => names[player]);

/**
 * @param {Picture} picture
 * @param {string[]} [names]
 * @param {Names | null} [last]
 */
export function describe(picture, names = ["player 0", "player 1"], last = null) {
	const who = (/** @type {Owner} */ owner) => names[owner ?? -1] ?? "nobody";
	/** @type {string[]} */
	const parts = [];
	if (last) parts.push(`After ${[last].flat().filter(Boolean).join(" and ")}.`);
	if (picture.width) parts.push(`Board of ${picture.width} by ${picture.height}.`);
	for (const trail of picture.trails ?? []) {
		const head = trail.cells.at(-1);
		if (trail.head !== false && head)
			parts.push(
				`${who(trail.owner) === "You" ? "Your" : `${who(trail.owner)}'s`} head at ${where(picture, head)}${trail.cells.length > 1 ? `, trail of ${trail.cells.length} cells` : ""}.`,
			);
	}
	const pieces = picture.pieces ?? [];
	for (const owner of [0, 1, null]) {
		const own = pieces.filter((one) => (one.owner ?? null) === owner);
		if (!own.length) continue;
		const told = own
			.slice(0, 24)
			.map(
				(one) =>
					`${withNames(one.title, names) || one.label || one.shape || "piece"} at ${where(picture, [one.x, one.y])}`,
			);
		parts.push(
			`${owner === null ? "Nobody's" : who(owner)}: ${told.join("; ")}${own.length > 24 ? `; and ${own.length - 24} more` : ""}.`,
		);
	}
	for (const mark of picture.marks ?? [])
		if (mark.title) parts.push(`${withNames(mark.title, names)} at ${where(picture, [mark.x, mark.y])}.`);
	if (picture.walls?.length) parts.push(`${picture.walls.length} walls.`);
	for (const one of picture.numbers ?? [])
		parts.push(
			`${one.label}${one.owner === undefined || one.owner === null ? "" : ` of ${who(one.owner)}`}: ${one.value}${one.most ? ` of ${one.most}` : ""}.`,
		);
	const said = picture.width ? picture.said : picture.text;
	if (said) parts.push(said);
	return parts.join(" ");
}
