// The files of the games, which this one file has in it: FILES and modules are put before it (web/site/single.py).

export const jsonOf = async (name) => FILES[name];

export const bytesOf = async (name) => Uint8Array.from(atob(FILES[name]), (mark) => mark.charCodeAt(0)).buffer;

/** The module with the texts of a game. */
export const textsOf = async (name) => modules[`games/${name}.js`];
