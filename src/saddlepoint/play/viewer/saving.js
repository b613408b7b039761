// Saves the drawing of a position as a file.

import { html } from "./dom.js";

/**
 * @param {import("./board.js").Board} board
 * @param {string} name
 */
export function saveSvg(board, name) {
	save(new Blob([board.toSVG()], { type: "image/svg+xml" }), `${name}.svg`);
}

/**
 * `scale`: pixels of the file for a unit of the drawing; a cell is 40 units wide.
 * @param {import("./board.js").Board} board
 * @param {string} name
 */
export async function savePng(board, name, scale = 2) {
	save(await pngOf(board.toSVG(), scale), `${name}.png`);
}

/**
 * @param {string} drawing
 * @returns {Promise<Blob>}
 */
export async function pngOf(drawing, scale = 2) {
	const image = new Image();
	image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
	await image.decode();
	const canvas = html("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
	canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
	return new Promise((done, failed) =>
		canvas.toBlob((blob) => {
			if (blob) done(blob);
			else failed(Error("This browser cannot make a picture of that size."));
		}, "image/png"),
	);
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
	const link = html("a", { href: URL.createObjectURL(blob), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
