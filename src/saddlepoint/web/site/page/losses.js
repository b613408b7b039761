// What an action gives away at a stage where both players choose: algorithms/analysis/losses.py, with a simplex method
// of its own.

const TOLERANCE = 1e-9,
	NOISE = 1e-6,
	APART = 1e-3,
	NEARLY = 1e-12,
	MOST_STEPS = 5000;

/**
 * What every row gives away against the equilibrium strategy of the column player that punishes it most; x and y are an
 * equilibrium.
 * @param {number[][]} matrix
 * @param {number} value
 * @param {number[][]} equilibrium
 * @returns {number[]}
 */
export function rowLosses(matrix, value, [x, y]) {
	const extent = extentOf(matrix),
		columns = matrix[0].map((_, j) => j);
	// A column that gets less than the value against the row player's strategy is in no strategy of equilibrium.
	const playable = columns.filter(
		(j) => matrix.reduce((sum, row, i) => sum + x[i] * row[j], 0) <= value + NOISE * extent,
	);
	const most = matrix.map((row) => value - Math.min(...(playable.length ? playable : columns).map((j) => row[j])));
	const least = matrix.map((row) => value - row.reduce((sum, one, j) => sum + one * y[j], 0));
	const played = matrix.filter((_, i) => x[i] > NOISE).map((row) => playable.map((j) => (row[j] - value) / extent));
	const isOnly = isTheOnly(played);
	return matrix.map((_, i) => {
		if (most[i] <= NOISE * extent) return 0;
		return isOnly || most[i] - least[i] <= NOISE * extent ? told(least[i], extent) : rowLoss(matrix, value, i, extent);
	});
}

/**
 * The same of the columns, whose player minimises.
 * @type {typeof rowLosses}
 */
export const columnLosses = (matrix, value, [x, y]) =>
	rowLosses(
		matrix[0].map((_, j) => matrix.map((row) => -row[j])),
		-value,
		[y, x],
	);

/** @param {number[][]} matrix */
function extentOf(matrix) {
	const all = matrix.flat();
	return Math.max(...all) - Math.min(...all) || 1;
}

/** @type {(lost: number, extent: number) => number} */
const told = (lost, extent) => (lost > NOISE * extent ? lost : 0);

/**
 * Whether one strategy alone, of the columns of this system, makes all of its rows 0: its least singular value, with a
 * row of ones.
 * @param {number[][]} system
 */
function isTheOnly(system) {
	const columns = system[0]?.length ?? 0;
	if (!columns || system.length + 1 < columns) return false;
	const whole = [...system, Array(columns).fill(1)];
	const products = Array.from({ length: columns }, (_, j) =>
		Array.from({ length: columns }, (__, k) => whole.reduce((sum, row) => sum + row[j] * row[k], 0)),
	);
	return Math.sqrt(Math.max(0, leastEigenvalue(products))) >= APART;
}

/**
 * Of a symmetric matrix, by Jacobi's rotations.
 * @param {number[][]} a
 */
function leastEigenvalue(a) {
	const size = a.length;
	for (let sweep = 0; sweep < 60; sweep += 1) {
		let off = 0;
		for (let p = 0; p < size; p += 1) {
			for (let q = p + 1; q < size; q += 1) {
				off += a[p][q] ** 2;
				if (Math.abs(a[p][q]) < 1e-300) continue;
				const turn = (a[q][q] - a[p][p]) / (2 * a[p][q]),
					t = (turn < 0 ? -1 : 1) / (Math.abs(turn) + Math.hypot(turn, 1));
				const c = 1 / Math.hypot(t, 1),
					s = t * c;
				for (let k = 0; k < size; k += 1) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
				for (let k = 0; k < size; k += 1) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
			}
		}
		if (off < 1e-30) break;
	}
	return Math.min(...a.map((row, k) => row[k]));
}

/**
 * What one row gives away: the least that it gets against a strategy of equilibrium, one against which no row gets more
 * than the value.
 * @type {(matrix: number[][], value: number, row: number, extent: number) => number}
 */
function rowLoss(matrix, value, row, extent) {
	const scaled = matrix.map((one) => one.map((cell) => (cell - value) / extent));
	const least = leastOf(scaled[row], scaled, TOLERANCE);
	return least === null ? 0 : told(-least * extent, extent);
}

/**
 * The least of costs * y over the probabilities y with every row of `rows` * y at most `most`; null where there are
 * none.
 * @type {(costs: number[], rows: number[][], most: number) => number | null}
 */
function leastOf(costs, rows, most) {
	const m = rows.length,
		n = costs.length,
		width = n + m + 1; // y, what is left of each row, the sum of y, which begins at 1 too little
	const table = rows.map((row, i) => [...row, ...rows.map((_, k) => (k === i ? 1 : 0)), 0, most]);
	table.push([...costs.map(() => 1), ...rows.map(() => 0), 1, 1]);
	const basis = [...rows.map((_, i) => n + i), width - 1];
	const lacking = Array.from({ length: width + 1 }, (_, k) => (k === width - 1 ? 0 : -table[m][k]));
	const wanted = [...costs, ...rows.map(() => 0), 0, 0],
		goals = [lacking, wanted];
	if (!descended(table, basis, goals, n + m) || -lacking[width] > NOISE) return null;
	const left = basis.indexOf(width - 1),
		other = left < 0 ? -1 : table[left].findIndex((one, k) => k < n + m && Math.abs(one) > NEARLY);
	if (other >= 0) exchange(table, basis, goals, left, other); // it is 0, and must stay so
	return descended(table, basis, [wanted], n + m) ? -wanted[width] : null;
}

/**
 * Exchanges columns of the simplex table until the first of the goals has no better value: Bland's rule, which does not
 * go in circles.
 * @type {(table: number[][], basis: number[], goals: number[][], columns: number) => boolean}
 */
function descended(table, basis, goals, columns) {
	const [goal] = goals,
		last = goal.length - 1;
	for (let steps = 0; steps < MOST_STEPS; steps += 1) {
		const enters = goal.findIndex((one, k) => k < columns && one < -NEARLY);
		if (enters < 0) return true;
		let leaves = -1;
		table.forEach((row, i) => {
			if (row[enters] <= NEARLY) return;
			const apart = leaves < 0 ? -1 : row[last] / row[enters] - table[leaves][last] / table[leaves][enters];
			if (apart < 0 || (apart === 0 && basis[i] < basis[leaves])) leaves = i;
		});
		if (leaves < 0) return false;
		exchange(table, basis, goals, leaves, enters);
	}
	return false;
}

/** @type {(table: number[][], basis: number[], goals: number[][], leaves: number, enters: number) => void} */
function exchange(table, basis, goals, leaves, enters) {
	const pivot = table[leaves][enters],
		own = table[leaves].map((one) => one / pivot);
	table[leaves] = own;
	for (const row of [...table.filter((_, i) => i !== leaves), ...goals]) {
		const times = row[enters];
		if (times)
			own.forEach((one, k) => {
				row[k] -= times * one;
			});
	}
	basis[leaves] = enters;
}
