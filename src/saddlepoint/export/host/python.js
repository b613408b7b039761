// What translated Python needs when it runs (export/translating): Python's numbers, texts and collections, compared by
// value.
// An int is a BigInt, a float a Number, None null; a list is an array, a tuple an array of the class Tuple. An unsigned
// word of 64
// bits is a Word: it wraps around where an int does not. Attributes of objects begin with `$`, so that none meets
// JavaScript's own.

const python = (() => {
	"use strict";

	/** @typedef {any} Value of Python's */
	/** @typedef {any} Kind a class of Python's: a function with what Python knows of it */

	// -- errors
	// ----------------------------------------------------------------------------------------------------------------

	/** A class of errors, called without `new`, as all classes here. */
	function error(name, base) {
		function made(...args) {
			const one = new Error(args.length ? (name === "KeyError" ? repr(args[0]) : str(args[0])) : "");
			return Object.setPrototypeOf(Object.assign(one, { name, $args: tuple(args) }), made.prototype);
		}
		made.prototype = Object.create(base ? base.prototype : Error.prototype);
		made.$__name__ = name;
		made.isClass = true;
		return made;
	}
	const Exception = error("Exception"),
		ValueError = error("ValueError", Exception),
		LookupError = error("LookupError", Exception);
	const IndexError = error("IndexError", LookupError),
		KeyError = error("KeyError", LookupError);
	const PyTypeError = error("TypeError", Exception),
		ArithmeticError = error("ArithmeticError", Exception);
	const OverflowError = error("OverflowError", ArithmeticError),
		ZeroDivisionError = error("ZeroDivisionError", ArithmeticError);
	const SyntaxError_ = error("SyntaxError", Exception),
		RecursionError = error("RecursionError", Exception);
	const MemoryError = error("MemoryError", Exception);
	const AssertionError = error("AssertionError", Exception),
		StopIteration = error("StopIteration", Exception);
	const AttributeError = error("AttributeError", Exception);

	/** Whether `except kinds` takes an error; those that JavaScript raises itself have their like in Python. */
	function caught(one, ...kinds) {
		return kinds.some(
			(kind) =>
				one instanceof kind ||
				(kind === Exception && one instanceof Error) ||
				((kind === PyTypeError || kind === AttributeError) && one instanceof TypeError) ||
				(kind === RecursionError && one instanceof RangeError),
		);
	}
	const raised = (one) => (typeof one === "function" ? one() : one);
	/** @returns {never} */
	function fail(kind, words) {
		throw kind(words);
	}
	/** @type {(what: string, ...values: Value[]) => never} */
	const unfit = (what, ...values) =>
		fail(PyTypeError, `unsupported operand type(s) for ${what}: ${values.map(kindOf).join(" and ")}`);

	// -- numbers
	// ---------------------------------------------------------------------------------------------------------------

	const ONES = (1n << 64n) - 1n,
		MOST_SHIFTED = 1n << 20n;
	class Word {
		constructor(value) {
			this.value = value;
		}
	}
	const word = (value) => new Word(BigInt.asUintN(64, value));
	/** A number without its kind: what JavaScript computes with. */
	const raw = (x) => (x instanceof Word ? x.value : x === true ? 1n : x === false ? 0n : x);
	const isNumber = (x) => typeof x === "bigint" || typeof x === "number" || typeof x === "boolean" || x instanceof Word;
	const isInt = (x) => isNumber(x) && typeof x !== "number";

	/** An operation on numbers: `ints` of two BigInts, `floats` of two Numbers, `others` of what is no number. */
	function operation(sign, ints, floats, others) {
		return (a, b) => {
			if (typeof a === "bigint" && typeof b === "bigint") return ints(a, b);
			if (!isNumber(a) || !isNumber(b)) return others ? others(a, b) : unfit(sign, a, b);
			const one = raw(a),
				other = raw(b);
			if (typeof one === "number" || typeof other === "number")
				return floats ? floats(Number(one), Number(other)) : unfit(sign, a, b);
			const found = ints(one, other);
			return (a instanceof Word || b instanceof Word) && typeof found === "bigint" ? word(found) : found;
		};
	}
	const divided = (a, b) => (b ? a / b : fail(ZeroDivisionError, "division by zero"));
	/** @param {bigint} a @param {bigint} b */
	function floored(a, b) {
		if (!b) fail(ZeroDivisionError, "integer division or modulo by zero");
		const found = a / b;
		return a % b && a < 0n !== b < 0n ? found - 1n : found;
	}
	function remainder(a, b) {
		if (!b) fail(ZeroDivisionError, "integer modulo by zero");
		const rest = a % b;
		return rest && rest < 0 !== b < 0 ? rest + b : rest;
	}
	function shift(a, b) {
		if (b < 0n) fail(ValueError, "negative shift count");
		return a && b > MOST_SHIFTED ? fail(OverflowError, "too many digits in integer") : a << (a ? b : 0n);
	}
	const shiftedDown = (a, b) => (b < 0n ? fail(ValueError, "negative shift count") : a >> b);
	function repeated(list, count) {
		if (typeof list !== "string" && !Array.isArray(list)) [list, count] = [count, list];
		if ((typeof list !== "string" && !Array.isArray(list)) || !isInt(count)) return unfit("*", list, count);
		const times = Math.max(0, Number(raw(count)));
		if (times * list.length > 1e7) fail(OverflowError, "too long");
		return typeof list === "string" ? list.repeat(times) : like(list, Array.from({ length: times }, () => list).flat());
	}
	function joined(a, b) {
		if (typeof a === "string" && typeof b === "string") return a + b;
		if (Array.isArray(a) && Array.isArray(b) && isTuple(a) === isTuple(b))
			return isTuple(a) ? tuple([...a, ...b]) : [...a, ...b];
		return unfit("+", a, b);
	}
	const add = operation(
		"+",
		(a, b) => a + b,
		(a, b) => a + b,
		joined,
	);
	const sub = operation(
		"-",
		(a, b) => a - b,
		(a, b) => a - b,
		(a, b) => (a instanceof PySet ? without(a, b) : unfit("-", a, b)),
	);
	const mul = operation(
		"*",
		(a, b) => a * b,
		(a, b) => a * b,
		repeated,
	);
	const div = operation("/", (a, b) => divided(Number(a), Number(b)), divided);
	const floordiv = operation("//", floored, (a, b) => Math.floor(divided(a, b)));
	const mod = operation("%", remainder, remainder);
	const shl = operation("<<", shift);
	const shr = operation(">>", shiftedDown);
	const power = operation(
		"**",
		(a, b) => (b < 0n ? Number(a) ** Number(b) : a ** b),
		(a, b) => a ** b,
	);
	/** Of two bools a bool; of sets what they have together, either or one. */
	function bits(sign, ints, sets) {
		const numbers = operation(sign, ints, null, (a, b) => (sets ? sets(a, b) : unfit(sign, a, b)));
		return (a, b) => (typeof a === "boolean" && typeof b === "boolean" ? Boolean(ints(raw(a), raw(b))) : numbers(a, b));
	}
	const and = bits(
		"&",
		(a, b) => a & b,
		(a, b) => (a instanceof PySet ? set([...a].filter((x) => has(b, x))) : unfit("&", a, b)),
	);
	const or = bits(
		"|",
		(a, b) => a | b,
		(a, b) => (a instanceof PySet ? set([...a, ...b]) : a instanceof Dict ? dict(a, b) : unfit("|", a, b)),
	);
	const xor = bits(
		"^",
		(a, b) => a ^ b,
		(a, b) => (a instanceof PySet ? set([...without(a, b), ...without(b, a)]) : unfit("^", a, b)),
	);
	const neg = (a) => (a instanceof Word ? word(-a.value) : isNumber(a) ? -raw(a) : unfit("-", a));
	const pos = (a) => (a instanceof Word ? a : isNumber(a) ? raw(a) : unfit("+", a));
	const inv = (a) => (a instanceof Word ? word(~a.value) : isInt(a) ? ~raw(a) : unfit("~", a));
	const abs = (a) => (raw(a) < 0 ? neg(a) : pos(a));
	const divmod = (a, b) => tuple([floordiv(a, b), mod(a, b)]);
	/** `x += y`, which makes a list longer where it is. @param {Value} a @param {Value} b */
	function grown(a, b) {
		if (!Array.isArray(a) || isTuple(a)) return add(a, b);
		a.push(...iter(b));
		return a;
	}

	// -- comparisons
	// -----------------------------------------------------------------------------------------------------------

	/** The class of an object, with what Python knows of it. @type {(x: Value) => Kind} */
	const classOf = (x) => x.constructor;
	/** @returns {boolean} */
	function eq(a, b) {
		if (a === b) return true;
		if (isNumber(a)) return isNumber(b) && raw(a) == raw(b);
		if (Array.isArray(a))
			return Array.isArray(b) && isTuple(a) === isTuple(b) && a.length === b.length && a.every((x, k) => eq(x, b[k]));
		if (a instanceof Dict)
			return (
				b instanceof Dict &&
				a.map.size === b.map.size &&
				[...a.map].every(([k, [, v]]) => b.map.has(k) && eq(v, b.map.get(k)[1]))
			);
		if (a instanceof PySet) return b instanceof PySet && a.map.size === b.map.size && [...a].every((x) => has(b, x));
		if (a instanceof Range) return b instanceof Range && eq([...a], [...b]);
		return (
			a instanceof Obj &&
			a.constructor === b?.constructor &&
			Boolean(classOf(a).fields) &&
			classOf(a).fields.every((name) => eq(a[name], b[name]))
		);
	}
	const ne = (a, b) => !eq(a, b);
	const ASTRAL = /[\ud800-\udfff]/;
	function lt(a, b) {
		if (isNumber(a) && isNumber(b)) return raw(a) < raw(b);
		if (typeof a === "string" && typeof b === "string" && !ASTRAL.test(a + b)) return a < b;
		if (typeof a === "string" && typeof b === "string")
			return lt(
				Array.from(a, (x) => x.codePointAt(0)),
				Array.from(b, (x) => x.codePointAt(0)),
			);
		if (a instanceof PySet && b instanceof PySet) return a.map.size < b.map.size && [...a].every((x) => has(b, x));
		if (!Array.isArray(a) || !Array.isArray(b) || isTuple(a) !== isTuple(b))
			return fail(PyTypeError, `'<' not supported between instances of ${kindOf(a)} and ${kindOf(b)}`);
		const place = a.findIndex((x, k) => k >= b.length || !eq(x, b[k]));
		return place < 0 ? a.length < b.length : place < b.length && lt(a[place], b[place]);
	}
	const gt = (a, b) => lt(b, a);
	const le = (a, b) => (isNumber(a) && isNumber(b) ? raw(a) <= raw(b) : lt(a, b) || eq(a, b));
	const ge = (a, b) => le(b, a);
	function truth(x) {
		if (typeof x !== "object" || x === null) return Boolean(x);
		if (x instanceof Word) return x.value !== 0n;
		return Array.isArray(x) || x instanceof Dict || x instanceof PySet || x instanceof Range ? len(x) > 0n : true;
	}
	const both = (a, b) => (truth(a) ? b() : a);
	const either = (a, b) => (truth(a) ? a : b());

	// -- collections
	// -----------------------------------------------------------------------------------------------------------

	class Tuple extends Array {
		static get [Symbol.species]() {
			return Array;
		}
	}
	/** An array of NumPy's: nested arrays that are read by several numbers at once. */
	class Table extends Array {
		static get [Symbol.species]() {
			return Array;
		}
	}
	const tuple = (items) => Object.setPrototypeOf(items, Tuple.prototype);
	const t = (...items) => tuple(items);
	const table = (items) =>
		Object.setPrototypeOf(
			items.map((one) => (Array.isArray(one) ? table(one) : one)),
			Table.prototype,
		);
	/** @type {(x: Value) => boolean} */
	const isTuple = (x) => x instanceof Tuple;
	const like = (list, items) => (isTuple(list) ? tuple(items) : items);

	let named = 0;
	const numbers = new WeakMap();
	/** What a Map knows a value by: equal values have the same one. */
	function key(x) {
		if (typeof x === "string") return x[0] === "\0" ? `\0${x}` : x;
		if (isNumber(x)) return typeof x !== "number" ? raw(x) : Number.isInteger(x) ? BigInt(x) : x;
		if (x === null || typeof x === "function") return x;
		if (isTuple(x)) return `\0(${x.map(tag)}`;
		if (x instanceof PySet) return `\0{${[...x].map(tag).sort()}`;
		if (x instanceof Obj && classOf(x).fields)
			return `\0<${tag(x.constructor)}${classOf(x).fields.map((name) => tag(x[name]))}`;
		return x instanceof Obj || x instanceof Error ? x : fail(PyTypeError, `unhashable type: ${kindOf(x)}`);
	}
	function tag(x) {
		const found = key(x);
		if (typeof found === "string") return JSON.stringify(found);
		if (found === null || (typeof found !== "function" && typeof found !== "object")) return String(found);
		if (!numbers.has(found)) numbers.set(found, (named += 1));
		return `#${numbers.get(found)}`;
	}

	class Dict {
		constructor() {
			this.map = new Map();
			/** @type {Value} */
			this.missing = undefined;
		}
		*[Symbol.iterator]() {
			for (const [name] of this.map.values()) yield name;
		}
		get(x) {
			return this.map.get(key(x))?.[1];
		}
		put(x, value) {
			const place = key(x),
				old = this.map.get(place);
			if (old) old[1] = value;
			else this.map.set(place, [x, value]);
		}
	}
	class PySet {
		constructor() {
			this.map = new Map();
		}
		*[Symbol.iterator]() {
			yield* this.map.values();
		}
		add(x) {
			const place = key(x);
			if (!this.map.has(place)) this.map.set(place, x);
		}
	}
	class Range {
		/** @param {bigint} start @param {bigint} stop @param {bigint} step */
		constructor(start, stop, step) {
			this.start = start;
			this.stop = stop;
			this.step = step;
		}
		get size() {
			const { start, stop, step } = this;
			return step > 0n
				? stop > start
					? (stop - start - 1n) / step + 1n
					: 0n
				: start > stop
					? (start - stop - 1n) / -step + 1n
					: 0n;
		}
		*[Symbol.iterator]() {
			for (let k = 0n, at = this.start; k < this.size; k++, at += this.step) yield at;
		}
	}
	function range(...given) {
		const whole = given.map((one) => int(one));
		const [start, stop, step] = whole.length === 1 ? [0n, whole[0], 1n] : [...whole, 1n];
		return new Range(start, stop, step);
	}
	/** A dict of mappings and of lists of pairs. */
	function dict(...given) {
		const found = new Dict();
		for (const one of given) {
			if (one instanceof Dict) for (const [name, value] of one.map.values()) found.put(name, value);
			else if (isOptions(one)) for (const name of Object.keys(one)) found.put(name, one[name]);
			else for (const pair of iter(one)) found.put(...unpack(pair, 2));
		}
		return found;
	}
	/** @param {Value} items */
	function set(items = []) {
		const found = new PySet();
		for (const one of iter(items)) found.add(one);
		return found;
	}
	const without = (a, b) => set([...a].filter((x) => !has(b, x)));
	const list = (items = []) => [...iter(items)];
	const tupleOf = (items = []) => tuple([...iter(items)]);
	const iter = (x) =>
		x !== null && x !== undefined && x[Symbol.iterator] ? x : fail(PyTypeError, `${kindOf(x)} object is not iterable`);
	/** A text by its characters: JavaScript counts those beyond the first 65,536 twice. */
	const characters = (text) => (ASTRAL.test(text) ? [...text] : text);
	function len(x) {
		if (typeof x === "string") return BigInt(characters(x).length);
		if (Array.isArray(x)) return BigInt(x.length);
		if (x instanceof Dict || x instanceof PySet) return BigInt(x.map.size);
		return x instanceof Range ? x.size : fail(PyTypeError, `object of type ${kindOf(x)} has no len()`);
	}
	/** The items of what is taken apart into so many. */
	function unpack(x, count) {
		const items = Array.isArray(x) ? x : [...iter(x)];
		if (items.length !== count)
			fail(
				ValueError,
				items.length > count
					? `too many values to unpack (expected ${count})`
					: `not enough values to unpack (expected ${count}, got ${items.length})`,
			);
		return items;
	}
	/** The same with one of them a list of all between `before` and `after`. */
	function unpackStar(x, before, after) {
		const items = [...iter(x)],
			end = items.length - after;
		if (end < before)
			fail(ValueError, `not enough values to unpack (expected at least ${before + after}, got ${items.length})`);
		return [...items.slice(0, before), items.slice(before, end), ...items.slice(end)];
	}
	const isOptions = (x) => x !== null && typeof x === "object" && Object.getPrototypeOf(x) === Object.prototype;
	function split(given) {
		return isOptions(given[given.length - 1]) ? [given.slice(0, -1), given[given.length - 1]] : [given, {}];
	}

	const BEYOND = (x) => `${typeof x === "string" ? "string" : isTuple(x) ? "tuple" : "list"} index out of range`;
	function place(x, index, length) {
		if (!isInt(index)) fail(PyTypeError, `indices must be integers or slices, not ${kindOf(index)}`);
		const at = Number(raw(index)),
			from = at < 0 ? at + length : at;
		return from < 0 || from >= length ? fail(IndexError, BEYOND(x)) : from;
	}
	function at(x, index) {
		if (typeof x === "string") {
			const marks = characters(x);
			return marks[place(x, index, marks.length)];
		}
		if (x instanceof Table && isTuple(index)) return index.reduce(at, x);
		if (Array.isArray(x)) return x[place(x, index, x.length)];
		if (x instanceof Dict) {
			const found = x.map.get(key(index));
			return found ? found[1] : x.missing !== undefined ? x.missing : fail(KeyError, index);
		}
		if (x instanceof Found) return x.group(index);
		if (x instanceof Range) return x.start + x.step * BigInt(place([], index, Number(x.size)));
		return fail(PyTypeError, `${kindOf(x)} object is not subscriptable`);
	}
	/** @param {Value} x @param {Value} index @param {Value} value */
	function put(x, index, value) {
		if (x instanceof Dict) x.put(index, value);
		else if (Array.isArray(x) && !isTuple(x)) x[place(x, index, x.length)] = value;
		else fail(PyTypeError, `${kindOf(x)} object does not support item assignment`);
	}
	function del(x, index) {
		if (x instanceof Dict) {
			if (!x.map.delete(key(index))) fail(KeyError, index);
		} else x.splice(place(x, index, x.length), 1);
	}
	function slice(x, start, stop, step) {
		const all = typeof x === "string" ? characters(x) : Array.isArray(x) ? x : [...iter(x)],
			size = all.length,
			by = step === null ? 1 : Number(raw(step));
		if (!by) fail(ValueError, "slice step cannot be zero");
		const low = by > 0 ? 0 : -1,
			high = by > 0 ? size : size - 1;
		const bound = (given, usual) => {
			if (given === null) return usual;
			const from = Number(raw(given));
			return Math.min(Math.max(from < 0 ? from + size : from, low), high);
		};
		const from = bound(start, by > 0 ? low : high),
			to = bound(stop, by > 0 ? high : low),
			found = [];
		if (by === 1 && typeof all === "string") return all.slice(from, Math.max(from, to));
		for (let k = from; by > 0 ? k < to : k > to; k += by) found.push(all[k]);
		return typeof x === "string" ? found.join("") : like(x, found);
	}
	function has(x, value) {
		if (typeof x === "string")
			return typeof value === "string"
				? x.includes(value)
				: fail(PyTypeError, "'in <string>' requires string as left operand");
		if (x instanceof Dict || x instanceof PySet) return x.map.has(key(value));
		if (x instanceof Range && typeof value === "bigint") {
			const steps = (value - x.start) / x.step;
			return (value - x.start) % x.step === 0n && steps >= 0n && steps < x.size;
		}
		for (const one of iter(x)) if (eq(one, value)) return true;
		return false;
	}

	// -- functions of Python's
	// -------------------------------------------------------------------------------------------------

	const bool = (x = false) => truth(x);
	/** @param {Value} items @param {Value} start */
	function* enumerate(items, start = 0n) {
		let number = isOptions(start) ? start.start : start;
		for (const one of iter(items)) yield [number++, one];
	}
	function* zip(...given) {
		const [lists, options] = split(given),
			all = lists.map((one) => iter(one)[Symbol.iterator]());
		while (all.length) {
			const next = all.map((one) => one.next()),
				over = next.filter((one) => one.done).length;
			if (options.strict && over && over < all.length) fail(ValueError, "zip() has arguments of different lengths");
			if (over) return;
			yield tuple(next.map((one) => one.value));
		}
	}
	function* map(call, ...lists) {
		for (const items of zip(...lists)) yield call(...items);
	}
	function* filter(test, items) {
		for (const one of iter(items)) if (truth(test === null ? one : test(one))) yield one;
	}
	const reversed = (items) => [...iter(items)].reverse();
	/** @param {Value} items @param {{ key?: ((one: Value) => Value) | null, reverse?: boolean }} options */
	function sorted(items, { key: by = null, reverse = false } = {}) {
		const all = [...iter(items)].map((one) => [by ? by(one) : one, one]),
			sign = reverse ? -1 : 1;
		return all.sort(([a], [b]) => sign * (lt(a, b) ? -1 : lt(b, a) ? 1 : 0)).map(([, one]) => one);
	}
	function extreme(name, before) {
		return (...given) => {
			const [args, { key: by = (x) => x, default: usual }] = split(given),
				items = [...iter(args.length === 1 ? args[0] : args)];
			if (!items.length) return usual !== undefined ? usual : fail(ValueError, `${name}() iterable argument is empty`);
			return items.reduce((best, one) => (before(by(one), by(best)) ? one : best));
		};
	}
	const min = extreme("min", lt),
		max = extreme("max", gt);
	/** @type {(items: Value, start?: Value) => Value} */
	const sum = (items, start = 0n) => {
		let total = isOptions(start) ? start.start : start;
		for (const one of iter(items)) total = add(total, one);
		return total;
	};
	const any = (items) => {
		for (const one of iter(items)) if (truth(one)) return true;
		return false;
	};
	const all = (items) => {
		for (const one of iter(items)) if (!truth(one)) return false;
		return true;
	};
	function next(items, ...usual) {
		const found = items.next();
		return !found.done ? found.value : usual.length ? usual[0] : fail(StopIteration);
	}
	/** A list of what is made of each item that passes the test. */
	function each(items, make, test) {
		const found = [];
		for (const one of iter(items)) if (!test || test(one)) found.push(make(one));
		return found;
	}
	/** The same, each when it is asked for. */
	const lazy = (items, make, test) => lazily(iter(items), make, test);
	function* lazily(items, make, test) {
		for (const one of items) if (!test || test(one)) yield make(one);
	}
	const iterator = (items) => iter(items)[Symbol.iterator]();
	const fromkeys = (items, value = null) => dict([...iter(items)].map((one) => [one, value]));
	function reduce(call, items, ...first) {
		return [...first, ...iter(items)].reduce((a, b) => call(a, b));
	}
	function* combinations(items, count) {
		const all = [...iter(items)];
		const chosen = function* (from, left) {
			if (!left) {
				yield [];
				return;
			}
			for (let k = from; k <= all.length - left; k++)
				for (const rest of chosen(k + 1, left - 1)) yield [all[k], ...rest];
		};
		for (const one of chosen(0, Number(count))) yield tuple(one);
	}
	function* pairwise(items) {
		let before;
		for (const one of iter(items)) {
			if (before !== undefined) yield t(before, one);
			before = one;
		}
	}
	function* product(...given) {
		const [lists, { repeat = 1n }] = split(given),
			all = Array.from({ length: Number(repeat) }, () => lists)
				.flat()
				.map(list);
		const from = function* (k) {
			if (k === all.length) yield [];
			else for (const one of all[k]) for (const rest of from(k + 1)) yield [one, ...rest];
		};
		for (const one of from(0)) yield tuple(one);
	}
	/** @param {...Value} lists */
	function* chain(...lists) {
		for (const one of lists) yield* iter(one);
	}
	function counter(items) {
		const found = new Dict();
		for (const one of iter(items)) found.put(one, (found.get(one) ?? 0n) + 1n);
		found.missing = 0n;
		return found;
	}
	function isqrt(n) {
		if (n < 2n) return n;
		let root = 1n << BigInt((bitLength(n) + 1n) / 2n);
		for (let better = (root + n / root) / 2n; better < root; better = (root + n / root) / 2n) root = better;
		return root;
	}
	/** The sum of numbers as if nothing were rounded but the sum: that of all parts that rounding takes off. */
	function fsum(items) {
		const parts = [];
		for (const one of iter(items)) {
			let x = float(one),
				kept = 0;
			for (let y of parts) {
				if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
				const high = x + y,
					low = y - (high - x);
				if (low) parts[kept++] = low;
				x = high;
			}
			parts.splice(kept, Infinity, x);
		}
		let high = 0,
			low = 0;
		while (parts.length && !low) {
			const x = high,
				y = parts.pop();
			high = x + y;
			low = y - (high - x);
		}
		const rest = parts[parts.length - 1];
		// halfway, and more beyond it
		if (parts.length && low < 0 === rest < 0 && high + 2 * low - high === 2 * low) high += 2 * low;
		return high;
	}
	const seconds = () => performance.now() / 1000;
	function comb(n, k) {
		let found = 1n;
		for (let i = 0n; i < k; i++) found = (found * (n - i)) / (i + 1n);
		return k > n ? 0n : found;
	}
	const bitLength = (x) => {
		const size = (x < 0n ? -x : x).toString(2).length;
		return x ? BigInt(size) : 0n;
	};
	const bitCount = (x) => BigInt((x < 0n ? -x : x).toString(2).replaceAll("0", "").length);
	const chr = (number) => String.fromCodePoint(Number(number));
	const ord = (text) => BigInt(text.codePointAt(0));
	/** What is kept of a function without effects. */
	function kept(call) {
		const known = new Dict();
		return (...args) => {
			const asked = tuple(args),
				found = known.map.get(key(asked));
			if (found) return found[1];
			const value = call(...args);
			known.put(asked, value);
			return value;
		};
	}
	const uint64 = (x = 0n) => {
		const value = int(x);
		return value > ONES
			? fail(OverflowError, "Python int too large to convert to C long")
			: value < 0n
				? fail(OverflowError, `Python integer ${value} out of bounds for uint64`)
				: word(value);
	};
	const popcount = (x) => bitCount(int(x));
	const trailingZeros = (x) => {
		const value = int(x);
		return value ? bitLength(value & -value) - 1n : 64n;
	};
	function withItem(values, index, value) {
		const found = [...values];
		found[place(values, index, values.length)] = value;
		return tuple(found);
	}

	const KINDS = new Map();
	function kindOf(x) {
		if (x === null || x === undefined) return "NoneType";
		const kinds = { string: "str", bigint: "int", number: "float", boolean: "bool", function: "type" };
		return (
			kinds[typeof x] ??
			(isTuple(x) && x.constructor !== Tuple
				? classOf(x).$__name__
				: isTuple(x)
					? "tuple"
					: Array.isArray(x)
						? "list"
						: x instanceof Dict
							? "dict"
							: x instanceof PySet
								? "set"
								: x instanceof Range
									? "range"
									: x instanceof Word
										? "numpy.uint64"
										: (x.constructor?.$__name__ ?? x.name ?? "object"))
		);
	}
	function isinstance(x, kinds) {
		if (Array.isArray(kinds)) return kinds.some((kind) => isinstance(x, kind));
		const test = KINDS.get(kinds);
		if (test) return test(x);
		return typeof x === "object" && x !== null && (x instanceof kinds || Boolean(x.constructor.bases?.includes(kinds)));
	}
	function type(x) {
		for (const kind of [bool, int, float, str])
			if (KINDS.get(kind)(x) && (kind !== int || typeof x !== "boolean")) return kind;
		return x instanceof Word
			? uint64
			: isTuple(x) && x.constructor === Tuple
				? tupleOf
				: Array.isArray(x) && !isTuple(x)
					? list
					: x instanceof Dict
						? dict
						: x.constructor;
	}

	// -- from texts to numbers
	// -------------------------------------------------------------------------------------------------

	const DIGIT = /^\p{Nd}$/u;
	/** A decimal digit's value, whatever the script: such digits stand in rows of ten. */
	function digit(mark) {
		let before = 0;
		const code = mark.codePointAt(0);
		while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
		return before % 10;
	}
	const plainDigits = (text) => text.replace(/[^\0-\x7f]/gu, (mark) => (DIGIT.test(mark) ? digit(mark) : mark));
	/** @param {Value} x @param {Value} base @returns {bigint} */
	function int(x = 0n, base = 10n) {
		if (typeof x === "bigint") return x;
		if (isInt(x)) return raw(x);
		if (typeof x === "number")
			return Number.isFinite(x)
				? BigInt(Math.trunc(x))
				: fail(
						Number.isNaN(x) ? ValueError : OverflowError,
						`cannot convert float ${Number.isNaN(x) ? "NaN" : "infinity"} to integer`,
					);
		if (typeof x !== "string")
			return fail(PyTypeError, `int() argument must be a string or a real number, not ${kindOf(x)}`);
		const form = /^([+-]?)(0[xXbBoO]_?)?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)$/.exec(plainDigits(strip(x)));
		const root = BigInt(base),
			name = { x: 16n, b: 2n, o: 8n }[form?.[2]?.[1].toLowerCase()];
		const digits = form?.[3] ?? "";
		let value = 0n,
			isFit = form !== null && (name === undefined || name === root) && digits.length <= 4300;
		for (const mark of isFit ? digits.replaceAll("_", "") : "") {
			const part = parseInt(mark, 36);
			isFit = isFit && part < root;
			value = isFit ? value * root + BigInt(part) : 0n;
		}
		return isFit
			? form?.[1] === "-"
				? -value
				: value
			: fail(ValueError, `invalid literal for int() with base ${base}: ${repr(x)}`);
	}
	function float(x = 0) {
		if (isNumber(x)) return Number(raw(x));
		const text = plainDigits(strip(String(x))).toLowerCase(),
			word = /^([+-]?)(inf|infinity|nan)$/.exec(text);
		if (word) return word[2] === "nan" ? NaN : word[1] === "-" ? -Infinity : Infinity;
		return /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/.test(text)
			? Number(text.replaceAll("_", ""))
			: fail(ValueError, `could not convert string to float: ${repr(x)}`);
	}

	// -- numbers as texts
	// ------------------------------------------------------------------------------------------------------

	/** |x| * 10**places, rounded to the nearest, of two equally near to the even one; exact. */
	function scaled(x, places) {
		const bytes = new DataView(new ArrayBuffer(8));
		bytes.setFloat64(0, Math.abs(x));
		const bits = bytes.getBigUint64(0),
			exponent = Number(bits >> 52n),
			part = bits & ((1n << 52n) - 1n);
		let above = exponent ? part | (1n << 52n) : part,
			below = 1n;
		const by = Math.max(exponent, 1) - 1075;
		if (by > 0) above <<= BigInt(by);
		else below <<= BigInt(-by);
		if (places > 0) above *= 10n ** BigInt(places);
		else below *= 10n ** BigInt(-places);
		const whole = above / below,
			twice = 2n * (above % below);
		return twice > below || (twice === below && whole & 1n) ? whole + 1n : whole;
	}
	function fixed(x, places) {
		const marks = scaled(x, places)
			.toString()
			.padStart(places + 1, "0");
		return places ? `${marks.slice(0, -places)}.${marks.slice(-places)}` : marks;
	}
	/**
	 * [digits, exponent]: so many digits, the point after the first.
	 * @param {number} x
	 * @param {number} count
	 * @returns {[digits: string, exponent: number]}
	 */
	function exponential(x, count) {
		if (!x) return ["0".repeat(count), 0];
		let exponent = Number(Math.abs(x).toExponential().split("e")[1]),
			marks = scaled(x, count - 1 - exponent).toString();
		if (marks.length < count) marks = scaled(x, count - 1 - --exponent).toString();
		if (marks.length > count) {
			exponent += 1;
			marks = marks.slice(0, -1);
		}
		return [marks, exponent];
	}
	const power10 = (exponent) => `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
	const pointed = (marks) => (marks.length > 1 ? `${marks[0]}.${marks.slice(1)}` : marks);
	function general(x, count, keep, dot = 0) {
		const [marks, exponent] = exponential(x, count || 1),
			cut = (text) => (keep || !text.includes(".") ? text : text.replace(/\.?0+$/, ""));
		if (exponent < -4 || exponent >= (count || 1) - dot) return cut(pointed(marks)) + power10(exponent);
		return cut(fixed(x, Math.max(0, (count || 1) - 1 - exponent)));
	}
	function floatText(x) {
		if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x < 0 ? "-inf" : "inf";
		const sign = x < 0 || Object.is(x, -0) ? "-" : "",
			[marks, exponent] = Math.abs(x).toExponential().split("e"),
			at = Number(exponent);
		if (at < -4 || at >= 16) return sign + marks + power10(at);
		const digits = marks.replace(".", "");
		if (at < 0) return `${sign}0.${"0".repeat(-at - 1)}${digits}`;
		return `${sign}${digits.slice(0, at + 1).padEnd(at + 1, "0")}.${digits.slice(at + 1) || "0"}`;
	}
	const SPEC = /^(?:([^])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;
	function format(x, spec = "") {
		const form = SPEC.exec(spec);
		if (!form) return fail(ValueError, `Invalid format specifier ${repr(spec)}`);
		const [, filled, align, signs, , other, zero, width, group, places, kind] = form;
		const fill = filled ?? (zero ? "0" : " "),
			size = Number(width ?? 0),
			count = places === undefined ? null : Number(places);
		if (!isNumber(x) || (typeof x === "boolean" && !spec)) {
			if (kind && kind !== "s")
				return fail(ValueError, `Unknown format code '${kind}' for object of type '${kindOf(x)}'`);
			const marks = [...str(x)].slice(0, count ?? Infinity);
			return padded(marks.join(""), marks.length, size, align ?? "<", fill);
		}
		let value = raw(x),
			body = "",
			prefix = "";
		if (typeof value === "bigint" && (!kind || "bcdnoxX".includes(kind))) {
			if (kind === "c") body = chr(value);
			else {
				const base = { b: 2, o: 8, x: 16, X: 16 }[kind] ?? 10;
				body = (value < 0n ? -value : value).toString(base);
				prefix = other && base !== 10 ? `0${kind}` : "";
				if (group) body = grouped(body, group, base === 10 ? 3 : 4);
				if (kind === "X") body = body.toUpperCase();
			}
		} else {
			value = Number(value);
			const lower = (kind ?? "").toLowerCase(),
				size = Math.abs(value) * (lower === "%" ? 100 : 1),
				mark = lower === "%" ? "%" : "";
			if (typeof raw(x) === "number" && kind && "bcdoxX".includes(kind))
				return fail(ValueError, `Unknown format code '${kind}' for object of type 'float'`);
			if (!Number.isFinite(size)) body = (Number.isNaN(size) ? "nan" : "inf") + mark;
			else if (lower === "f") body = fixed(size, count ?? 6);
			else if (lower === "%") body = fixed(size, count ?? 6) + mark;
			else if (lower === "e") {
				const [marks, exponent] = exponential(size, (count ?? 6) + 1);
				body = pointed(marks) + power10(exponent);
			} else if (lower === "g" || lower === "n") body = general(size, count ?? 6, Boolean(other));
			else if (count !== null) body = general(size, count, false, 1).replace(/^\d+$/, "$&.0");
			else body = floatText(size);
			if (group) body = body.replace(/^\d+/, (whole) => grouped(whole, group, 3));
			if (kind && kind !== lower) body = body.toUpperCase();
		}
		const isBelow = typeof value === "bigint" ? value < 0n : value < 0 || Object.is(value, -0),
			isZero = form[4] && /^[0.]+%?$/.test(body);
		const sign = isBelow && !isZero ? "-" : signs === "+" || signs === " " ? signs : "";
		const start = sign + prefix,
			where = align ?? (zero ? "=" : ">");
		if (where !== "=") return padded(start + body, (start + body).length, size, where, fill);
		return start + padded(body, body.length, size - start.length, ">", fill);
	}
	const grouped = (marks, mark, size) => marks.replace(new RegExp(`(?<=.)(?=(?:.{${size}})+$)`, "g"), mark);
	function padded(text, length, size, align, fill) {
		const room = Math.max(0, size - length),
			left = align === "<" ? 0 : align === "^" ? Math.floor(room / 2) : room;
		return fill.repeat(left) + text + fill.repeat(room - left);
	}
	/** @param {Value} x @param {bigint | null} places */
	function round(x, places = null) {
		if (isInt(x)) {
			/** @type {bigint} */
			const value = raw(x);
			const unit = places === null || places >= 0n ? 1n : 10n ** -places;
			const low = floored(value, unit) * unit,
				twice = 2n * (value - low);
			return twice > unit || (twice === unit && (low / unit) & 1n) ? low + unit : low;
		}
		if (places === null) return Number.isFinite(x) ? (x < 0 ? -1n : 1n) * scaled(x, 0) : int(x);
		return Number.isFinite(x)
			? (x < 0 || Object.is(x, -0) ? -1 : 1) * Number(`${scaled(x, Number(places))}e${-places}`)
			: x;
	}

	// -- texts
	// -----------------------------------------------------------------------------------------------------------------

	/** @param {Value} x @returns {string} */
	function str(x = "") {
		if (typeof x === "string") return x;
		return x instanceof Error
			? x.message
			: x instanceof Obj && hasAttribute(x, "__str__")
				? call(x, "__str__")
				: repr(x);
	}
	const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
	/** @param {Value} x @returns {string} */
	function repr(x) {
		if (x === null || x === undefined) return "None";
		if (typeof x === "boolean") return x ? "True" : "False";
		if (typeof x === "bigint") return String(x);
		if (x instanceof Word) return `np.uint64(${x.value})`;
		if (typeof x === "number") return floatText(x);
		if (typeof x === "string") {
			const quote = x.includes("'") && !x.includes('"') ? '"' : "'";
			return (
				quote +
				x.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (mark) => {
					if (mark === "'" || mark === '"') return mark === quote ? `\\${mark}` : mark;
					const code = mark.codePointAt(0) ?? 0,
						size = code < 0x100 ? 2 : code < 0x10000 ? 4 : 8;
					return SHORT[mark] ?? `\\${{ 2: "x", 4: "u", 8: "U" }[size]}${code.toString(16).padStart(size, "0")}`;
				}) +
				quote
			);
		}
		const shown = (names, values) =>
			`${x.constructor.$__name__}(${names.map((name, k) => `${name}=${repr(values[k])}`).join(", ")})`;
		if (x instanceof Tuple && classOf(x).$_fields) return shown(classOf(x).$_fields, x);
		if (isTuple(x)) return x.length === 1 ? `(${repr(x[0])},)` : `(${x.map(repr).join(", ")})`;
		if (Array.isArray(x)) return `[${x.map(repr).join(", ")}]`;
		if (x instanceof Dict) return `{${[...x.map.values()].map((pair) => pair.map(repr).join(": ")).join(", ")}}`;
		if (x instanceof PySet) return x.map.size ? `{${[...x].map(repr).join(", ")}}` : "set()";
		if (x instanceof Range) return `range(${x.start}, ${x.stop}${x.step === 1n ? "" : `, ${x.step}`})`;
		if (x instanceof Obj && classOf(x).fields) {
			const { fields } = classOf(x);
			return shown(
				fields.map((name) => name.slice(1)),
				fields.map((name) => x[name]),
			);
		}
		if (!(x instanceof Error)) return `<${kindOf(x)}>`;
		return `${x.name}(${"$args" in x && Array.isArray(x.$args) ? x.$args.map(repr).join(", ") : ""})`;
	}
	const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
	const FIRST = new RegExp(`^[${BLANK}]+`),
		LAST = new RegExp(`[${BLANK}]+$`),
		GAPS = new RegExp(`[${BLANK}]+`);
	const ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;
	const strip = (text) => text.replace(FIRST, "").replace(LAST, "");
	function stripped(text, marks, left, right) {
		if (marks === null) return (right ? (x) => x.replace(LAST, "") : (x) => x)(left ? text.replace(FIRST, "") : text);
		const all = [...text];
		let from = 0,
			to = all.length;
		while (left && from < to && marks.includes(all[from])) from += 1;
		while (right && to > from && marks.includes(all[to - 1])) to -= 1;
		return all.slice(from, to).join("");
	}
	function parts(text, by, most) {
		const limit = most < 0n ? Infinity : Number(most);
		if (by === "") fail(ValueError, "empty separator");
		let rest = by === null ? text.replace(FIRST, "") : text;
		const found = [];
		while (rest !== "" || by !== null) {
			const gap = by === null ? GAPS.exec(rest) : rest.includes(by) ? { index: rest.indexOf(by), 0: by } : null;
			if (!gap || found.length >= limit) {
				found.push(rest);
				break;
			}
			found.push(rest.slice(0, gap.index));
			rest = rest.slice(gap.index + gap[0].length);
		}
		return found;
	}
	function whereIn(text, part, from) {
		const found = from ? text.lastIndexOf(part) : text.indexOf(part);
		return found < 0 ? -1n : BigInt(characters(text.slice(0, found)).length);
	}
	function cut(text, by, last) {
		const found = last ? text.lastIndexOf(by) : text.indexOf(by);
		return found < 0
			? last
				? t("", "", text)
				: t(text, "", "")
			: t(text.slice(0, found), by, text.slice(found + by.length));
	}
	const every = (form) => (text) => text !== "" && [...text].every((mark) => form.test(mark));
	const starts = (test) => (text, given) => (Array.isArray(given) ? given : [given]).some((one) => text[test](one));
	const width =
		(align) =>
		(text, size, fill = " ") =>
			padded(text, characters(text).length, Number(size), align, fill);
	/** @type {Record<string, (x: Value, ...args: Value[]) => Value>} */
	const STR = {
		join: (by, items) => {
			const all = [...iter(items)];
			return all.every((one) => typeof one === "string")
				? all.join(by)
				: fail(PyTypeError, "sequence item: expected str instance");
		},
		split: (text, by = null, most = -1n) =>
			isOptions(by)
				? parts(text, by.sep ?? null, by.maxsplit ?? -1n)
				: parts(text, by, isOptions(most) ? most.maxsplit : most),
		strip: (text, marks = null) => stripped(text, marks, true, true),
		lstrip: (text, marks = null) => stripped(text, marks, true, false),
		rstrip: (text, marks = null) => stripped(text, marks, false, true),
		splitlines: (text) => {
			const lines = text.split(ENDS);
			if (lines[lines.length - 1] === "") lines.pop();
			return lines;
		},
		startswith: starts("startsWith"),
		endswith: starts("endsWith"),
		removeprefix: (text, part) => (text.startsWith(part) ? text.slice(part.length) : text),
		removesuffix: (text, part) => (part && text.endsWith(part) ? text.slice(0, -part.length) : text),
		replace: (text, old, by, most = -1n) => {
			let left = most < 0n ? Infinity : Number(most);
			return text.replaceAll(old, () => (left-- > 0 ? by : old));
		},
		lower: (text) => text.toLowerCase(),
		upper: (text) => text.toUpperCase(),
		casefold: (text) => text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ"),
		capitalize: (text) => {
			const [first = "", ...rest] = text;
			const [large = "", ...more] = first.toUpperCase();
			return large + (more.join("") + rest.join("")).toLowerCase();
		},
		title: (text) => text.toLowerCase().replace(/\p{L}+/gu, (word) => word[0].toUpperCase() + word.slice(1)),
		count: (text, part) => BigInt(part ? text.split(part).length - 1 : characters(text).length + 1),
		find: (text, part) => whereIn(text, part, false),
		rfind: (text, part) => whereIn(text, part, true),
		index: (text, part) => {
			const found = whereIn(text, part, false);
			return found < 0n ? fail(ValueError, "substring not found") : found;
		},
		ljust: width("<"),
		rjust: width(">"),
		center: (text, size, fill = " ") => {
			const room = Math.max(0, Number(size) - characters(text).length),
				left = (room >> 1) + (room & Number(size) & 1);
			return fill.repeat(left) + text + fill.repeat(room - left);
		},
		zfill: (text, size) => {
			const sign = /^[+-]/.exec(text)?.[0] ?? "";
			return sign + width(">")(text.slice(sign.length), Number(size) - sign.length, "0");
		},
		isdecimal: every(/^\p{Nd}$/u),
		isdigit: every(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉①-⑨]$/u),
		isalpha: every(/^\p{L}$/u),
		isalnum: every(/^[\p{L}\p{N}]$/u),
		isspace: every(new RegExp(`^[${BLANK}]$`)),
		isascii: (text) => /^[\0-\x7f]*$/.test(text),
		isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
		islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
		partition: (text, by) => cut(text, by, false),
		rpartition: (text, by) => cut(text, by, true),
		translate: (text, marks) =>
			Array.from(text, (mark) => {
				const to = marks.get(ord(mark));
				return to === undefined ? mark : to === null ? "" : typeof to === "bigint" ? chr(to) : to;
			}).join(""),
		format: (text, ...given) => {
			const [args, named] = split(given);
			let number = 0;
			return text.replace(/\{\{|\}\}|\{(\w*)(?:!([rs]))?(?::([^{}]*))?\}/g, (whole, name, how, spec = "") => {
				if (name === undefined) return whole[0];
				const value = name === "" ? args[number++] : /^\d/.test(name) ? args[Number(name)] : named[name];
				return format(how === "r" ? repr(value) : value, spec);
			});
		},
	};
	const LIST = {
		append: (x, one) => {
			x.push(one);
			return null;
		},
		extend: (x, items) => {
			x.push(...iter(items));
			return null;
		},
		insert: (x, index, one) => {
			x.splice(Number(index), 0, one);
			return null;
		},
		copy: (x) => [...x],
		clear: (x) => {
			x.length = 0;
			return null;
		},
		pop: (x, index = -1n) =>
			x.length ? x.splice(place(x, index, x.length), 1)[0] : fail(IndexError, "pop from empty list"),
		index: (x, one) => {
			const found = x.findIndex((other) => eq(other, one));
			return found < 0 ? fail(ValueError, `${repr(one)} is not in list`) : BigInt(found);
		},
		remove: (x, one) => {
			x.splice(Number(LIST.index(x, one)), 1);
			return null;
		},
		count: (x, one) => BigInt(x.filter((other) => eq(other, one)).length),
		reverse: (x) => {
			x.reverse();
			return null;
		},
		sort: (x, options) => {
			x.splice(0, x.length, ...sorted(x, options));
			return null;
		},
		tolist: (x) => Array.from(x, (one) => (Array.isArray(one) ? LIST.tolist(one) : one)),
		_replace: (x, options) =>
			x.constructor(...x.constructor.$_fields.map((name, k) => (name in options ? options[name] : x[k]))),
		_asdict: (x) => dict(x.constructor.$_fields.map((name, k) => [name, x[k]])),
	};
	const DICT = {
		get: (x, name, usual = null) => {
			const found = x.map.get(key(name));
			return found ? found[1] : usual;
		},
		items: (x) => Array.from(x.map.values(), ([name, value]) => t(name, value)),
		keys: (x) => [...x],
		values: (x) => Array.from(x.map.values(), (pair) => pair[1]),
		pop: (x, name, ...usual) => {
			const found = x.map.get(key(name));
			x.map.delete(key(name));
			return found ? found[1] : usual.length ? usual[0] : fail(KeyError, name);
		},
		setdefault: (x, name, usual = null) => {
			if (!x.map.has(key(name))) x.put(name, usual);
			return x.get(name);
		},
		update: (x, given) => {
			for (const [name, value] of dict(given).map.values()) x.put(name, value);
			return null;
		},
		copy: (x) => dict(x),
	};
	/** @type {Record<string, (x: Value, ...args: Value[]) => Value>} */
	const SET = {
		add: (x, one) => {
			x.add(one);
			return null;
		},
		discard: (x, one) => {
			x.map.delete(key(one));
			return null;
		},
		remove: (x, one) => (x.map.delete(key(one)) ? null : fail(KeyError, one)),
		update: (x, ...lists) => {
			for (const one of chain(...lists)) x.add(one);
			return null;
		},
		union: (x, ...lists) => set(chain(x, ...lists)),
		intersection: (x, items) => and(x, set(items)),
		difference: (x, items) => without(x, set(items)),
		issubset: (x, items) => without(x, set(items)).map.size === 0,
		issuperset: (x, items) => [...iter(items)].every((one) => has(x, one)),
		isdisjoint: (x, items) => ![...iter(items)].some((one) => has(x, one)),
		copy: (x) => set(x),
	};
	const INT = { bit_count: (x) => bitCount(raw(x)), bit_length: (x) => bitLength(raw(x)), item: (x) => raw(x) };
	const FLOAT = { is_integer: (x) => Number.isInteger(x), item: (x) => x };

	const METHODS = [STR, LIST, DICT, SET, INT, FLOAT]
		.flatMap(Object.keys)
		.concat(
			"group",
			"groups",
			"groupdict",
			"start",
			"end",
			"search",
			"match",
			"fullmatch",
			"finditer",
			"findall",
			"sub",
		);

	/** A method of an object, or of a value of Python's own kinds. */
	function call(x, name, ...args) {
		if (x !== null && x !== undefined && typeof x[`$${name}`] === "function") return x[`$${name}`](...args);
		const known =
			typeof x === "string"
				? STR
				: Array.isArray(x)
					? LIST
					: x instanceof Dict
						? DICT
						: x instanceof PySet
							? SET
							: isInt(x)
								? INT
								: typeof x === "number"
									? FLOAT
									: x instanceof Pattern || x instanceof Found
										? x
										: {};
		const method = known[name];
		if (typeof method !== "function") return fail(AttributeError, `${kindOf(x)} object has no attribute '${name}'`);
		return known === x ? x[name](...args) : method(x, ...args);
	}
	/** A method of a kind, called with the value first: `str.casefold`. */
	const method =
		(name) =>
		(x, ...args) =>
			call(x, name, ...args);
	/** `getattr(x, name)`, with a value to be used where there is none. */
	function attribute(x, name, ...usual) {
		const value = x?.[`$${name}`];
		if (value === undefined)
			return usual.length ? usual[0] : fail(AttributeError, `${kindOf(x)} object has no attribute '${name}'`);
		return typeof value === "function" && !value.isClass ? value.bind(x) : value;
	}

	const hasAttribute = (x, name) => x?.[`$${name}`] !== undefined || (name === "item" && x instanceof Word);

	/** What a regular expression found. */
	class Found {
		constructor(found, text) {
			this.found = found;
			this.text = text;
		}
		group(index = 0n) {
			const one = typeof index === "string" ? this.found.groups?.[index] : this.found[Number(index)];
			return one ?? null;
		}
		groups() {
			return tuple(this.found.slice(1).map((one) => one ?? null));
		}
		groupdict() {
			return dict(Object.entries(this.found.groups ?? {}).map(([name, one]) => [name, one ?? null]));
		}
		start() {
			return BigInt(characters(this.text.slice(0, this.found.index)).length);
		}
		end() {
			return BigInt(characters(this.text.slice(0, this.found.index + this.found[0].length)).length);
		}
	}
	class Pattern {
		constructor(source, flags) {
			this.any = new RegExp(source, `g${flags}`);
			this.first = new RegExp(source, `y${flags}`);
			this.whole = new RegExp(`^(?:${source})$`, flags);
		}
		tried(form, text) {
			form.lastIndex = 0;
			const found = form.exec(text);
			return found && new Found(found, text);
		}
		search(text) {
			return this.tried(this.any, text);
		}
		match(text) {
			return this.tried(this.first, text);
		}
		fullmatch(text) {
			return this.tried(this.whole, text);
		}
		finditer(text) {
			return Array.from(text.matchAll(this.any), (found) => new Found(found, text));
		}
		findall(text) {
			return this.finditer(text).map((one) =>
				one.found.length === 1
					? one.found[0]
					: one.found.length === 2
						? (one.found[1] ?? "")
						: tuple(one.found.slice(1).map((x) => x ?? "")),
			);
		}
		split(text) {
			return text.split(this.any);
		}
		sub(by, text) {
			let made = "",
				from = 0;
			for (const one of this.finditer(text)) {
				made += text.slice(from, one.found.index) + (typeof by === "string" ? by : by(one));
				from = one.found.index + one.found[0].length;
			}
			return made + text.slice(from);
		}
	}
	const pattern = (source, flags) => new Pattern(source, flags);

	// -- classes
	// ---------------------------------------------------------------------------------------------------------------

	class Obj {}
	function shaped(made, name, base, bases) {
		made.prototype = Object.create(base.prototype, { constructor: { value: made } });
		Object.assign(made, { $__name__: name, bases, isClass: true });
		return made;
	}
	/** The values of fields from what is given in their order, by name, and else by default. */
	function given(name, fields, usual, args) {
		const [listed, named] = split(args);
		if (listed.length > fields.length)
			fail(PyTypeError, `${name}() takes ${fields.length} arguments, not ${listed.length}`);
		for (const one of Object.keys(named))
			if (!fields.includes(one)) fail(PyTypeError, `${name}() got an unexpected argument '${one}'`);
		return fields.map((one, k) => {
			const value = listed[k] !== undefined ? listed[k] : named[one] !== undefined ? named[one] : usual[one];
			return value === undefined
				? fail(PyTypeError, `${name}() is missing the argument '${one}'`)
				: typeof value === "function" && value.isMade
					? value()
					: value;
		});
	}
	/** A dataclass. */
	function record(name, fields, usual = {}, bases = []) {
		const names = fields.map((one) => `$${one}`);
		function made(...args) {
			const one = Object.create(made.prototype);
			given(name, fields, usual, args).forEach((value, k) => {
				one[names[k]] = value;
			});
			if (one.$__post_init__) one.$__post_init__();
			return one;
		}
		made.fields = names;
		made.usual = usual;
		return shaped(made, name, Obj, bases);
	}
	/** A NamedTuple. */
	function namedTuple(name, fields, usual = {}, bases = []) {
		function made(...args) {
			return Object.setPrototypeOf(given(name, fields, usual, args), made.prototype);
		}
		made.$_fields = tuple([...fields]);
		shaped(made, name, Tuple, bases);
		fields.forEach((one, k) =>
			Object.defineProperty(made.prototype, `$${one}`, {
				get() {
					return this[k];
				},
			}),
		);
		Object.defineProperty(made.prototype, "$_fields", { value: made.$_fields });
		return made;
	}
	/** Any other class. */
	function plainClass(name, bases = []) {
		function made(...args) {
			const one = Object.create(made.prototype);
			if (one.$__init__) one.$__init__(...args);
			return one;
		}
		return shaped(made, name, Obj, bases);
	}
	/** Add methods and properties to a class. */
	function define(made, members) {
		Object.defineProperties(made.prototype, Object.getOwnPropertyDescriptors(members));
	}
	/** Attributes that are methods of some class and are read, not called: a method stays with its object. */
	function bind(...names) {
		for (const kind of [Obj, Tuple])
			for (const name of names)
				Object.defineProperty(kind.prototype, `bound$${name}`, {
					configurable: true,
					get() {
						const value = this[`$${name}`];
						return typeof value === "function" && !value.isClass && !Object.hasOwn(this, `$${name}`)
							? value.bind(this)
							: value;
					},
				});
	}
	/** What makes a default that is another object for every one. */
	const made = (call) => Object.assign(() => call(), { isMade: true });
	/** What an object computes once: it is a property of its own from then on. */
	function once(x, name, value) {
		Object.defineProperty(x, name, { value });
		return value;
	}
	/** Arguments in the order of a function's parameters, from those given in order and those given by name. */
	function ordered(names, listed, options) {
		for (const name of Object.keys(options))
			if (!names.includes(name, listed.length)) fail(PyTypeError, `got an unexpected keyword argument '${name}'`);
		return names.map((name, k) => (k < listed.length ? listed[k] : options[name]));
	}

	function replace(x, options) {
		return x.constructor(
			Object.fromEntries(
				x.constructor.fields.map((name) => [
					name.slice(1),
					name.slice(1) in options ? options[name.slice(1)] : x[name],
				]),
			),
		);
	}
	/** `dataclasses.fields`. */
	function fieldsOf(x) {
		const { constructor: made } = x;
		made.told ??= tuple(made.fields.map((name) => ({ $name: name.slice(1), $default: made.usual[name.slice(1)] })));
		return made.told;
	}
	/**
	 * A picture as plain data, without what has its default value: `_plain` of picture.py, which is asked most often of
	 * all.
	 */
	function told(x) {
		if (!(x instanceof Obj)) return isTuple(x) ? Array.from(x, told) : x;
		const { fields, usual } = classOf(x),
			found = new Dict();
		for (const name of fields) {
			const plain = name.slice(1);
			if (!(plain in usual) || !eq(x[name], usual[plain])) found.put(plain, told(x[name]));
		}
		return found;
	}
	/** What is called with names: `f(**options)`. */
	function named_(options) {
		return options instanceof Dict ? Object.fromEntries(options.map.values()) : options;
	}

	// -- what reads other forms
	// ------------------------------------------------------------------------------------------------

	/** A text by marks: `ast.literal_eval` of numbers, texts and collections, and JSON. */
	class Reader {
		constructor(text, deepest) {
			this.text = text;
			this.deepest = deepest;
			this.place = 0;
			this.depth = 0;
		}
		fail(kind = ValueError) {
			return fail(kind, `Expecting value: line 1 column ${this.place + 1} (char ${this.place})`);
		}
		taken(form) {
			form.lastIndex = this.place;
			const found = form.exec(this.text);
			if (found) this.place += found[0].length;
			return found;
		}
		/** What stands between marks, with commas between; and whether a comma stands after the last one. */
		/** @returns {[found: Value[], comma: boolean]} */
		items(end, item, gap, last) {
			const found = [];
			let comma = false;
			if (++this.depth > this.deepest) this.fail();
			for (this.taken(gap); !this.taken(end); this.taken(gap)) {
				if (found.length && !comma) this.fail();
				found.push(item());
				this.taken(gap);
				comma = Boolean(this.taken(/,/y));
				if (comma && !last) {
					this.taken(gap);
					end.lastIndex = this.place;
					if (end.test(this.text)) this.fail();
				}
			}
			this.depth -= 1;
			return [found, comma];
		}
	}
	const PYTHON_GAP = /(?:[ \t\n\r\f]|\\\n|#[^\n]*)*/y,
		JSON_GAP = /[ \t\n\r]*/y;
	const DECIMAL = /(?:\d(?:_?\d)*)?\.?(?:\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?/y;
	const NAMED = { True: true, False: false, None: null, true: true, false: false, null: null };
	function literal(text) {
		const reader = new Reader(text.replace(/^[ \t]+/, "").replace(/^(?:[ \t\f]*(?:#[^\n]*)?\n|\\\n)+/, ""), 199);
		const number = () => {
			const found =
				(reader.taken(/0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+/y) ?? reader.taken(DECIMAL))?.[0] ??
				"";
			if (!/^\.?\d/.test(found) || /^[\w.]/.test(reader.text.slice(reader.place))) reader.fail(SyntaxError_);
			const plain = found.replaceAll("_", "");
			if (/^0[xXbBoO]/.test(plain)) return BigInt(plain);
			if (/[.eE]/.test(plain)) return Number(plain);
			return /^0+[1-9]/.test(plain) ? reader.fail(SyntaxError_) : BigInt(plain);
		};
		const value = (gap = PYTHON_GAP) => {
			reader.taken(gap);
			const sign = reader.taken(/[+-]/y)?.[0];
			if (sign) {
				reader.taken(gap);
				const opened = [];
				while (reader.taken(/\([ \t\n\r\f]*/y)) opened.push(1);
				const found = number();
				for (const _ of opened) if (!reader.taken(/[ \t\n\r\f]*\)/y)) reader.fail(SyntaxError_);
				return sign === "-" ? -found : found;
			}
			const word = reader.taken(/(?:True|False|None)\b/y)?.[0];
			if (word) return NAMED[word];
			const quoted = reader.taken(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y)?.[0];
			if (quoted) return quoted.slice(1, -1);
			if (reader.taken(/\(/y)) {
				const [found, comma] = reader.items(/\)/y, value, PYTHON_GAP, true);
				return found.length === 1 && !comma ? found[0] : tuple(found);
			}
			if (reader.taken(/\[/y)) return reader.items(/\]/y, value, PYTHON_GAP, true)[0];
			if (reader.taken(/\{/y))
				return reader.items(
					/\}/y,
					() => {
						const name = value();
						reader.taken(PYTHON_GAP);
						return reader.taken(/:/y) ? [name, value()] : name;
					},
					PYTHON_GAP,
					true,
				)[0];
			return number();
		};
		const line = /[ \t\f]*/y,
			found = [value(line)];
		let comma = false;
		while (reader.taken(/[ \t\f]*,[ \t\f]*/y)) {
			comma = true;
			if (/^(?:[ \t\n\r\f]|#[^\n]*)*$/.test(reader.text.slice(reader.place))) break;
			found.push(value(line));
		}
		reader.taken(PYTHON_GAP);
		if (reader.place < reader.text.length) reader.fail(SyntaxError_);
		return comma ? tuple(found) : found[0];
	}
	/** @param {string} text @param {{ parse_constant?: ((name: string) => Value) | null }} options */
	function json(text, { parse_constant: constant = null } = {}) {
		const reader = new Reader(text, 900);
		const value = () => {
			reader.taken(JSON_GAP);
			const name = reader.taken(/true|false|null/y)?.[0];
			if (name) return NAMED[name];
			const other = reader.taken(/NaN|-?Infinity/y)?.[0];
			if (other) return constant ? constant(other) : Number(other);
			const number = reader.taken(/-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y);
			if (number)
				return number[1] || number[2] ? Number(number[0]) : number[0].length > 4300 ? reader.fail() : BigInt(number[0]);
			const quoted = reader.taken(/"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y)?.[0];
			if (quoted) return JSON.parse(quoted);
			if (reader.taken(/\[/y)) return reader.items(/\]/y, value, JSON_GAP, false)[0];
			if (reader.taken(/\{/y))
				return dict(
					reader.items(
						/\}/y,
						() => {
							const one = value();
							reader.taken(JSON_GAP);
							if (typeof one !== "string" || !reader.taken(/:/y)) reader.fail();
							return [one, value()];
						},
						JSON_GAP,
						false,
					)[0],
				);
			return reader.fail();
		};
		const found = value();
		reader.taken(JSON_GAP);
		return reader.place < text.length ? reader.fail() : found;
	}

	// -- positions
	// -------------------------------------------------------------------------------------------------------------

	/** The words of a position, by the layout of its numbers: a letter for a number, [class, ...] for a tuple. */
	function wordsOf(layout, state) {
		const bytes = new DataView(new ArrayBuffer(8)),
			found = [];
		const add = (kind, value) => {
			if (Array.isArray(kind)) unpack(value, kind.length - 1).forEach((one, k) => add(kind[k + 1], one));
			else if (kind === "f" || kind === "F") {
				bytes.setFloat64(0, float(value));
				found.push(bytes.getBigUint64(0));
			} else found.push(BigInt.asUintN(64, int(value)));
		};
		add(layout, state);
		return BigUint64Array.from(found);
	}
	function stateOf(layout, words) {
		const bytes = new DataView(new ArrayBuffer(8));
		let place = 0;
		const made = (kind) => {
			if (Array.isArray(kind)) {
				const items = kind.slice(1).map(made);
				return kind[0] ? kind[0](...items) : tuple(items);
			}
			const one = words[place++];
			if (kind === "U") return one;
			if (kind === "b" || kind === "B") return one !== 0n;
			if (kind === "i" || kind === "I") return BigInt.asIntN(64, one);
			bytes.setBigUint64(0, one);
			return bytes.getFloat64(0);
		};
		return made(layout);
	}
	/** Values as compiled code has them: unsigned words wrap around. */
	function machine(x) {
		if (typeof x === "bigint") return x >> 63n > 0n ? word(x) : x;
		if (!isTuple(x)) return x;
		const kinds = classOf(x).layout,
			items = Array.from(x, (one, k) =>
				kinds?.[k + 1] === "U"
					? word(int(one))
					: Array.isArray(kinds?.[k + 1])
						? inside(kinds[k + 1], one)
						: machine(one),
			);
		return Object.setPrototypeOf(items, Object.getPrototypeOf(x));
	}
	const inside = (kinds, x) =>
		Array.isArray(kinds)
			? Object.setPrototypeOf(
					Array.from(x, (one, k) => inside(kinds[k + 1], one)),
					Object.getPrototypeOf(x),
				)
			: kinds === "U"
				? word(int(x))
				: x;
	/** Values as they come back from it. */
	function boxed(x) {
		if (x instanceof Word) return x.value;
		return isTuple(x) ? Object.setPrototypeOf(Array.from(x, boxed), Object.getPrototypeOf(x)) : x;
	}
	const face = (one, name, args) => boxed(one[name](...args.map(machine)));
	const faced =
		(call) =>
		(...args) =>
			boxed(call(...args.map(machine)));
	function plain(x) {
		return isTuple(x) ? tuple(Array.from(x, plain)) : raw(x) === x || typeof x === "boolean" ? x : raw(x);
	}
	/** The position that values make; they must be of the annotated kinds. */
	function stateFromValues(cls, values) {
		const made = (kind, value) => {
			if (Array.isArray(kind)) {
				if (kind[0] && !isTuple(value)) fail(PyTypeError, `expected a tuple, not ${repr(value)}`);
				const items = unpack(value, kind.length - 1).map((one, k) => made(kind[k + 1], one));
				return kind[0] ? kind[0](...items) : tuple(items);
			}
			if (kind === "U") return uint64(value).value;
			if ("IBF".includes(kind)) return { I: int, B: bool, F: float }[kind](value);
			return type(value) === { i: int, b: bool, f: float }[kind] ? value : fail(PyTypeError, `not ${repr(value)}`);
		};
		return made(cls.layout, values);
	}
	/** Values as JSON has them. */
	function shown(x) {
		if (x instanceof Dict)
			return Object.fromEntries(Array.from(x.map.values(), ([name, value]) => [name, shown(value)]));
		if (Array.isArray(x)) return Array.from(x, shown);
		return isInt(x) && typeof x !== "boolean" ? Number(raw(x)) : x;
	}

	/** What `makeTexts` gives: the functions for positions as words. */
	function texts(host, game, layout, calls) {
		const attach = (kind) => {
			if (Array.isArray(kind)) {
				if (kind[0]) kind[0].layout = kind;
				kind.slice(1).forEach(attach);
			}
		};
		attach(layout);
		const state = (words) => stateOf(layout, words),
			words = (one) => wordsOf(layout, one),
			number = (one) => Number(int(one)),
			ints = (list) => list.map(BigInt);
		const rules = {
			$initial_state: () => state(host.start()),
			$current_player: (one) => BigInt(host.node(words(one))),
			$players_to_act: (one) => tuple(ints(host.toAct(words(one)))),
			$legal_actions: (one, player) => ints(host.legal(words(one), number(player))),
			$choices: (one, player) => ints(host.legal(words(one), number(player))),
			$search_actions: (one, player) => ints(host.worthSearching(words(one), number(player))),
			$chance_outcomes: (one) => host.outcomes(words(one)).map(([outcome, odds]) => t(BigInt(outcome), odds)),
			$advance: (one, action0, action1) => state(host.next(words(one), number(action0), number(action1))),
			$returns: (one) => host.result(words(one)),
		};
		define(game.constructor, rules);
		const all = (list) => list.map(state);
		return {
			picture: (one) => shown(calls.picture(game, state(one))),
			pictures: (list, first = 0) => (first < list.length ? shown(calls.pictures(game, all(list), BigInt(first))) : []),
			actionName: (one, player, action) => calls.actionName(game, state(one), BigInt(player), BigInt(action)),
			outcomeName: (one, outcome) => calls.outcomeName(game, state(one), BigInt(outcome)),
			text: (one) => calls.text(game, state(one)),
			render: (one) => calls.render(game, state(one)),
			fromText: (text) => words(calls.fromText(game, text)),
			endings: (list) => shown(calls.endings(game, all(list))),
			reasons: (list, names) => calls.reasons(game, all(list), names),
			turns: (list) => shown(calls.turns(game, all(list))),
			slowly: (list) => calls.slowly(game, all(list)),
			images: (one) => calls.images(game, state(one)).map(([image, ...named]) => [words(image), ...shown(named)]),
		};
	}

	/** @type {[kind: Kind, test: (x: Value) => boolean][]} */
	const TESTS = [
		[int, (x) => typeof x === "bigint" || typeof x === "boolean"],
		[float, (x) => typeof x === "number"],
		[str, (x) => typeof x === "string"],
		[bool, (x) => typeof x === "boolean"],
		[list, (x) => Array.isArray(x) && !isTuple(x) && !(x instanceof Table)],
		[tupleOf, isTuple],
		[dict, (x) => x instanceof Dict],
		[set, (x) => x instanceof PySet],
		[uint64, (x) => x instanceof Word],
	];
	for (const [kind, test] of TESTS) {
		KINDS.set(kind, test);
		kind.isClass = true;
	}
	/** @type {Record<string, Kind>} */
	const NAMES = { int, float, str, bool, list, tuple: tupleOf, dict, set };
	for (const name of Object.keys(NAMES)) NAMES[name].$__name__ = name;

	return {
		error,
		Exception,
		ValueError,
		LookupError,
		IndexError,
		KeyError,
		TypeError: PyTypeError,
		ArithmeticError,
		OverflowError,
		ZeroDivisionError,
		SyntaxError: SyntaxError_,
		MemoryError,
		RecursionError,
		AssertionError,
		StopIteration,
		AttributeError,
		caught,
		raised,
		fail,
		Word,
		word,
		raw,
		add,
		sub,
		mul,
		div,
		floordiv,
		mod,
		shl,
		shr,
		power,
		and,
		or,
		xor,
		neg,
		pos,
		inv,
		abs,
		divmod,
		grown,
		eq,
		ne,
		lt,
		gt,
		le,
		ge,
		truth,
		both,
		either,
		Tuple,
		tuple,
		t,
		table,
		isTuple,
		Dict,
		range,
		dict,
		set,
		list,
		tupleOf,
		iter,
		len,
		unpack,
		unpackStar,
		at,
		put,
		del,
		slice,
		has,
		bool,
		enumerate,
		zip,
		map,
		filter,
		reversed,
		sorted,
		min,
		max,
		sum,
		any,
		all,
		next,
		iterator,
		each,
		lazy,
		fromkeys,
		reduce,
		combinations,
		pairwise,
		product,
		chain,
		counter,
		fsum,
		seconds,
		isqrt,
		comb,
		chr,
		ord,
		kept,
		uint64,
		popcount,
		trailingZeros,
		withItem,
		isinstance,
		type,
		int,
		float,
		format,
		round,
		str,
		repr,
		call,
		method,
		attribute,
		METHODS,
		hasAttribute,
		pattern,
		record,
		namedTuple,
		plainClass,
		define,
		bind,
		made,
		ordered,
		replace,
		fieldsOf,
		told,
		named: named_,
		literal,
		json,
		face,
		faced,
		plain,
		stateFromValues,
		shown,
		once,
		texts,
	};
})();
