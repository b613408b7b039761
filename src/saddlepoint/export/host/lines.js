// The bot: Saddlepoint's line protocol over stdin and stdout (docs/protocol.md), for the one game that this file has.

/** Answers the arena's lines through `send`, which gets whole lines; `takeIn` gives false at `quit`. */
class LinesBot {
	/** @param {Game} game @param {(line: string) => void} send */
	constructor(game, send) {
		this.game = game;
		this.send = send;
		this.player = new Player(game);
		this.seat = 0;
		this.seed = /** @type {bigint | null} */ (null);
		this.state = /** @type {State | null} */ (null);
		this.legal = /** @type {string[]} */ ([]);
		this.actions = /** @type {number[]} */ ([]);
		this.rows = 0;
		this.clock = ENDLESS;
		this.began = false;
		this.told = this.wrong = false;
	}

	/** @param {string} line */
	takeIn(line) {
		if (this.rows) {
			this.rows -= 1;
			return true;
		}
		const [verb, ...words] = line.split(" ");
		if (verb === "quit") return false;
		try {
			this[`on_${verb}`]?.(words);
		} catch (error) {
			this.send(
				`error ${String(error.message ?? error)
					.split("\n")[0]
					.slice(0, 150)}`,
			);
		}
		return true;
	}

	on_game(words) {
		const told = words.join(" ");
		this.wrong = told !== this.game.about.game;
		this.told = true;
		if (this.wrong) throw Error(`this bot plays ${this.game.about.game}, not ${told}`);
	}

	on_seat([seat]) {
		this.seat = Number(seat);
	}

	on_seed([seed]) {
		this.seed = seed === "none" ? null : BigInt(seed);
	}

	on_begin() {
		this.began = false;
		if (!this.told || this.wrong) throw Error("a game is expected before begin");
		this.player.begin(this.seat, this.seed);
		this.began = true;
		this.send("wants words");
		this.send("ready");
	}

	on_position([rows]) {
		this.rows = Number(rows);
		this.state = null;
	}

	on_legal(words) {
		this.legal = words;
	}

	on_words(words) {
		this.state = BigUint64Array.from(words, (word) => BigInt("0x" + word));
	}

	on_actions(words) {
		this.actions = words.map(Number);
	}

	on_clock([bank, increment, cap]) {
		this.clock =
			bank === "none"
				? ENDLESS
				: { bank: Number(bank), increment: Number(increment), cap: cap === undefined ? Infinity : Number(cap) };
	}

	on_go() {
		if (!this.began) throw Error("begin is expected before go");
		if (!this.state || this.state.length !== this.game.about.words)
			throw Error("the position as words is expected: see `wants words` in docs/protocol.md");
		const { action, found } = this.player.choose(this.state, this.clock);
		const place = this.actions.indexOf(action);
		if (place < 0) throw Error(`the search chose ${action}, which is not legal`);
		if (found)
			this.send(`info seconds ${found.seconds} depth ${found.depth} nodes ${found.nodes} value ${found.value}`);
		this.send(`move ${this.legal[place]}`);
	}
}

/** What an exported bot runs: play until `quit`, or the end of the input. @param {Game} game */
function play(game) {
	const bot = new LinesBot(game, (line) => process.stdout.write(line + "\n"));
	let rest = "";
	process.stdin.setEncoding("utf8");
	process.stdin.on("data", (text) => {
		const lines = (rest + text).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) if (!bot.takeIn(line.replace(/\r$/, ""))) process.exit(0);
	});
}
