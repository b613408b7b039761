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

/** @type {(name: string) => Promise<ArrayBuffer>} */
export const bytesOf = async (name) => (await found(name)).arrayBuffer();

/**
 * The module with the texts of a game.
 * @type {(name: string) => Promise<{ makeTexts: (host: EngineGame) => Texts }>}
 */
export const textsOf = (name) => import(`../games/${name}.js`);
