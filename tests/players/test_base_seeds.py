"""Seeds: reproducible from the run's own, and independent for whoever knows only one of them."""

from saddlepoint.arena.schedule import PairingStage, Plan
from saddlepoint.players.base import (
    PLAYER_SEED_BITS,
    SEED_BITS,
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


def test_what_a_player_knows_tells_nothing_of_the_others_draws() -> None:
    """Over many games, equal seeds of one player would be needed to say anything: there are none, and no order in them."""
    pairs = [
        (player_seed(derived_seed(1, "game", n), 0), player_seed(derived_seed(1, "game", n), 1))
        for n in range(2000)
    ]
    for bit in (0, 31, 62):
        assert 850 < sum((a >> bit & 1) == (b >> bit & 1) for a, b in pairs) < 1150
