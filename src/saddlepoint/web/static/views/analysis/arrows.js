// Mixtures as arrows on the board: from what a player moves to where it goes, as wide as it is probable.

const LEAST = 0.01; // a share below it is not drawn
const SHOWN = 3; // of a list of moves, the best

/** Where a move begins: at what is moved, else at the player's head, else at its own cell. */
function origin(move, picture) {
  if (move.start) return move.start;
  const trail = (picture.trails ?? []).find((one) => one.owner === move.player);
  return trail?.cells.at(-1) ?? move.to;
}

function arrow(picture, player, action, share, label) {
  const move = (picture.moves ?? []).find((one) => (one.player ?? 0) === player && (one.action ?? 0) === action);
  return move?.to ? { player, from: origin(move, picture), to: move.to, share, label } : null;
}

/** The arrows of both mixtures of a stage matrix, or of the best moves of a list. */
export function arrowsOf(table, picture) {
  if (!table) return [];
  if (table.rows) {
    return [table.rows, table.columns].flatMap((actions, player) => actions.map(([action], place) => {
      const share = table.mixtures?.[player]?.[place] ?? 0;
      return share < LEAST ? null : arrow(picture, player, action, share, `${Math.round(100 * share)} %`);
    })).filter(Boolean);
  }
  const sign = table.player === 0 ? 1 : -1;
  const known = table.moves.filter(([, , value]) => value !== null).sort((a, b) => sign * (b[2] - a[2])).slice(0, SHOWN);
  return known.map(([action, , value], place) => arrow(picture, table.player, action, 1 / (1 + place), signedShort(value))).filter(Boolean);
}

/** The arrows of one joint move. */
export function arrowsTo(joint, picture) {
  return joint.map((action, player) => (action < 0 ? null : arrow(picture, player, action, 1, ""))).filter(Boolean);
}

const signedShort = (value) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(2);
