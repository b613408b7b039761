// The channel of one secret link; it opens again when the server comes back.
import { tableChannel } from "../../api.js";

const FIRST_WAIT = 500; // milliseconds before it is opened again, doubled at every failure
const LONGEST_WAIT = 8000;

export class Line {
	/** @type {Channel<TableSent>} */ channel;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ retry;

	/**
	 * @param {string} key
	 * @param {(message: TableHeard) => void} onMessage
	 * @param {(away: boolean) => void} onAway
	 */
	constructor(key, onMessage, onAway) {
		this.key = key;
		this.onMessage = onMessage;
		this.onAway = onAway;
		this.wait = FIRST_WAIT;
		this.closed = false;
		/** @type {TableSent | null} */
		this.unsent = null;
		this.open();
	}

	open() {
		this.channel = tableChannel({
			onOpen: () => {
				this.wait = FIRST_WAIT;
				this.onAway(false);
				this.channel.send({ do: "open", key: this.key });
				if (this.unsent) this.channel.send(this.unsent);
				this.unsent = null;
			},
			onMessage: (message) => {
				if (!this.closed) this.onMessage(message);
			},
			onClose: () => {
				if (this.closed) return;
				this.onAway(true);
				this.retry = setTimeout(() => this.open(), this.wait);
				this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
			},
		});
	}

	/**
	 * Sends a message, or the last one as soon as the server is back: a choice names its move, so it cannot come too late.
	 * @param {TableSent} message
	 */
	send(message) {
		if (this.channel.isOpen) this.channel.send(message);
		else this.unsent = message;
	}

	close() {
		this.closed = true;
		clearTimeout(this.retry);
		this.channel.close();
	}
}
