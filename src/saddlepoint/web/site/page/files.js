// The files of the games, from where the page came from.

const address = (name) => new URL(`../${name}`, import.meta.url);

async function found(name) {
  const response = await fetch(address(name));
  if (!response.ok) throw Error(`${name} is not where the page came from (${response.status})`);
  return response;
}

export const jsonOf = async (name) => (await found(name)).json();

export const bytesOf = async (name) => (await found(name)).arrayBuffer();

/** The module with the texts of a game. */
export const textsOf = (name) => import(`../games/${name}.js`);
