"""Bots of a few lines, each with one simple idea: what plays best of a game must not be behind any of them.

A bot is a function of the game, the position, its number (0 or 1) and a source of random numbers; it returns a legal action.
"""

import random

from saddlepoint.boards.grid import int_of
from saddlepoint.game.base import NO_ACTION, SIMULTANEOUS, TERMINAL
from saddlepoint.players.base import Player

_SQUARES = ((20, -3, 11, 8), (-3, -7, -4, 1), (11, -4, 2, 2), (8, 1, 2, -3))
"""A quarter of an Othello board, from a corner to the middle: corners are good, the cells beside them bad."""


def _after(game, state, player, action):
    """The position after an action, the other one making its first legal one where both move at once."""
    if game.current_player(state) != SIMULTANEOUS:
        return game.advance(state, *((action, NO_ACTION) if player == 0 else (NO_ACTION, action)))
    other = game.choices(state, 1 - player)[0]
    return game.advance(state, *((action, other) if player == 0 else (other, action)))


def _best(game, state, player, draw, worth):
    """The action that is worth most, one of several drawn."""
    actions = game.choices(state, player)
    draw.shuffle(actions)
    return max(actions, key=worth)


def first_action(game, state, player, draw):
    """Always the first legal action."""
    return game.choices(state, player)[0]


def last_action(game, state, player, draw):
    """Always the last legal action."""
    return game.choices(state, player)[-1]


# -- Goofspiel -----------------------------------------------------------------------------------------------------------


def bid_the_prize(game, state, player, draw):
    """The card of the prize's own value."""
    return _nearest(game, state, player, int(state.prize))


def bid_one_more(game, state, player, draw):
    """The card above the prize's; for the best prize the lowest card."""
    return _nearest(game, state, player, (int(state.prize) + 1) % game.cards)


def bid_about_the_prize(game, state, player, draw):
    """The card of the prize's own value, or one beside it."""
    return _nearest(game, state, player, int(state.prize) + draw.choice((-1, 0, 1)))


def _nearest(game, state, player, wanted):
    return min(game.choices(state, player), key=lambda card: (abs(card - wanted), card))


# -- Oshi-Zumo -----------------------------------------------------------------------------------------------------------


def bid_a_share(game, state, player, draw):
    """A random 5 to 22 % of its coins."""
    coins = int(state.coins1 if player else state.coins0)
    return _nearest(game, state, player, round(coins * draw.uniform(0.05, 0.22)))


def bid_a_share_of_the_needed(game, state, player, draw):
    """A random 7 to 19 % of its coins, or of one coin more than all of the other's if that is less."""
    own, other = (
        int(coins) for coins in ((state.coins1, state.coins0) if player else (state.coins0, state.coins1))
    )
    return _nearest(game, state, player, round(min(own, other + 1) * draw.uniform(0.07, 0.19)))


def bid_a_third(game, state, player, draw):
    """A third of its coins."""
    return _nearest(game, state, player, int(state.coins1 if player else state.coins0) // 3)


def bid_even_parts(game, state, player, draw):
    """What is left in as many parts as the wrestler must be pushed."""
    coins, field = (
        int(state.coins1 if player else state.coins0),
        int(state.field if player == 0 else -state.field),
    )
    return _nearest(game, state, player, coins // max(1, game.size + 1 - field))


# -- Othello -------------------------------------------------------------------------------------------------------------


def take_the_corner(game, state, player, draw):
    """The cell that a table of square values likes best."""

    def worth(action):
        if action >= 64:
            return -100
        x, y = action % 8, action // 8
        near = [min(place, game.size - 1 - place) for place in (x, y)]
        return _SQUARES[near[0]][near[1]]

    return _best(game, state, player, draw, worth)


def take_most_discs(game, state, player, draw):
    """As many discs as possible now."""

    def worth(action):
        after = _after(game, state, player, action)
        discs = int(after.discs0).bit_count() - int(after.discs1).bit_count()
        return -discs if player else discs

    return _best(game, state, player, draw, worth)


def leave_few_moves(game, state, player, draw):
    """Where the other has the fewest moves."""

    def worth(action):
        after = _after(game, state, player, action)
        return -len(game.choices(after, 1 - player)) if game.current_player(after) == 1 - player else 0

    return _best(game, state, player, draw, worth)


# -- columns and lines ---------------------------------------------------------------------------------------------------


def win_block_or_centre(game, state, player, draw):
    """Wins at once, hinders such a win, and else goes to the middle."""
    goal = game.min_utility if player else game.max_utility
    actions = game.choices(state, player)
    middle = sorted(actions, key=lambda action: abs(2 * action - (game.max_actions - 1)))

    def ends_well(before, who, action, result):
        after = _after(game, before, who, action)
        return game.current_player(after) == TERMINAL and game.returns(after) == result

    for action in middle:
        if ends_well(state, player, action, goal):
            return action
    for action in middle:
        after = _after(game, state, player, action)
        replies = game.choices(after, 1 - player) if 1 - player in game.players_to_act(after) else []
        if not any(ends_well(after, 1 - player, reply, -goal) for reply in replies):
            return action
    return middle[0]


def middle_action(game, state, player, draw):
    """The legal action in the middle of all."""
    return min(game.choices(state, player), key=lambda action: abs(2 * action - (game.max_actions - 1)))


# -- trails --------------------------------------------------------------------------------------------------------------


def _next_to(game, cell):
    """The cells beside a cell, by direction; without those outside the field."""
    x, y = game.grid.position(cell)
    beside = {0: (x, y - 1), 1: (x + 1, y), 2: (x, y + 1), 3: (x - 1, y)}
    return {
        way: game.grid.cell(*at)
        for way, at in beside.items()
        if 0 <= at[0] < game.grid.width and 0 <= at[1] < game.grid.height
    }


def _ways(game, state, player):
    """For each direction to a free cell, how many free neighbours that cell has."""
    walls = int_of(state.walls)
    head = int(state.head1 if player else state.head0)
    free = {way: cell for way, cell in _next_to(game, head).items() if not walls >> cell & 1}
    return {
        way: sum(not walls >> on & 1 for on in _next_to(game, cell).values()) for way, cell in free.items()
    }


def _legal(game, state, player, direction):
    return (
        direction
        if direction is not None and direction in game.choices(state, player)
        else game.choices(state, player)[0]
    )


class GoStraight:
    """Goes on in one direction until it is blocked, then to where most cells are free."""

    def __init__(self):
        self._last = None

    def __call__(self, game, state, player, draw):
        ways = _ways(game, state, player)
        if self._last not in ways:
            self._last = max(ways, key=ways.get, default=None)
        return _legal(game, state, player, self._last)


def keep_to_the_wall(game, state, player, draw):
    """To the free cell with the fewest free neighbours, but for those with none."""
    ways = _ways(game, state, player)
    return _legal(game, state, player, min(ways, key=lambda way: ways[way] or 9, default=None))


def keep_to_the_open(game, state, player, draw):
    """To the free cell with the most free neighbours."""
    ways = _ways(game, state, player)
    draw_order = sorted(ways, key=lambda way: draw.random())
    return _legal(game, state, player, max(draw_order, key=ways.__getitem__, default=None))


# -- soccer, pursuit -----------------------------------------------------------------------------------------------------


def run_to_the_goal(game, state, player, draw):
    """With the ball straight to the other's goal, without it to where the ball is."""
    own, other = (int(state.cell1), int(state.cell0)) if player else (int(state.cell0), int(state.cell1))
    row, column = divmod(own, game.width)
    if state.ball == player:
        if not (game.height - 1) // 2 <= row <= game.height // 2:
            return 2 if row < (game.height - 1) // 2 else 0
        return 3 if player else 1
    to_row, to_column = divmod(other, game.width)
    if abs(to_row - row) > abs(to_column - column):
        return 2 if to_row > row else 0
    return 1 if to_column > column else 3


def guard_or_run(game, state, player, draw):
    """With the ball as above, drawing aside now and then; without it between the other and the own goal."""
    if state.ball == player:
        return draw.randrange(5) if draw.random() < 0.3 else run_to_the_goal(game, state, player, draw)
    own = int(state.cell1 if player else state.cell0)
    row, column = divmod(own, game.width)
    home, goal = game.width - 1 if player else 0, game.height // 2
    if column != home:
        return 1 if player else 3
    return 4 if row == goal else 2 if row < goal else 0


def chase_or_flee(game, state, player, draw):
    """Pursuers go nearer, the evader goes further away, as if nobody else moved."""

    def distance(a, b):
        (x, y), (u, v) = game.grid.position(int(a)), game.grid.position(int(b))
        return abs(x - u) + abs(y - v)

    def worth(action):
        if player == 0:
            cell = _next_to(game, int(state.evader))[action]
            return min(distance(cell, state.pursuer0), distance(cell, state.pursuer1))
        first = _next_to(game, int(state.pursuer0))[action // 4]
        second = _next_to(game, int(state.pursuer1))[action % 4]
        return -distance(first, state.evader) - distance(second, state.evader)

    return _best(game, state, player, draw, worth)


EVERYWHERE = {"first action": first_action, "last action": last_action}
"""Bots of every game; `random` is a player of the library."""

_TRAILS = {
    "go straight": GoStraight,
    "keep to the wall": keep_to_the_wall,
    "keep to the open": keep_to_the_open,
}

BOTS = {
    "goofspiel": {
        "bid the prize": bid_the_prize,
        "bid one more": bid_one_more,
        "bid about the prize": bid_about_the_prize,
    },
    "oshi_zumo": {
        "bid a share": bid_a_share,
        "bid a share of the needed": bid_a_share_of_the_needed,
        "bid a third": bid_a_third,
        "bid even parts": bid_even_parts,
    },
    "othello": {
        "take the corner": take_the_corner,
        "most discs": take_most_discs,
        "leave few moves": leave_few_moves,
    },
    "connect_four": {"win, block or centre": win_block_or_centre},
    "tic_tac_toe": {"win, block or centre": win_block_or_centre},
    "simplexity": {"win, block or centre": win_block_or_centre},
    "rubiks_flip": {"win, block or centre": win_block_or_centre},
    "tron": _TRAILS,
    "light_riders": _TRAILS,
    "soccer": {"run to the goal": run_to_the_goal, "guard or run": guard_or_run},
    "pursuit_evasion": {"chase or flee": chase_or_flee},
    "biased_rps": {"middle action": middle_action},
    "random_game": {"middle action": middle_action},
}
"""By game: each bot's idea by a short name."""


class PlainBot(Player):
    """Plays a function of a few lines, or a class of which each game has an instance."""

    def __init__(self, idea) -> None:
        self._idea = idea

    def begin(self, game, player, seed=None) -> None:
        super().begin(game, player, seed)
        self._random = random.Random(seed)
        self._play = self._idea() if isinstance(self._idea, type) else self._idea

    def choose(self, state, clock):
        return int(self._play(self.game, state, self.player, self._random))


def bots_of(game) -> dict:
    """The bots of a game, by name."""
    return EVERYWHERE | BOTS.get(game.name, {})
