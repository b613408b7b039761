// The fits named on the command line, also while they run: what the figures of each generation did.
//   #/fit?f=FIT

import { element } from "../dom.js";
import { stylesheet } from "./stylesheet.js";

const EVERY = 2000; // milliseconds between two looks

/** @type {View["mount"]} */
export async function mount(host, params, context) {
	const [{ fits }] = await Promise.all([context.catalogue(), stylesheet("static/views/arena.css", context.signal)]);
	const chosen = fits.find((one) => one.id === (params.get("f") ?? "1"));
	host.classList.add("arena-view");
	if (!chosen) {
		host.append(
			element("h1", {}, "Fit"),
			element(
				"section",
				{ class: "panel stack" },
				element("p", {}, "No fit is open. A fit learns a game by itself; this page shows how far it is:"),
				element(
					"pre",
					{ class: "mono", tabindex: 0 },
					"saddlepoint fit GAME -o game.weights\nsaddlepoint serve --fit game.weights",
				),
			),
		);
		return () => {};
	}
	context.title(`Fit ${chosen.name}`);
	const status = element("p", { class: "note live", role: "status" });
	const progress = element("progress", { "aria-label": "This step", hidden: true });
	const where = element("span", {});
	const now = element("p", { class: "row" }, where, progress);
	const drawn = element("img", {
		class: "fit-figures",
		alt: "The figures of the table below, over the generations",
		hidden: true,
	});
	const table = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Generations" });
	host.append(
		element(
			"div",
			{ class: "row heading" },
			element("h1", {}, "Fit"),
			element("span", { class: "note mono" }, chosen.name),
			status,
		),
		fits.length > 1 ? others(fits, chosen) : "",
		now,
		drawn,
		table,
	);

	/** @type {string | null} */
	let changed = null;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let timer;
	const look = async () => {
		try {
			if (!document.hidden) {
				const since = changed === null ? "" : `?since=${encodeURIComponent(changed)}`;
				const found = await context.api.get(`/api/fits/${encodeURIComponent(chosen.id)}${since}`, {
					signal: context.signal,
				});
				if (found && found.changed !== changed) {
					changed = found.changed;
					show(found);
				}
			}
		} catch (error) {
			if (error.name === "AbortError") return;
			status.textContent = error.message;
		}
		timer = setTimeout(look, EVERY);
	};
	await look();
	return () => clearTimeout(timer);

	/** @param {Fit} fit */
	function show({ generations, drawn: picture, step }) {
		const kept = generations.filter((one) => one.kept).length;
		const said = generations.length
			? `${generations.length} generation${generations.length === 1 ? "" : "s"}, ${kept} kept`
			: "No generation is finished yet.";
		if (status.textContent !== said) status.textContent = said; // else it would be spoken again
		where.textContent = step
			? [step.generation ? `Generation ${step.generation}` : "", step.what, step.standing].filter(Boolean).join(", ")
			: "It does not run now.";
		progress.hidden = !step?.total;
		if (step?.total) Object.assign(progress, { max: step.total, value: step.done });
		// As an image: the page's policy forbids the styles in it otherwise.
		if (picture) drawn.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
		drawn.hidden = !picture;
		table.hidden = !generations.length;
		table.replaceChildren(
			element(
				"table",
				{ class: "generations" },
				element(
					"thead",
					{},
					element(
						"tr",
						{},
						...["Generation", "Positions", "Cross entropy", "kept apart", "Test: won, drawn, lost", "NashConv", ""].map(
							(text) => element("th", { scope: "col" }, text),
						),
					),
				),
				element("tbody", {}, ...generations.map(row)),
			),
		);
	}
}

/** @param {Generation} generation */
function row({ number, positions, entropy, held_out: apart, gate, nash_conv: distance, kept }) {
	const cells = [
		positions.toLocaleString("en"),
		entropy.toFixed(4),
		apart.toFixed(4),
		gate.join(" – "),
		distance === null ? "" : distance.toPrecision(3),
		kept ? "kept" : "",
	];
	return element("tr", {}, element("th", { scope: "row" }, number), ...cells.map((text) => element("td", {}, text)));
}

/**
 * @param {Listed[]} fits
 * @param {Listed} chosen
 */
function others(fits, chosen) {
	return element(
		"nav",
		{ class: "row", "aria-label": "Fits" },
		...fits.map(({ id, name }) =>
			element(
				"a",
				{
					class: "button",
					href: `#/fit?f=${encodeURIComponent(id)}`,
					"aria-current": id === chosen.id ? "page" : null,
				},
				name,
			),
		),
	);
}
