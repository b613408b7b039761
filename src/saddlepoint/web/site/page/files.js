// The files of the games, from where the page came from.

/** @type {(name: string) => URL} */
const address = (name) => new URL(`../${name}`, import.meta.url);

/** @param {string} name */
async function found(name) {
	const response = await fetch(address(name));
	if (!response.ok) throw Error(`${name} is not where the page came from (${response.status})`);
	return response;
}

/** @type {(name: string) => Promise<any>} */
export const jsonOf = async (name) => (await found(name)).json();

/**
 * The bytes of a file; `tell` is told how many of them are there.
 * @param {string} name
 * @param {(done: number) => void} [tell]
 */
export async function bytesOf(name, tell) {
	const response = await found(name);
	if (!tell || !response.body) return response.arrayBuffer();
	const parts = [],
		reader = response.body.getReader();
	let done = 0;
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		parts.push(part.value);
		tell((done += part.value.length));
	}
	return new Blob(parts).arrayBuffer();
}

/**
 * The module with the texts of a game.
 * @type {(name: string) => Promise<{ makeTexts: (host: EngineGame) => Texts }>}
 */
export const textsOf = (name) => import(`../games/${name}.js`);
