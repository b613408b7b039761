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
		this.open();
	}

	open() {
		this.channel = tableChannel({
			onOpen: () => {
				this.wait = FIRST_WAIT;
				this.onAway(false);
				this.channel.send({ do: "open", key: this.key });
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

	/** @param {TableSent} message */
	send(message) {
		if (this.channel.isOpen) this.channel.send(message);
	}

	close() {
		this.closed = true;
		clearTimeout(this.retry);
		this.channel.close();
	}
}
