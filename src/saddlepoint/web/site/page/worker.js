// The engine behind the page, in a worker: answers requests of the interface, or runs one analysis or review.
import { analyse } from "./analysis.js";
import { Refused } from "./known.js";
import { answers } from "./requests.js";

/** @type {(event: { data: { id: number, path: string, body?: string, message?: SentRequest, part: string } }) => Promise<void>} */
onmessage = async ({ data: { id, path, body, message, part } }) => {
	/** @type {WorkerAnswer} */
	let answer;
	try {
		if (message) {
			answer = { status: 200, body: await analyse(message, part, (told) => postMessage({ id, told })) };
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
};
