"""A plain search to a few plies, with which the fitting programs play their games."""

from saddlepoint.compiled import jit


@jit
def negamax(game, evaluator, state, sign, depth, low, high, actions):
    """The value for who moves (`sign` is 1 for player 0, else -1), with results a little better the sooner they come."""
    player = game.current_player(state)
    if player < 0:
        return game.returns(state) * sign * (2.0 + 0.01 * depth)
    if depth <= 0:
        return evaluator.evaluate(game, state) * sign
    best = -9.0
    for k in range(game.search_actions(state, player, actions[depth])):
        follower = game.next_state(state, actions[depth, k])
        value = -negamax(game, evaluator, follower, -sign, depth - 1, -high, -low, actions)
        if value > best:
            best = value
        if best > low:
            low = best
        if low >= high:
            break
    return best


@jit
def choose_move(game, evaluator, state, depth, actions, rng):
    """The best move of a search to that depth; a random one of equals. The players move in turn."""
    player = game.current_player(state)
    count = game.search_actions(state, player, actions[depth])
    best, chosen = -9.0, actions[depth, 0]
    for k in range(count):
        follower = game.next_state(state, actions[depth, k])
        sign = -1.0 if player == 0 else 1.0
        value = -negamax(game, evaluator, follower, sign, depth - 1, -9.0, 9.0, actions) + 1e-6 * rng.random()
        if value > best:
            best, chosen = value, actions[depth, k]
    return chosen
