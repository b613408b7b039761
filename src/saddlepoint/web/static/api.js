// The engine's answers: whatever the page asks goes through this file (docs/page_interface.md has all of it), and from
// here to what stands
// behind the page (transport.js). That keeps nothing of a game: every request says the whole game, so one that failed
// is sent again.
import { channel, isServer, send } from "./transport.js";

export { isServer };

/** The server understood and said no; `message` is its sentence. */
export class Refused extends Error {
	/**
	 * @param {string} message
	 * @param {number} [status]
	 */
	constructor(message, status) {
		super(message);
		this.name = "Refused";
		this.status = status;
	}
}

const GONE = [502, 504]; // what a proxy says while the server does not answer it

/** @type {Set<(away: boolean) => void>} */
const listeners = new Set();
/** @type {Set<(wait: Wait | null) => void>} */
const preparing = new Set();
/** @type {Set<() => void>} */
const waiting = new Set();
let away = 0;

/**
 * Calls listener(true) when the server stops answering and listener(false) when it answers again. Returns an end to it.
 * @param {(away: boolean) => void} listener
 */
export function onConnection(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Those who wait to try again do it now. */
export function tryNow() {
	for (const wake of [...waiting]) wake();
}

/** @type {<Path extends string>(path: Path, options?: RequestOptions) => Promise<AnswerOf<Path>>} */
export const get = (path, options = {}) => request(path, { ...options, method: "GET" });
/** @type {<Path extends string>(path: Path, body: object | string, options?: RequestOptions) => Promise<AnswerOf<Path>>} */
export const post = (path, body, options = {}) => request(path, { ...options, method: "POST", body });

/** @type {Promise<Catalogue> | null} */
let known = null;

/** GET /api/catalogue, asked for once. */
export function catalogue() {
	known ??= get("/api/catalogue").catch((error) => {
		known = null;
		throw error;
	});
	return known;
}

/**
 * Calls listener({compiling, left}) while a request waits until something is compiled, and listener(null) afterwards.
 * @param {(wait: Wait | null) => void} listener
 */
export function onPreparing(listener) {
	preparing.add(listener);
	return () => preparing.delete(listener);
}

/**
 * Waits and tries again while the server does not answer, or is compiling what it needs (`onWait` is told, else the
 * page's bar).
 * kind: "json" (default) or "text" for the answer. Throws Refused for what the server refuses; null for 304.
 * @param {string} path
 * @param {RequestOptions & { method: string, body?: object | string }} options
 * @returns {Promise<any>}
 */
async function request(path, { method, body, signal, kind = "json", headers = {}, onWait = null }) {
	const text = typeof body === "string" || body instanceof Blob ? body : null;
	const options = {
		method,
		signal,
		headers:
			body === undefined ? headers : { "Content-Type": text === null ? "application/json" : "text/plain", ...headers },
		body: body === undefined ? body : (text ?? JSON.stringify(body)),
	};
	let missing = false;
	let told = false;
	const tell = (/** @type {Wait | null} */ wait) => {
		told = Boolean(wait);
		if (onWait) onWait(wait);
		else for (const listener of preparing) listener(wait);
	};
	try {
		for (let tries = 0; ; tries += 1) {
			let response;
			try {
				response = await send(path, options);
				if (GONE.includes(response.status)) throw Error(response.statusText);
				if (response.status === 304) return null;
				if (missing) {
					missing = false;
					changed(-1);
				}
				if (response.status === 202) {
					tell(await response.json());
					tries = 0;
					await pause(700, signal);
					continue;
				}
				if (response.ok) return kind === "text" ? await response.text() : await response.json();
				if (response.status !== 503) throw new Refused(await reason(response), response.status);
			} catch (error) {
				if (error instanceof Refused || error.name === "AbortError") throw error;
				if (!missing) {
					missing = true;
					changed(1);
				}
			}
			await pause(Math.min(500 * 1.5 ** tries, 4000), signal);
		}
	} finally {
		if (missing) changed(-1);
		if (told) tell(null);
	}
}

/** @param {number} by */
function changed(by) {
	const before = away > 0;
	away += by;
	if (before !== away > 0) for (const listener of listeners) listener(away > 0);
}

/** @param {SentAnswer} response */
async function reason(response) {
	try {
		return (await response.json()).error || response.statusText;
	} catch {
		return `The server says: ${response.status}.`;
	}
}

/**
 * @param {number} ms
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
	return new Promise((resolve, reject) => {
		const done = () => {
			clearTimeout(timer);
			waiting.delete(done);
			signal?.removeEventListener("abort", stop);
			resolve();
		};
		const stop = () => {
			done();
			reject(new DOMException("over", "AbortError"));
		};
		const timer = setTimeout(done, ms);
		waiting.add(done);
		if (signal?.aborted) stop();
		else signal?.addEventListener("abort", stop);
	});
}

const FIRST_WAIT = 500; // milliseconds before a channel is opened again, doubled at every failure
const LONGEST_WAIT = 8000;

/**
 * A channel for messages both ways, {isOpen, send(message), close()}, which opens again when the server comes back.
 * onAway(true) is called when it is lost, onAway(false) when it is there, and then onOpen().
 * @template Heard, Sent
 * @param {"/ws/analysis" | "/ws/table"} path
 * @param {LastingListener<Heard>} listener
 * @returns {Channel<Sent>}
 */
function lastingChannel(path, { onOpen, onMessage, onAway }) {
	/** @type {Channel<Sent>} */ let now;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ let retry;
	let wait = FIRST_WAIT;
	let closed = false;
	const open = () => {
		now = channel(path, {
			onOpen() {
				wait = FIRST_WAIT;
				onAway(false);
				onOpen();
			},
			onMessage(message) {
				if (!closed) onMessage(message);
			},
			onClose() {
				if (closed) return;
				onAway(true);
				retry = setTimeout(open, wait);
				wait = Math.min(2 * wait, LONGEST_WAIT);
			},
		});
	};
	open();
	return {
		get isOpen() {
			return now.isOpen;
		},
		send(message) {
			now.send(message);
		},
		close() {
			closed = true;
			clearTimeout(retry);
			now.close();
		},
	};
}

/** @type {(listener: LastingListener<HeardMessage>) => Channel<SentRequest>} */
export const analysisChannel = (listener) => lastingChannel("/ws/analysis", listener);

/**
 * Of a table or a room.
 * @type {(listener: LastingListener<TableHeard>) => Channel<TableSent>}
 */
export const tableChannel = (listener) => lastingChannel("/ws/table", listener);
