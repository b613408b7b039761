// What a proof leaves of the values of alternatives that were searched less deep than it (algorithms/analysis/proven.py
// says the same).

/**
 * The message of the alternatives beside `proof`, the message of a search that has proven the position's value.
 * @param {AlternativesMessage} found
 * @param {SearchMessage} proof
 * @returns {AlternativesMessage}
 */
export function asProven(found, proof) {
	if (found.proven || !proof.exact) return found;
	const { value } = proof,
		shares = proof.strategies.map((mixture) => new Map(mixture.map(([action, , share]) => [action, share])));
	const told = {
		search: proof.search,
		value,
		proven: true,
		finished: proof.depth,
		line: proof.line,
		line_actions: proof.line_actions,
		lines: [],
	};
	if (found.rows) {
		const mixtures = [found.rows, found.columns].map((actions, player) =>
			actions.map(([action]) => shares[player].get(action) ?? 0),
		);
		const values = found.values.map((row, i) =>
			row.map((one, j) => (mixtures[0][i] * mixtures[1][j] === 1 ? value : found.exact[i][j] ? one : null)),
		);
		return { ...found, ...told, mixtures, values, exact: values.map((row) => row.map((one) => one !== null)) };
	}
	const chosen = shares[found.player] ?? new Map();
	/** @type {MovesMessage["moves"]} */
	const moves = found.moves.map(([action, name, one], k) => [
		action,
		name,
		chosen.get(action) === 1 ? value : found.exact[k] ? one : null,
	]);
	return { ...found, ...told, moves, exact: moves.map(([, , one]) => one !== null) };
}
