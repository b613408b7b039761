// The engine behind the page, in a worker: answers requests of the interface, or runs one analysis or review.
import { analyse } from "./analysis.js";
import { gameOf, Refused } from "./known.js";
import { answers } from "./requests.js";
import { solutionOf } from "./solution.js";
import { fromSolution, solvedAnswer } from "./solved.js";

const OPENING = new Set(["/api/new", "/api/from-text", "/api/positions"]);

/** @type {(event: { data: { id: number, path: string, body?: string, message?: SentRequest, part: string } }) => Promise<void>} */
onmessage = async ({ data: { id, path, body, message, part } }) => {
	/** @type {WorkerAnswer} */
	let answer;
	try {
		if (message) {
			const tell = (/** @type {EngineMessage} */ told) => postMessage({ id, told });
			answer = {
				status: 200,
				body: await (part === "solved" ? fromSolution(message, tell) : analyse(message, part, tell)),
			};
		} else if (part === "solved") {
			answer = { status: 200, body: await solvedAnswer(JSON.parse(body ?? "{}")) };
		} else {
			const [name, query] = path.split("?");
			const found = Object.hasOwn(answers, name) ? answers[/** @type {keyof typeof answers} */ (name)] : null;
			if (!found) throw new Refused("a page without a server does not have this", 404);
			answer = {
				status: 200,
				body: await found(name === "/api/replay" ? body : JSON.parse(body ?? "{}"), new URLSearchParams(query)),
			};
		}
	} catch (error) {
		if (!(error instanceof Refused)) console.warn(error);
		answer = {
			status: error.status ?? 500,
			body: {
				error:
					error instanceof Refused ? error.message : `this failed: ${String(error.message ?? error).split("\n")[0]}`,
			},
		};
	}
	postMessage({ id, ...answer });
	if (!message && answer.status < 400 && OPENING.has(path)) proof(JSON.parse(body ?? "{}").game);
};

/** The specs of games whose solution could not be loaded: what is said of it stays. */
const damaged = new Set();

/**
 * Loads the solution of a game that was opened, where it has one, and tells how that stands.
 * @param {string} spec
 */
async function proof(spec) {
	const game = await gameOf(spec),
		{ solution: about } = game.about;
	if (!about || damaged.has(spec)) return;
	const tell = (/** @type {Partial<ProofMessage>} */ standing) =>
		postMessage({ proof: { title: game.row.title, done: 0, ...about, ...standing } });
	if (!game.solution) tell({ state: "coming" });
	try {
		await solutionOf(game, (done) => tell({ state: "coming", done }));
		tell({ state: "ready" });
	} catch (error) {
		damaged.add(spec);
		tell({ state: "damaged", error: String(error.message) });
	}
}
