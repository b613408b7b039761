"""Light Riders: two riders leave walls behind them; both choose at the same time (riddles.io).

What it brings besides its rules is here: its named players first.
"""

from .. import interface

PLAYERS = interface.Players("light_riders")


@PLAYERS.named(
    "riders_smab",
    origin="a Light Riders bot with SMAB and chambers",
    algorithm="SMAB, window LPs at a remaining depth of 2 and more",
    evaluator="chambers",
    summary="simultaneous-move alpha-beta to a depth that follows the clock",
)
def riders_smab(game, limits, choice: str = "best"):
    """SMAB with chambers, as the first Light Riders program describes its default.

    Its depth follows that program's rule where the clock has a bank (a depth there is a move of one player, two to a
    round); with a fixed time a move it deepens until the time is up.
    """
    from ... import SMAB

    algorithm = SMAB(interface.Chambers(), window_depth=2, table=False)
    return interface.SearchPlayer(
        algorithm,
        limits=limits,
        policy=interface.Uniform(1.0),
        choice=choice,
        depth_rule=True,
        rounds_a_step=0.5,
    )


@PLAYERS.named(
    "riders_killer",
    origin="the same program, as it was shipped",
    algorithm="serialised alpha-beta, transposition table, killers; the longest path when separated",
    evaluator="chambers",
    summary="commits first; drives the longest path when separated",
)
def riders_killer(game, limits):
    """Serialised alpha-beta with a transposition table kept between moves (that program's cached tree), killers, chambers and the endgame.

    Its backtracking endgame is ours, which looks deeper; depth as for riders_smab.
    """
    from ... import SerialisedAlphaBeta

    algorithm = SerialisedAlphaBeta(interface.Chambers(), killers=True)
    return interface.SearchPlayer(
        algorithm,
        limits=limits,
        policy=interface.Uniform(1.0),
        depth_rule=True,
        rounds_a_step=0.5,
        plans=[interface.FillRoom()],
    )


@PLAYERS.named(
    "riders_nash",
    origin="a Light Riders bot with Nash equilibria",
    algorithm="saddle pruning, iterative deepening; the longest path when separated",
    evaluator="queue territory, raw, of terminal positions too",
    summary="equilibria of stage games; the most probable move, or one sampled from the mixed strategy (choice=mixture)",
)
def riders_nash(game, limits, choice: str = "best"):
    """Iterative deepening over stage equilibria with saddle pruning; terminal positions are valued by territory too.

    No new depth after a fifth of the move's time, a third when separated; then the longest path.
    """
    from ... import SaddlePruning
    from .bot import NashClock

    algorithm = SaddlePruning(interface.QueueTerritory(scale=0.0), evaluate_terminal=True, table=False)
    return interface.SearchPlayer(
        algorithm,
        limits=limits,
        policy=NashClock(),
        choice=choice,
        plans=[interface.FillRoom()],
    )


@PLAYERS.named(
    "best",
    algorithm="serialised alpha-beta: null windows, fractional plies, futility pruning, transposition table, killers, history; "
    "the longest path when separated",
    evaluator="prospects: a network over territories, chambers and head positions; fill bounds when separated",
    summary="behind nobody in the games played so far: docs/measurements.md",
)
def riders_best(game, limits):
    """The player of Light Riders that scores best in games here.

    About half of its bank is spent by round 20: that is when games turn, and few last half as long as the board allows.
    """
    policy = interface.Adaptive(shares=5.0, stretch=8.0, soft_share=0.35, largest=0.3)
    return interface.SearchPlayer(
        interface.trails_search(), limits=limits, policy=policy, plans=[interface.FillRoom()]
    )


GAME = interface.Description(
    players=PLAYERS,
    levels=(
        interface.Level("gentle", "riders_smab", nodes=10),
        interface.Level("club", "best", nodes=300),
        interface.Level("strong", "best", nodes=10_000),
    ),
    protocols=(
        interface.Protocol(
            "riddles",
            f"{__package__}",
            "light_riders",
            title="riddles.io's protocol",
            goes_on=True,
            ending="the end of its input",
            player="player:ProcessPlayer",
            bot="bot:run_bot",
            opening="player:opening",
        ),
    ),
    referee="player:REFEREE",
    is_default=True,
    shown="light_riders(width=10, height=10)",
)

__getattr__, __dir__ = interface.attach(__name__, __file__)
