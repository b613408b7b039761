// One zero-sum matrix game, by the library's own solver in the module of a game; what Python does around it
// (matrix/solve.py) stands here.

/** @typedef {{ value: number, x: number[], y: number[] }} Solution what the row player gets, and both players' strategies */

/**
 * The value and an equilibrium.
 * @param {EngineGame} host
 * @param {number[][]} matrix
 * @returns {Solution}
 */
export function solved(host, matrix) {
	const saddle = saddleOf(matrix),
		rows = matrix.length,
		columns = matrix[0].length;
	if (saddle) {
		/** @type {(size: number, place: number) => number[]} */
		const pure = (size, place) => Array.from({ length: size }, (_, k) => (k === place ? 1 : 0));
		return { value: matrix[saddle[0]][saddle[1]], x: pure(rows, saddle[0]), y: pure(columns, saddle[1]) };
	}
	const width = Math.max(rows, columns),
		size = workSize(rows, columns),
		unit = 2 ** exponentOf(Math.max(...matrix.flat().map(Math.abs)));
	const place = host.room(8 * (width * width + 2 * width + size));
	const [at, x, y, work] = [
		place,
		place + 8 * width * width,
		place + 8 * (width * width + width),
		place + 8 * (width * width + 2 * width),
	];
	const cells = new Float64Array(host.memory.buffer, at, width * width);
	matrix.forEach((row, i) =>
		row.forEach((one, j) => {
			cells[i * width + j] = one / unit;
		}),
	); // its tolerances are those of numbers near 1
	const value = host.code.stage_solver(...[at, width, rows, columns, x, y, work, size].map(BigInt)) * unit;
	const found = {
		value,
		x: [...new Float64Array(host.memory.buffer, x, rows)],
		y: [...new Float64Array(host.memory.buffer, y, columns)],
	};
	new Uint8Array(host.memory.buffer, place, host.free - place).fill(0);
	host.free = place; // what was asked for last is given back, as zeros
	return found;
}

/**
 * A pure saddle point, the first maximin row and the first minimax column; null where there is none.
 * @param {number[][]} matrix
 */
function saddleOf(matrix) {
	const worst = matrix.map((row) => Math.min(...row)),
		best = matrix[0].map((_, j) => Math.max(...matrix.map((row) => row[j])));
	const low = Math.max(...worst),
		high = Math.min(...best);
	return low === high ? [worst.indexOf(low), best.indexOf(high)] : null;
}

/**
 * The exponent of a number as a fraction from 1/2 to below 1 times a power of two: NumPy's `frexp`.
 * @param {number} number
 */
function exponentOf(number) {
	let exponent = number > 0 ? Math.floor(Math.log2(number)) + 1 : 0;
	if (number > 0 && number >= 2 ** exponent) exponent += 1;
	if (number > 0 && number < 2 ** (exponent - 1)) exponent -= 1;
	return exponent;
}

/**
 * Numbers that the solver works with: matrix/solve.py, work_size.
 * @type {(m: number, n: number) => number}
 */
const workSize = (m, n) => 2 + 2 * (m + 2) * (n + 2) + 4 * (m + n + 2);
