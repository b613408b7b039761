// What stands under the board: the move that led to the position, and who won.

import { hasWon } from "../../game.js";

export function saidOf({ node, result }, place, players) {
  const { names, chance } = place.told ?? {};
  const last = chance ? `Chance: ${names[0]}`
    : place.before && names ? names.map((name, player) => (name ? `${players[player]}: ${name}` : "")).filter(Boolean).join(", ") : "The start";
  if (node !== "over") return last;
  return `${last}. ${result ? `${hasWon(players[result > 0 ? 0 : 1])}.` : "Drawn."}`;
}
