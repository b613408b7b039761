// The texts of a game whose own cannot be told without Python: positions are the words of its states, moves are
// numbers.

/** @type {(words: State) => string} */
const hex = (words) => Array.from(words, (word) => word.toString(16)).join(" ");

/**
 * @param {EngineGame} host
 * @returns {Texts}
 */
export function makeTexts(host) {
	/** @type {(words: State) => Move[]} */
	const moves = (words) =>
		host
			.toAct(words)
			.flatMap((player) => host.legal(words, player).map((action) => ({ player, action, name: String(action) })));
	const picture = (/** @type {State} */ words) => /** @type {Picture} */ ({ text: hex(words), moves: moves(words) });
	const isOver = (/** @type {State[]} */ states) => host.node(states[states.length - 1]) === -4;
	return {
		picture,
		pictures: (states, from) => states.slice(from).map(picture),
		actionName: (words, player, action) => String(action),
		outcomeName: (words, outcome) => `outcome ${outcome}`,
		text: hex,
		render: hex,
		fromText(text) {
			// any other numbers may be no position at all, and rules do not look
			if (text.trim() !== hex(host.start())) throw Error("of this game only the start can be read here");
			return host.start();
		},
		endings: (states) => (isOver(states) ? { players: [null, null], why: "" } : null),
		reasons: () => [],
		images: () => [],
		slowly: () => [false, false],
		turns: (states) => ({
			word: host.about.turn_based ? "move" : "round",
			done: states.map((_, k) => states.slice(0, k).filter((one) => host.node(one) !== -1).length),
		}),
	};
}
