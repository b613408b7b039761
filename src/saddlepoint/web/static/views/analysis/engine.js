// The channel of the analysis: several searches on it, told apart by their numbers.

import { analysisChannel } from "../../api.js";

/** @typedef {(message: EngineMessage) => void} Listener */

export class Engine {
	/**
	 * `onState(text)` is told "" when the server can be reached, else what is wrong.
	 * @param {(text: string) => void} onState
	 */
	constructor(onState) {
		/** @type {Map<number, Listener>} */
		this.listeners = new Map();
		/** @type {Map<number, SentRequest>} */
		this.asked = new Map();
		this.last = 0;
		this.channel = analysisChannel({
			onOpen: () => {
				for (const request of this.asked.values()) this.channel.send(request);
			},
			onMessage: (message) => this.hear(message),
			onAway: (away) => onState(away ? "The server does not answer; the page tries again." : ""),
		});
	}

	/** @param {HeardMessage} message */
	hear(message) {
		const listener = this.listeners.get(message.id);
		if (message.kind === "done" || message.kind === "error") this.forget(message.id);
		listener?.(message);
	}

	/**
	 * Starts what `request` asks for; returns its number.
	 * @param {EngineRequest} request
	 * @param {Listener} listener
	 */
	ask(request, listener) {
		const id = ++this.last;
		const whole = { id, ...request };
		this.listeners.set(id, listener);
		this.asked.set(id, whole);
		if (this.channel.isOpen) this.channel.send(whole);
		return id;
	}

	/**
	 * Ends it; what is still on its way is not heard.
	 * @param {number} id
	 */
	stop(id) {
		if (!this.asked.has(id)) return;
		this.forget(id);
		if (this.channel.isOpen) this.channel.send({ id, do: "stop" });
	}

	/** @param {number} id */
	forget(id) {
		this.listeners.delete(id);
		this.asked.delete(id);
	}

	close() {
		this.channel.close();
	}
}
