// The channel of one secret link.
import { tableChannel } from "../../api.js";

export class Line {
	/**
	 * @param {string} key
	 * @param {(message: TableHeard) => void} onMessage
	 * @param {(away: boolean) => void} onAway
	 */
	constructor(key, onMessage, onAway) {
		/** @type {TableSent | null} */
		this.unsent = null;
		this.channel = tableChannel({
			onOpen: () => {
				this.channel.send({ do: "open", key });
				if (this.unsent) this.channel.send(this.unsent);
				this.unsent = null;
			},
			onMessage,
			onAway,
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
		this.channel.close();
	}
}
