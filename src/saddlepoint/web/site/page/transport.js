// What stands behind the page that has no server: workers of this browser. It takes the place of static/transport.js.
//
// One worker knows the rules. Who thinks for a player has a worker of its own for either seat, so that it keeps its
// table; every analysis
// has one. A search cannot be talked to while it runs, so whoever changes its mind ends the worker.

import { asProven } from "../engine/proven.js";
import { catalogue, newWorker } from "./places.js";
import { showProof } from "./proof.js";

export const isServer = false;

/** A worker, with the questions that it has not answered yet. */
class Helper {
	constructor() {
		this.worker = newWorker();
		/** @type {Map<number, { resolve: (answer: WorkerAnswer) => void, onTold: ((told: EngineMessage) => void) | null }>} */
		this.asked = new Map();
		this.last = 0;
		this.game = ""; // that it thinks about
		this.worker.onmessage = ({ data }) => this.hear(data);
		this.worker.onerror = (event) => this.fail(event.message);
		this.worker.onmessageerror = () => this.fail("");
		this.isDead = false;
	}

	/** @param {WorkerAnswer & { id: number, told?: EngineMessage, proof?: ProofMessage }} heard */
	hear({ id, told, proof, ...answer }) {
		if (proof) {
			showProof(proof);
			return;
		}
		const one = this.asked.get(id);
		if (told) {
			one?.onTold?.(told);
			return;
		}
		this.asked.delete(id);
		one?.resolve(answer);
	}

	/**
	 * What went wrong is told to all who wait; whoever asks next needs another worker.
	 * @param {string} why
	 */
	fail(why) {
		this.end();
		for (const one of this.asked.values())
			one.resolve({
				status: 500,
				body: { error: `The engine ended: ${why || "this browser gave it no memory, or cannot run it"}.` },
			});
		this.asked.clear();
	}

	/**
	 * @param {WorkerQuestion} question
	 * @param {((told: EngineMessage) => void) | null} [onTold]
	 * @returns {Promise<WorkerAnswer>}
	 */
	ask(question, onTold = null) {
		const id = ++this.last;
		return new Promise((resolve) => {
			this.asked.set(id, { resolve, onTold });
			this.worker.postMessage({ id, ...question });
		});
	}

	end() {
		this.isDead = true;
		this.worker.terminate();
	}
}

/** @type {Helper | null} */
let known = null;

/** The worker that knows the rules, and the solution of a solved game. */
function rules() {
	if (!known || known.isDead) known = new Helper();
	return known;
}

/** @type {(Helper | null)[]} */
const thinkers = [null, null];

/**
 * The answer of a path of the interface, as fetch gives it: status, ok, json(), text().
 * @param {string} path
 * @param {SentOptions} [options]
 * @returns {Promise<SentAnswer>}
 */
export async function send(path, { body, signal } = {}) {
	signal?.throwIfAborted();
	if (path === "/api/catalogue") return catalogue(signal);
	const question = { path, body: await textOf(body) };
	if (path !== "/api/answer") return until(rules().ask(question), signal);
	const solved = await until(rules().ask({ ...question, part: "solved" }), signal);
	if ((await solved.json()) !== null) return solved;
	const { player, game } = JSON.parse(question.body ?? "{}"),
		seat = player === 1 ? 1 : 0;
	const before = thinkers[seat];
	if (before?.game !== game) before?.fail("another game is asked about"); // its table goes with it
	const thinker = !before || before.isDead ? new Helper() : before;
	thinker.game = game;
	thinkers[seat] = thinker;
	const over = () => thinker.end();
	signal?.addEventListener("abort", over);
	try {
		return await until(thinker.ask(question), signal);
	} finally {
		signal?.removeEventListener("abort", over);
	}
}

/** @type {(body: string | Blob | undefined) => Promise<string | undefined>} */
const textOf = async (body) => (body instanceof Blob ? body.text() : body);

/**
 * @param {Promise<WorkerAnswer>} answer
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<SentAnswer>}
 */
async function until(answer, signal) {
	/** @type {Promise<never>} */
	const over = new Promise((_, reject) =>
		signal?.addEventListener("abort", () => reject(new DOMException("over", "AbortError")), { once: true }),
	);
	const { status, body } = await (signal ? Promise.race([answer, over]) : answer);
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return { status, ok: status < 400, json: async () => JSON.parse(text), text: async () => text };
}

/**
 * An analysis: of a solved game by the worker that knows the rules; else a worker that searches the position, and where
 * it is wanted one that searches its alternatives; or a worker that reviews a game.
 */
class Analysis {
	/**
	 * @param {SentRequest} message
	 * @param {(told: EngineMessage) => void} tell
	 */
	constructor(message, tell) {
		this.tell = tell;
		this.proof = /** @type {SearchMessage | null} */ (null);
		this.alternatives = /** @type {AlternativesMessage | null} */ (null);
		this.helpers = /** @type {Helper[]} */ ([]);
		this.isOver = false;
		this.over = rules()
			.ask({ message, part: "solved" }, tell)
			.then((solved) => (solved.body === null && !this.isOver ? this.search(message) : solved));
	}

	/**
	 * @param {SentRequest} message
	 * @returns {Promise<WorkerAnswer>}
	 */
	async search(message) {
		const parts = message.do === "analyse" && message.alternatives === true ? ["search", "alternatives"] : ["search"];
		this.helpers = parts.map(() => new Helper());
		const told = parts.map((part, k) => this.helpers[k].ask({ message, part }, (one) => this.hear(one)));
		const [first, second] = await Promise.all(told);
		return first.status >= 400 || !second || second.status < 400 ? first : second;
	}

	/** @param {EngineMessage} told */
	hear(told) {
		if (told.kind === "alternatives") this.alternatives = told;
		else {
			this.tell(told);
			if (told.kind !== "search" || !told.exact) return;
			this.proof = told;
		}
		if (this.alternatives) this.tell(this.proof ? asProven(this.alternatives, this.proof) : this.alternatives);
	}

	end() {
		this.isOver = true;
		for (const helper of this.helpers) helper.end();
	}
}

/**
 * The channel of the analysis. A page that nobody sees stops, and goes on when it is seen again.
 * @param {string} _path
 * @param {ChannelListener<any>} listener
 * @returns {Channel<any>}
 */
export function channel(_path, { onOpen, onMessage, onClose }) {
	/** @type {Map<number, Analysis>} */
	const running = new Map();
	let isOpen = false,
		closed = false;
	const stop = (/** @type {number} */ id) => {
		running.get(id)?.end();
		running.delete(id);
	};
	const stopAll = () => {
		for (const id of [...running.keys()]) stop(id);
	};
	const open = () => {
		if (!closed && !document.hidden) {
			isOpen = true;
			onOpen();
		}
	};
	const seen = () => {
		if (document.hidden) {
			isOpen = false;
			stopAll();
		} else if (!isOpen) open();
	};
	document.addEventListener("visibilitychange", seen);
	queueMicrotask(open);
	return {
		get isOpen() {
			return isOpen;
		},
		send(message) {
			const { id } = message;
			stop(id);
			if (message.do === "stop") {
				onMessage({ id, kind: "done", reason: "stopped" });
				return;
			}
			const one = new Analysis(message, (told) => {
				if (running.get(id) === one) onMessage({ id, ...told });
			});
			running.set(id, one);
			one.over.then(({ status, body }) => {
				if (running.get(id) !== one) return;
				stop(id);
				onMessage({ id, ...(status < 400 ? { kind: "done", ...body } : { kind: "error", error: body.error }) });
			});
		},
		close() {
			closed = true;
			isOpen = false;
			stopAll();
			document.removeEventListener("visibilitychange", seen);
			onClose();
		},
	};
}
