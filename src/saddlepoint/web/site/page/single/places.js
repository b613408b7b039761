// Where the page that is one file has its engine and its games: in the file itself.

const held = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
/** @type {string | null} */
let address = null;

export function newWorker() {
	address ??= URL.createObjectURL(new Blob([JSON.parse(held("engine"))], { type: "text/javascript" }));
	return new Worker(address);
}

export const catalogue = async () => new Response(held("catalogue"));
