// The files of the games, which this one file has in it: FILES and modules are put before it (web/site/__init__.py).

/** @type {(name: string) => Promise<any>} */
export const jsonOf = async (name) => FILES[name];

/**
 * @param {string} name
 * @returns {Promise<ArrayBuffer>}
 */
export async function bytesOf(name) {
	try {
		return Uint8Array.from(atob(FILES[name]), (mark) => mark.charCodeAt(0)).buffer;
	} catch {
		throw Error(`${name} is damaged in this page: load it again, or export it anew`);
	}
}

/**
 * The module with the texts of a game.
 * @type {(name: string) => Promise<{ makeTexts: (host: EngineGame) => Texts }>}
 */
export const textsOf = async (name) => modules[`games/${name}.js`];
