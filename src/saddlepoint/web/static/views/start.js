// The start page: the games, each one click from being played.
import { element } from "../dom.js";

export async function mount(host, params, { catalogue }) {
  const { games } = await catalogue();
  host.append(element("ul", {}, ...games.map((game) => element("li", {}, game.name))));
}
