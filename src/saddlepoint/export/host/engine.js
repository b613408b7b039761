// Rules and searches in WebAssembly, as Saddlepoint exports them. What the library does in Python around a compiled
// search
// (algorithms/searcher.py, players/searching.py, players/timing.py) is written here a second time; tests hold the two
// equal.

const NO_ACTION = -1,
	CHANCE = -1,
	SIMULTANEOUS = -2,
	TERMINAL = -4;

/** The exported module in the host's memory: rules, and room for what searches need. @implements {EngineGame} */
class Game {
	/** @param {About} about @param {WebAssembly.Instance} instance */
	constructor(about, instance) {
		this.about = about;
		/** @type {Record<string, any>} */
		this.code = instance.exports;
		/** @type {WebAssembly.Memory} */
		this.memory = this.code.memory;
		/** @type {number} */
		this.free = this.code.__heap_base.value;
		this.end = this.memory.buffer.byteLength;
		this.position = this.room(8 * about.words);
		this.successor = this.room(8 * about.words);
		this.list = this.room(8 * Math.max(about.max_actions, about.max_outcomes));
		this.chances = this.room(8 * about.max_outcomes);
		this.seen = new DataView(this.memory.buffer);
	}

	/** The module's game, from its bytes. @param {About} about @param {BufferSource} bytes */
	static async load(about, bytes) {
		/** @type {Game} */
		let game;
		const { instance } = await WebAssembly.instantiate(bytes, { env: imports(() => game.view) });
		game = new Game(about, instance);
		return game;
	}

	/** Bytes of zeros that stay this game's. @type {EngineGame["room"]} */
	room(bytes) {
		let place = (this.free + 15) & ~15;
		if (place + bytes > this.end) {
			const before = this.memory.grow(Math.ceil(bytes / 65536));
			place = before * 65536;
			this.end = this.memory.buffer.byteLength;
		}
		this.free = place + bytes;
		return place;
	}

	/** A view of the memory as it is now: a module that needs more of it moves it. */
	get view() {
		if (this.seen.buffer !== this.memory.buffer) this.seen = new DataView(this.memory.buffer);
		return this.seen;
	}

	/** @param {number} place @param {number} count @returns {State} */
	words(place, count) {
		return new BigUint64Array(this.memory.buffer, place, count);
	}

	/** @type {EngineGame["put"]} */
	put(state) {
		this.words(this.position, this.about.words).set(state);
		return this.position;
	}

	/** The position in which a game begins: an array of 64-bit words. */
	start() {
		return BigUint64Array.from(this.about.start, (word) => BigInt("0x" + word));
	}

	/** 0 or 1, CHANCE, SIMULTANEOUS or TERMINAL. @type {EngineGame["node"]} */
	node(state) {
		return Number(this.code.current_player(this.put(state)));
	}

	/** The players who choose. @type {EngineGame["toAct"]} */
	toAct(state) {
		const node = this.node(state);
		return node === SIMULTANEOUS ? [0, 1] : node === 0 || node === 1 ? [node] : [];
	}

	/** @param {number} count */
	listed(count) {
		return Array.from(new BigInt64Array(this.memory.buffer, this.list, count), Number);
	}

	/** A player's legal actions. @type {EngineGame["legal"]} */
	legal(state, player) {
		if (!this.toAct(state).includes(player)) return [];
		return this.listed(Number(this.code.legal_actions(this.put(state), BigInt(player), this.list)));
	}

	/** The actions that a search looks at. @type {EngineGame["worthSearching"]} */
	worthSearching(state, player) {
		if (!this.toAct(state).includes(player)) return [];
		return this.listed(Number(this.code.search_actions(this.put(state), BigInt(player), this.list)));
	}

	/** [outcome, probability] where chance moves. @type {EngineGame["outcomes"]} */
	outcomes(state) {
		if (this.node(state) !== CHANCE) return [];
		const count = Number(this.code.chance_outcomes(this.put(state), this.list, this.chances));
		const odds = new Float64Array(this.memory.buffer, this.chances, count);
		return this.listed(count).map((outcome, k) => [outcome, odds[k]]);
	}

	/**
	 * The position after a joint action; NO_ACTION for who does not move, chance's outcome in the first place.
	 * @type {EngineGame["next"]}
	 */
	next(state, action0, action1) {
		this.code.successor(this.put(state), BigInt(action0), BigInt(action1), this.successor);
		return this.words(this.successor, this.about.words).slice();
	}

	/**
	 * The first position in which chance is not to move, where chance does nothing on the way.
	 * @type {EngineGame["pastChance"]}
	 */
	pastChance(state) {
		let after = state;
		while (this.node(after) === CHANCE) after = this.next(after, this.code.quiet_outcome(this.put(after)), NO_ACTION);
		return after;
	}

	/** Player 0's result of a game that is over. @type {EngineGame["result"]} */
	result(state) {
		return Number(this.code.returns(this.put(state)));
	}

	/** The position's hash, a BigInt of 64 bits. @type {EngineGame["hash"]} */
	hash(state) {
		return BigInt.asUintN(64, this.code.hash(this.put(state)));
	}
}

/**
 * What a module asks of its host: the clock, and functions of mathematics.
 * @type {(view: () => DataView) => WebAssembly.ModuleImports}
 */
function imports(view) {
	/** @type {(id: number, place: number) => number} */
	const clock = (id, place) => {
		const now = BigInt(Math.round(performance.now() * 1e6));
		view().setBigInt64(place, now / 1000000000n, true);
		view().setBigInt64(place + 8, now % 1000000000n, true);
		return 0;
	};
	/** @type {Record<string, any>} */
	const known = { clock_gettime: clock, fmod: (one, other) => one % other };
	/** @type {Record<string, any>} */
	const maths = Math;
	const single =
		(name) =>
		(...numbers) =>
			Math.fround(maths[name.slice(0, -1)](...numbers));
	return new Proxy(known, { get: (own, key) => own[String(key)] ?? maths[String(key)] ?? single(String(key)) });
}

/** A record in the module's memory, by the names of its fields. @implements {EngineRecord} */
class Rec {
	/** @param {Game} game @param {number} place @param {SearchAbout["fields"]} fields */
	constructor(game, place, fields) {
		this.game = game;
		this.place = place;
		this.fields = fields;
	}

	/** @param {string} name */
	has(name) {
		return name in this.fields;
	}

	/** @param {string} name @param {...number} indices @returns {[place: number, kind: string]} */
	at(name, ...indices) {
		const [offset, kind, ...shape] = this.fields[name];
		let number = 0;
		shape.forEach((length, k) => {
			number = number * length + (indices[k] ?? 0);
		});
		return [this.place + offset + number * Number(kind.slice(1)), kind];
	}

	/** @type {EngineRecord["get"]} */
	get(name, ...indices) {
		const [place, kind] = this.at(name, ...indices),
			view = this.game.view;
		if (kind === "i8") return Number(view.getBigInt64(place, true));
		if (kind === "f8") return view.getFloat64(place, true);
		if (kind === "u8") return view.getBigUint64(place, true);
		if (kind === "i4") return view.getInt32(place, true);
		return view.getUint8(place);
	}

	/** @param {string} name @param {any} value @param {...number} indices */
	set(name, value, ...indices) {
		const [place, kind] = this.at(name, ...indices),
			view = this.game.view;
		if (kind === "i8") view.setBigInt64(place, BigInt(value), true);
		else if (kind === "f8") view.setFloat64(place, value, true);
		else if (kind === "u8") view.setBigUint64(place, BigInt(value), true);
		else view.setUint8(place, Number(value));
	}

	/** Write bytes that are the same every time. @param {Runs} runs */
	write(runs) {
		const memory = new Uint8Array(this.game.memory.buffer);
		for (const [offset, hex, times] of runs) {
			const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
			for (let k = 0; k < times; k++) memory.set(bytes, this.place + offset + k * bytes.length);
		}
	}
}

const COUNTERS = [
	"nodes",
	"leaves",
	"evaluations",
	"cells",
	"table_hits",
	"cutoffs",
	"saddle_stages",
	"closed_form_stages",
	"lp_stages",
];
const FACTS = ["joint", "others", "horizon"];
const DEEPEST = 256;

/** A player's search, with its workspace and its table. @implements {EngineSearcher} */
class Searcher {
	/** The search of that number; `table` is that of another search, or null for one of its own. */
	/** @param {Game} game @param {number} seat @param {number} number @param {number | null} table */
	constructor(game, seat, number = 0, table = null) {
		const about = game.about.searches[number];
		this.game = game;
		this.seat = seat;
		this.about = about;
		this.age = 0;
		this.facts = FACTS.map(() => 0);
		this.ws = new Rec(game, game.room(about.bytes), about.fields);
		this.ws.write(about.seats[seat]);
		if (about.solves) {
			this.ws.set("solver", game.code.stage_solver_address());
			this.ws.set("window_solver", game.code.window_solver_address());
		}
		this.table = table ?? game.room(about.table.items * about.table.bytes);
	}

	/** Forget what was kept from one search to the next. */
	clear() {
		new Uint8Array(this.game.memory.buffer, this.table, this.about.table.items * this.about.table.bytes).fill(0);
		this.facts.fill(0);
	}

	/**
	 * Search depth after depth until a limit is reached or the value is proven; without `deepen` the last depth alone.
	 */
	/** @param {State} state @param {SearchLimits} limits @param {SearchHow} how @returns {SearchFound} */
	search(state, limits, { seed = 0n, rootStep = 0, keepGoing = null, deepen = true } = {}) {
		const started = performance.now(),
			ws = this.ws,
			about = this.about;
		for (const name of [...COUNTERS, "stop", "estimates"]) ws.set(name, 0);
		FACTS.forEach((name, k) => {
			if (ws.has(name)) ws.set(name, about.keeps ? this.facts[k] : 0);
		});
		ws.set("node_limit", limits.nodes ?? 9223372036854775807n);
		ws.set("deadline", limits.seconds == null ? 0 : BigInt(Math.round(started * 1e6 + limits.seconds * 1e9)));
		ws.write(about.reset);
		ws.set("root_step", rootStep);
		this.age = (this.age + 1) % 256;
		ws.set("age", this.age);
		if (ws.has("seed")) ws.set("seed", seed);
		const wanted = Math.min(limits.depth ?? about.deepest, about.deepest);
		/** @type {Iteration[]} */
		const iterations = [];
		let solved = false;
		for (let depth = wanted > 0 && deepen ? 1 : wanted; depth <= wanted; depth++) {
			const nodes = ws.get("nodes"),
				estimates = ws.get("estimates");
			ws.write(about.begin);
			const value = this.iterate(state, depth);
			FACTS.forEach((name, k) => {
				if (ws.has(name)) this.facts[k] |= ws.get(name);
			});
			if (ws.get("stop")) break;
			const strategies = depth > 0 ? this.strategies(state) : [new Map(), new Map()];
			const isProven = ws.get("estimates") === estimates;
			const [units, plies] = this.inUnits(value, isProven);
			iterations.push({
				depth,
				value: units,
				plies,
				raw: value,
				nodes: ws.get("nodes") - nodes,
				seconds: (performance.now() - started) / 1000,
				strategies,
			});
			if (isProven) {
				solved = true;
				break;
			}
			strategies.forEach((mixture, player) => {
				if (mixture.size) ws.set("preferred", likeliest(mixture), player);
			});
			if (keepGoing !== null && !keepGoing(iterations)) break;
		}
		const best = ws.get("stop") ? this.bestSoFar() : null;
		if (!iterations.length) iterations.push(this.emergency(state, started));
		const last = iterations[iterations.length - 1];
		const counters = Object.fromEntries(COUNTERS.map((name) => [name, ws.get(name)]));
		return {
			...last,
			iterations,
			solved,
			best,
			counters,
			nodes: counters.nodes,
			seconds: (performance.now() - started) / 1000,
		};
	}

	/** @param {State} state @param {number} depth @returns {number} */
	iterate(state, depth) {
		const { game, ws, about } = this,
			units = BigInt(depth * about.grain);
		const table = [this.table, about.table.items],
			search = game.code[`search${about.entries[this.seat]}`];
		const place = game.put(state);
		if (about.family === "stages") return search(place, units, ws.place, ...table);
		const node = game.node(state);
		ws.set("root_player", node === 1 ? 1 : 0);
		const value = this.inWindow(depth, (low, high) => search(game.put(state), units, low, high, ws.place, ...table));
		if (!ws.get("stop")) {
			ws.set("expected", value);
			if (!ws.get("proven")) ws.set("estimates", ws.get("estimates") + 1);
		}
		return value;
	}

	/** Search in a window around the last value, in a wider one where the value lies outside. */
	/** @param {number} depth @param {(low: number, high: number) => number} look */
	inWindow(depth, look) {
		const ws = this.ws,
			expected = ws.get("expected"),
			span = ws.get("high") - ws.get("low");
		let margin = depth > 1 && !Number.isNaN(expected) ? this.about.aspiration * span : 0;
		let [low, high] = margin > 0 ? [expected - margin, expected + margin] : [-Infinity, Infinity];
		for (;;) {
			const value = look(low, high),
				noise = ws.get("noise");
			if (ws.get("stop") || (low + noise < value && value < high - noise)) return value;
			margin *= 4;
			if (value <= low + noise) low = margin < span ? value - margin : -Infinity;
			else high = margin < span ? value + margin : Infinity;
		}
	}

	/** Both players' mixtures at the root: probabilities by action. @param {State} state */
	strategies(state) {
		const ws = this.ws,
			acting = this.game.toAct(state),
			mixtures = [new Map(), new Map()];
		for (const player of acting) {
			if (this.about.family === "stages") {
				const count = ws.get("sizes", 0, player);
				for (let k = 0; k < count; k++)
					mixtures[player].set(ws.get("actions", 0, player, k), ws.get(player ? "y" : "x", 0, k));
			} else {
				const count = ws.get("root_count"),
					best = ws.get("preferred", player);
				for (let k = 0; k < count; k++)
					mixtures[player].set(ws.get("actions", 0, k), ws.get("actions", 0, k) === best ? 1 : 0);
			}
		}
		return mixtures;
	}

	/**
	 * The beginning of the principal variation, as far as the search of turns recorded it: joint actions.
	 * @type {EngineSearcher["line"]}
	 */
	line(state) {
		const { ws, game } = this;
		/** @type {Joint[]} */
		const joints = [];
		if (this.about.family !== "turns") return joints;
		const count = ws.get("line_length", 0);
		for (let k = 0; k < count; k++) {
			const action = ws.get("line", 0, k);
			joints.push(game.node(state) === 1 ? [NO_ACTION, action] : [action, NO_ACTION]);
			state = game.next(state, ...joints[k]);
		}
		return joints;
	}

	/** What an unfinished depth says is best; null where it says nothing. */
	bestSoFar() {
		const ws = this.ws,
			best = [ws.get("preferred", 0), ws.get("preferred", 1)];
		const [count, known, player] =
			this.about.family === "turns"
				? [ws.get("root_count"), (k) => ws.get("root_known", k), ws.get("root_player")]
				: this.about.serialised
					? [ws.get("sizes", 0, this.seat), (k) => ws.get("known", 0, 0, k), -1]
					: [0, () => 0, -1];
		for (let k = 0; k < count; k++) if (known(k)) return player >= 0 && best[player] === NO_ACTION ? null : best;
		return null;
	}

	/** A legal answer for a search that was stopped before its first depth. */
	/** @param {State} state @param {number} started @returns {Iteration} */
	emergency(state, started) {
		const strategies = [0, 1].map(
			(player) => new Map(this.game.worthSearching(state, player).map((action, k) => [action, k ? 0 : 1])),
		);
		return {
			depth: 0,
			value: 0,
			plies: null,
			raw: 0,
			nodes: 0,
			seconds: (performance.now() - started) / 1000,
			strategies,
		};
	}

	/** A value without its discount, and the plies to the end where it is a result at a known distance. */
	/** @param {number} value @param {boolean} solved @returns {[value: number, plies: number | null]} */
	inUnits(value, solved) {
		const { discount, bound } = this.about;
		if (!discount) return [value, null];
		const result = this.ws.get(value > 0 ? "best" : "worst");
		if (value * result <= 0) return [value, null];
		const share = value / result,
			isEstimate = Math.abs(value) <= bound && Math.abs(1 - share) > 1e-3;
		const steps =
			this.about.family === "turns"
				? Math.log(share) / Math.log1p(-discount)
				: (1 - share) / discount - this.ws.get("root_step");
		const whole = Number.isFinite(steps) ? Math.round(steps) : 0;
		if ((isEstimate && !solved) || whole < 1 || whole > DEEPEST || Math.abs(steps - whole) > 1e-5) return [value, null];
		return [result, whole];
	}
}

/** The likeliest action, the first of equals. @param {Mixture} mixture */
function likeliest(mixture) {
	let best = NO_ACTION,
		most = -1;
	for (const [action, share] of mixture) if (share > most) [best, most] = [action, share];
	return best;
}

// -- random numbers: NumPy's default generator, PCG64 seeded by a SeedSequence
// ---------------------------------------------

const MASK64 = (1n << 64n) - 1n,
	MASK128 = (1n << 128n) - 1n,
	STEP = 0x2360ed051fc65da44385df649fccf645n;

class Random {
	/**
	 * The generator of `numpy.random.default_rng(seeds)`; each of the seeds is a BigInt that is not negative.
	 * @param {...bigint} seeds
	 */
	constructor(...seeds) {
		const entropy = seeds.flatMap((seed) => {
			const words = [];
			do {
				words.push(Number(seed & 0xffffffffn));
				seed >>= 32n;
			} while (seed);
			return words;
		});
		let constant = 0x43b0d7e5;
		const hashed = (value) => {
			value ^= constant;
			constant = Math.imul(constant, 0x931e8875);
			value = Math.imul(value, constant);
			return (value ^ (value >>> 16)) >>> 0;
		};
		const mixed = (one, other) => {
			const found = (Math.imul(0xca01f9dd, one) - Math.imul(0x4973f715, other)) | 0;
			return (found ^ (found >>> 16)) >>> 0;
		};
		const pool = [0, 1, 2, 3].map((k) => hashed(entropy[k] ?? 0));
		for (let from = 0; from < 4; from++)
			for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
		for (const word of entropy.slice(4)) for (let to = 0; to < 4; to++) pool[to] = mixed(pool[to], hashed(word));
		constant = 0x8b51f9dd;
		const state = [];
		for (let k = 0; k < 8; k++) {
			let value = pool[k % 4] ^ constant;
			constant = Math.imul(constant, 0x58f38ded);
			value = Math.imul(value, constant);
			state.push(BigInt((value ^ (value >>> 16)) >>> 0));
		}
		const word = (k) => state[2 * k] | (state[2 * k + 1] << 32n);
		this.increment = ((((word(2) << 64n) | word(3)) << 1n) | 1n) & MASK128;
		this.state = 0n;
		this.step();
		this.state = (this.state + ((word(0) << 64n) | word(1))) & MASK128;
		this.step();
	}

	step() {
		this.state = (this.state * STEP + this.increment) & MASK128;
	}

	/** 64 random bits. */
	word() {
		this.step();
		const folded = (this.state >> 64n) ^ (this.state & MASK64),
			turn = this.state >> 122n;
		return ((folded >> turn) | (folded << (64n - turn))) & MASK64;
	}

	/** A real from 0 to below 1. */
	real() {
		return Number(this.word() >> 11n) / 9007199254740992;
	}

	/** An action, by its probability. @param {Mixture} mixture */
	chosen(mixture) {
		const total = [...mixture.values()].reduce((sum, share) => sum + share, 0),
			sums = [];
		let sum = 0;
		for (const share of mixture.values()) sums.push((sum += share / total));
		const point = this.real();
		return [...mixture.keys()][
			Math.max(
				0,
				sums.findIndex((one) => one / sum > point),
			)
		];
	}
}

// -- how long to think
// ------------------------------------------------------------------------------------------------------

/** Seconds for a move: no new depth after `soft`, the end at `hard`. `clock` has bank, increment and cap in seconds. */
/** @param {Policy} policy @param {Clock} clock @param {number} roundsLeft */
function allowance(policy, clock, roundsLeft) {
	const usable = clock.bank - Math.min(policy.reserve, 0.1 * clock.bank);
	const isFixed = clock.cap <= clock.increment;
	const kept = Math.min(1, policy.floor * (Number.isFinite(clock.cap) ? clock.cap : clock.bank));
	let seconds = usable;
	if (!isFixed && clock.bank > clock.increment) {
		const spare = Math.max(0, clock.bank - clock.increment - kept);
		seconds = Math.min(usable, 0.9 * clock.increment + Math.min(1, policy.shares / Math.max(1, roundsLeft)) * spare);
		if (clock.bank < clock.increment + kept) seconds = Math.min(seconds, 0.5 * clock.increment + 0.1 * clock.bank);
	}
	if (policy.name === "uniform") return { soft: seconds * policy.soft_share, hard: seconds };
	if (isFixed) return { soft: seconds, hard: seconds };
	const above = Math.max(0, clock.bank - kept);
	return {
		soft: policy.soft_share * seconds,
		hard: Math.max(seconds, Math.min(policy.stretch * seconds, policy.largest * above)),
	};
}

/** Whether to begin another depth after these. */
/** @param {Policy} policy @param {Iteration[]} iterations @param {number} player @param {{ soft: number, hard: number }} allowed */
function keepsGoing(policy, iterations, player, allowed) {
	const spent = iterations[iterations.length - 1].seconds;
	if (spent < allowed.soft) return true;
	if (policy.name === "uniform" || spent >= 0.5 * allowed.hard) return false;
	if (iterations.length < 3) return true;
	const chosen = iterations.slice(-3).map((one) => likeliest(one.strategies[player]));
	const values = iterations.slice(-4).map((one) => (player === 0 ? one.value : -one.value));
	return new Set(chosen).size > 1 || values[values.length - 1] < Math.max(...values) - 0.1;
}

const ENDLESS = { bank: Infinity, increment: 0, cap: Infinity };

/** The exported player. @implements {EnginePlayer} */
class Player {
	/** The player of that number; it may use the `table` of another one that does not think at the same time. */
	/** @param {Game} game @param {number} number @param {number | null} table */
	constructor(game, number = 0, table = null) {
		this.game = game;
		this.table = table;
		this.about = game.about.players[number];
		this.seat = this.moves = 0;
		this.random = this.seeds = new Random(0n);
		/** @type {Map<number, Searcher>} */
		this.searchers = new Map();
	}

	/** A new game begins: as player `seat`, all that is drawn comes from `seed`, a BigInt or null. */
	/** @param {number} seat @param {bigint | null} seed */
	begin(seat, seed = null) {
		const own = seed ?? BigInt(Math.floor(Math.random() * 2 ** 52));
		this.seat = seat;
		this.moves = 0;
		this.random = new Random(own);
		this.seeds = new Random(own, 1n);
		let searcher = this.searchers.get(seat);
		if (!searcher) {
			searcher = new Searcher(this.game, seat, this.about.search, this.table);
			this.searchers.set(seat, searcher);
			const start = this.game.start();
			if (this.game.node(start) !== TERMINAL) searcher.search(start, { depth: 1, nodes: 1000 });
		}
		searcher.clear();
	}

	/**
	 * What to do in a position: the action, and what the search found (null for a forced move). `more` are limits of this
	 * move alone.
	 */
	/** @param {State} state @param {Clock} clock @param {SearchLimits} more @returns {{ action: number, found: SearchFound | null }} */
	choose(state, clock = ENDLESS, more = {}) {
		const { policy, choice } = this.about,
			limits = { ...this.about.limits, ...more },
			seat = this.seat;
		this.moves += 1;
		const actions = this.game.worthSearching(state, seat);
		if (actions.length === 1) return { action: actions[0], found: null };
		const allowed = allowance(policy, clock, Math.max(1, this.game.about.max_depth - this.moves));
		const seconds =
			limits.seconds != null || limits.nodes != null ? limits.seconds : Math.min(Math.max(allowed.hard, 0.001), 10);
		const searcher = this.searchers.get(seat);
		if (!searcher) throw Error("begin is expected before choose");
		const found = searcher.search(
			state,
			{ ...limits, seconds },
			{
				seed: this.seeds.word() >> 1n,
				rootStep: this.moves,
				keepGoing: (iterations) =>
					limits.seconds != null || seconds == null || keepsGoing(policy, iterations, seat, allowed),
			},
		);
		if (found.best !== null) return { action: found.best[seat], found };
		const mixture = found.strategies[seat];
		return { action: choice === "best" ? likeliest(mixture) : this.random.chosen(mixture), found };
	}
}
