// The analysis view: what a position is worth, and why.
//   #/analysis?g=SPEC&s=START&m=MOVES   a game; further: at=PLY, f=FORK and b=MOVES of a branch, review=1, p0= and p1=
//   names, s0= and s1= seats, lost=PLAYER who resigned
//   #/analysis?l=LEDGER&n=GAME          a game of a ledger;  ?r=REPLAY  a file named on the command line;
//   ?dropped=STAMP  a file

import { entryOf } from "../seats.js";
import { openPage } from "./analysis/open.js";
import { Places } from "./analysis/places.js";
import { Analysis } from "./analysis/view.js";
import { analysed } from "./source.js";
import { stylesheet } from "./stylesheet.js";

/** @type {View["mount"]} */
export async function mount(host, params, context) {
	const [catalogue] = await Promise.all([context.catalogue(), stylesheet("static/views/analysis.css", context.signal)]);
	const source = await analysed(params, context);
	if (context.signal.aborted) return () => {};
	if (!source) {
		openPage(host, catalogue, context);
		return () => {};
	}
	const places = new Places(source, context);
	const { range } = await places.load(source.moves, context.signal);
	const view = new Analysis(host, {
		source,
		params,
		entry: entryOf(catalogue, source.game),
		catalogue,
		context,
		range,
		places,
	});
	return () => view.close();
}
