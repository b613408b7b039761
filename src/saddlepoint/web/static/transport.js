// What stands behind the page: here the server of `saddlepoint serve`. A page without a server has another file in the
// place of this one.

export const isServer = true;

/** @type {(path: string) => string} */
const address = (path) => new URL(`..${path}`, import.meta.url).href; // the page may lie below a path

/**
 * The answer of a path of the interface, as fetch gives it.
 * @type {(path: string, options: SentOptions) => Promise<SentAnswer>}
 */
export const send = (path, options) => fetch(address(path), options);

/**
 * A channel: of the analysis, or of a table.
 * @template Heard, Sent
 * @param {"/ws/analysis" | "/ws/table"} path
 * @param {ChannelListener<Heard>} listener
 * @returns {Channel<Sent>}
 */
export function channel(path, { onOpen, onMessage, onClose }) {
	const socket = new WebSocket(address(path).replace(/^http/, "ws"));
	socket.onopen = onOpen;
	socket.onmessage = (event) => onMessage(JSON.parse(event.data));
	socket.onclose = onClose;
	return {
		get isOpen() {
			return socket.readyState === WebSocket.OPEN;
		},
		send(message) {
			socket.send(JSON.stringify(message));
		},
		close() {
			socket.close();
		},
	};
}
