// Who sits where: a person, a level of strength, or a player of the catalogue with its time or nodes.
// As text, for addresses: "you", "level:club", "by:best@0.5s", "by:best@2000n".
import { post } from "./api.js";
import { COLOURS } from "./game.js";
import { refToParams } from "./state.js";

/**
 * @param {string | null} text
 * @returns {Seat}
 */
export function parseSeat(text) {
	if (!text || text === "you") return { kind: "you" };
	if (text.startsWith("level:")) return { kind: "level", level: text.slice(6) };
	const match = /^by:(.*?)(?:@([\d.]+)([sn]))?$/s.exec(text);
	if (!match) return { kind: "you" };
	/** @type {Extract<Seat, { kind: "by" }>} */
	const seat = { kind: "by", by: match[1] };
	if (match[3] === "s") seat.seconds = Number(match[2]);
	if (match[3] === "n") seat.nodes = Number(match[2]);
	return seat;
}

/** @param {Seat} seat */
export function seatText(seat) {
	if (seat.kind === "level") return `level:${seat.level}`;
	if (seat.kind === "you") return "you";
	const budget = seat.nodes ? `@${seat.nodes}n` : seat.seconds ? `@${seat.seconds}s` : "";
	return `by:${seat.by}${budget}`;
}

/**
 * What says a game and who plays it in an address: refToParams with `a` and `b`.
 * @param {GameRef} ref
 * @param {Seat[]} seats
 */
export function tableParams(ref, seats) {
	const params = refToParams(ref);
	seats.forEach((seat, player) => params.set("ab"[player], seatText(seat)));
	return params;
}

/**
 * "my_game" as "My game".
 * @type {(text: string) => string}
 */
export const words = (text) => (text.charAt(0).toUpperCase() + text.slice(1)).replaceAll("_", " ");

/**
 * A level as people read it; the last one plays as the player `best`, and beside it is not called by the same word.
 * @type {(name: string) => string}
 */
export const levelWords = (name) => (name === "best" ? "Strongest" : words(name));

/**
 * What the two are called on the page.
 * @param {Seat[]} seats
 * @param {CatalogueGame} entry
 */
export function seatNames(seats, entry) {
	const persons = seats.filter((seat) => seat.kind === "you").length;
	const names = seats.map((seat, player) => {
		if (seat.kind === "you") return persons === 2 ? COLOURS[player] : "You";
		if (seat.kind === "level") return levelWords(levelOf(seat, entry)?.name ?? seat.level);
		return words(entry?.players.find((player) => player.spec === seat.by)?.name ?? seat.by);
	});
	return names[0] === names[1] ? names.map((name, player) => `${name} (${COLOURS[player].toLowerCase()})`) : names;
}

/**
 * How a seat is written, with its time or nodes a move; nothing of a person.
 * @param {Seat} seat
 * @param {CatalogueGame} entry
 */
export function seatSpec(seat, entry) {
	if (seat.kind === "you") return "";
	/** @type {Partial<Level>} */
	const { spec, nodes, seconds } =
		seat.kind === "level" ? (levelOf(seat, entry) ?? {}) : { spec: seat.by, nodes: seat.nodes, seconds: seat.seconds };
	const budget = nodes ? `${nodes.toLocaleString("en")} nodes a move` : seconds ? `${seconds} s a move` : "";
	return [spec, budget].filter(Boolean).join(", ");
}

/** @type {(seat: Extract<Seat, { kind: "level" }>, entry: CatalogueGame) => Level | undefined} */
const levelOf = (seat, entry) => entry?.levels.find((level) => level.name === seat.level);

/**
 * The answer of a seat, which is no person's, in a game's last position: POST /api/answer.
 * @param {Seat} seat
 * @param {number} player
 * @param {GameRef} ref
 * @param {CatalogueGame} entry
 * @param {RequestOptions} options
 */
export function ask(seat, player, ref, entry, options) {
	/** @type {GameRef & { player: number, level?: string, by?: string, nodes?: number, seconds?: number }} */
	const body = { ...ref, player };
	if (seat.kind === "level") {
		body.level = seat.level;
		const level = levelOf(seat, entry);
		if (level?.spec) body.by = level.spec;
	} else if (seat.kind === "by") {
		body.by = seat.by;
		if (seat.nodes) body.nodes = seat.nodes;
		else if (seat.seconds) body.seconds = seat.seconds;
	}
	return post("/api/answer", body, options);
}

/**
 * The level that a new user meets: "club", or the one in the middle.
 * @param {CatalogueGame} entry
 * @returns {string | undefined}
 */
export function usualLevel(entry) {
	const names = entry.levels.map((level) => level.name);
	return names.find((name) => name.toLowerCase() === "club") ?? names[Math.floor(names.length / 2)];
}

/**
 * The seat against which a game is played when nothing was chosen.
 * @param {CatalogueGame} entry
 * @returns {Seat}
 */
export function usualSeat(entry) {
	const level = usualLevel(entry);
	return level ? { kind: "level", level } : { kind: "by", by: entry.players[0]?.spec ?? "random" };
}

/**
 * The strongest level of a game: the last one of its list.
 * @param {CatalogueGame} entry
 * @returns {Seat}
 */
export function strongestSeat(entry) {
	const level = entry.levels.at(-1);
	return level ? { kind: "level", level: level.name } : usualSeat(entry);
}

/**
 * What is said of a game that the catalogue does not have.
 * @type {(spec: string) => string}
 */
export const noSuchGame = (spec) =>
	`This page has no game ${spec}. It has those on its first page; one of your own is given when it is started: saddlepoint serve --game ./FILE.py:CLASS`;

/**
 * The game's entry in the catalogue: by its whole spec, else by its name.
 * @param {Catalogue} catalogue
 * @param {string} spec
 */
export function entryOf(catalogue, spec) {
	const name = (/** @type {string} */ text) => text.split("(")[0];
	return (
		catalogue.games.find((game) => game.spec === spec) ??
		catalogue.games.find((game) => name(game.spec) === name(spec)) ??
		null
	);
}
