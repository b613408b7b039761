// A matrix game of a few numbers, solved exactly: in fractions of whole numbers, by the simplex method.
const MatrixGame = (() => {
  /** A number as a fraction [numerator, denominator] of whole numbers, or null where the text is none: -1, 0.25, 1/3. */
  function read(text) {
    const found = /^\s*([-+\u2212]?)(?:(\d{1,6})(?:[.,](\d{1,6}))?|(\d{1,6})\/(\d{1,6}))\s*$/.exec(text);
    if (!found) return null;
    const [, sign, whole, decimals = "", over, under] = found;
    const [top, bottom] = over ? [BigInt(over), BigInt(under)] : [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
    return bottom === 0n ? null : [sign && sign !== "+" ? -top : top, bottom];
  }

  function gcd(a, b) {
    return b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b);
  }

  function fraction(top, bottom) {
    const divisor = gcd(top, bottom) * (bottom < 0n ? -1n : 1n);
    return [top / divisor, bottom / divisor];
  }

  /**
   * Value and an equilibrium of a matrix of fractions: the row player maximises.
   *
   * With all entries positive, the largest sum of y with A y <= 1, y >= 0 is one over the value; y, and x from the same tableau,
   * are the strategies times that sum (Dantzig 1951). Pivots keep whole numbers (Edmonds 1967); they follow Bland's rule (1977), so
   * none comes twice.
   */
  function solve(matrix) {
    const scale = matrix.flat().reduce((least, [, bottom]) => (least / gcd(least, bottom)) * bottom, 1n);
    const whole = matrix.map((row) => row.map(([top, bottom]) => top * (scale / bottom)));
    const pure = saddle(whole, scale);
    if (pure) return pure;
    const shift = 1n - whole.flat().reduce((least, entry) => (entry < least ? entry : least));
    const m = whole.length, n = whole[0].length, last = m + n;
    // Columns: the n entries of y, a slack for each row, the right side. The last line is what is maximised, negated.
    const lines = whole.map((row, i) => [...row.map((entry) => entry + shift), ...unit(m, i), 1n]);
    lines.push([...Array(n).fill(-1n), ...Array(m + 1).fill(0n)]);
    const basis = whole.map((_, i) => n + i);
    let before = 1n;
    for (;;) {
      const column = lines[m].findIndex((entry, j) => j < last && entry < 0n);
      if (column < 0) break;
      let row = -1;
      for (let i = 0; i < m; i++) {
        if (lines[i][column] <= 0n) continue;
        const less = row < 0 ? -1n : lines[i][last] * lines[row][column] - lines[row][last] * lines[i][column];
        if (less < 0n || (less === 0n && basis[i] < basis[row])) row = i;
      }
      const pivot = lines[row][column];
      for (let i = 0; i <= m; i++) {
        if (i === row) continue;
        const factor = lines[i][column];
        lines[i] = lines[i].map((entry, j) => (entry * pivot - factor * lines[row][j]) / before);
      }
      before = pivot;
      basis[row] = column;
    }
    const sum = lines[m][last];
    const columns = Array.from({ length: n }, (_, j) => {
      const i = basis.indexOf(j);
      return fraction(i < 0 ? 0n : lines[i][last], sum);
    });
    const rows = Array.from({ length: m }, (_, i) => fraction(lines[m][n + i], sum));
    const [top, bottom] = fraction(before - shift * sum, sum * scale);
    return { value: [top, bottom], rows, columns };
  }

  /** A cell that is the least of its row and the largest of its column, where there is one. */
  function saddle(whole, scale) {
    for (const [i, row] of whole.entries()) {
      for (const [j, entry] of row.entries()) {
        if (row.some((other) => other < entry) || whole.some((other) => other[j] > entry)) continue;
        const chosen = (size, one) => unit(size, one).map((share) => [share, 1n]);
        return { value: fraction(entry, scale), rows: chosen(whole.length, i), columns: chosen(row.length, j) };
      }
    }
    return null;
  }

  function unit(size, one) {
    return Array.from({ length: size }, (_, i) => (i === one ? 1n : 0n));
  }

  /** The mean of fractions, by weights that are fractions. */
  function mean(weights, entries) {
    return weights.reduce(([top, bottom], [a, b], k) => {
      const [c, d] = entries[k];
      return fraction(top * b * d + a * c * bottom, bottom * b * d);
    }, [0n, 1n]);
  }

  /** 1/3 (0.333): the fraction where it is short, and the decimal number where that is not all. */
  function told([top, bottom]) {
    const exact = bottom === 1n ? `${top}` : `${top}/${bottom}`;
    const decimal = Number(top) / Number(bottom);
    if (bottom === 1n) return exact;
    return exact.length > 9 ? decimal.toFixed(3) : `${exact} (${decimal.toFixed(3)})`;
  }

  return { read, solve, mean, told };
})();
