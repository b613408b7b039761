// The files of the games, from where the page came from.

const address = (name) => new URL(`../${name}`, import.meta.url);

export const jsonOf = (name) => fetch(address(name)).then((response) => response.json());

export const bytesOf = (name) => fetch(address(name)).then((response) => response.arrayBuffer());

/** The module with the texts of a game. */
export const textsOf = (name) => import(`../games/${name}.js`);
