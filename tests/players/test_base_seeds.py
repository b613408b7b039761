"""Seeds: reproducible from the run's own, and independent for whoever knows only one of them."""

import random
from typing import Any

from saddlepoint.arena.schedule import PairingStage, Plan
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.play.game import play_game
from saddlepoint.players.base import (
    PLAYER_SEED_BITS,
    SEED_BITS,
    Player,
    RandomPlayer,
    derived_seed,
    player_seed,
)


def seeds_of(run: int) -> list[int]:
    """The seeds of all games, players and chance of a run."""
    jobs = Plan(100, ("start",), True, run).jobs(PairingStage((("a", "b"),)))
    return [
        seed
        for job in jobs
        for seed in (
            job.seed,
            player_seed(job.seed, 0),
            player_seed(job.seed, 1),
            derived_seed(job.seed, "chance"),
        )
    ]


def test_a_run_can_be_repeated_and_no_seed_is_another() -> None:
    assert seeds_of(7) == seeds_of(7)
    both = seeds_of(7) + seeds_of(8)
    assert len(set(both)) == len(both)


def test_seeds_are_wide_and_players_get_what_fits_64_bits() -> None:
    games = [derived_seed(1, "game", number) for number in range(400)]
    assert 2 ** (SEED_BITS - 1) <= max(games) < 2**SEED_BITS
    told = [player_seed(seed, side) for seed in games for side in (0, 1)]
    assert 2 ** (PLAYER_SEED_BITS - 1) <= max(told) < 2**PLAYER_SEED_BITS
    for bit in range(PLAYER_SEED_BITS):
        assert 300 < sum(seed >> bit & 1 for seed in told) < 500


class Prophet(Player):
    """Knows how seeds used to be made: guesses the game's from its own, and from that what the other will draw."""

    def begin(self, game: Any, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self.foe: random.Random | None = None
        for number in range(40):
            for guess in (random.Random(f"game 1 {number}").getrandbits(32), number):
                if seed in (
                    random.Random(f"{player} {guess}").getrandbits(32),
                    random.Random(guess).getrandbits(32),
                    guess,
                ):
                    self.foe = random.Random(random.Random(f"{1 - player} {guess}").getrandbits(32))

    def choose(self, state: Any, clock: Any) -> int:
        theirs = self.game.search_actions(state, 1 - self.player)
        drawn = self.foe.choice(theirs) if self.foe is not None else None
        mine = self.game.legal_actions(state, self.player)
        return min((a for a in mine if drawn is not None and a > drawn), default=mine[0])


def test_a_bot_cannot_foresee_what_its_opponent_draws() -> None:
    game, points = Goofspiel(cards=4), 0.0
    for number in range(40):
        prophet = Prophet()
        points += play_game(
            game, (prophet, RandomPlayer()), seed=Plan(1, ("",), seed=1).seed_of(number)
        ).result
        assert prophet.foe is None
    assert points < 0  # it throws its lowest cards away


def test_what_a_player_knows_tells_nothing_of_the_others_draws() -> None:
    """Over many games, equal seeds of one player would be needed to say anything: there are none, and no order in them."""
    pairs = [
        (player_seed(derived_seed(1, "game", n), 0), player_seed(derived_seed(1, "game", n), 1))
        for n in range(2000)
    ]
    for bit in (0, 31, 62):
        agree = sum((a >> bit & 1) == (b >> bit & 1) for a, b in pairs)
        assert 850 < agree < 1150
