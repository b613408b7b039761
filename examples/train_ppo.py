"""Train a network by PPO against random moves, a few hundred games at once, and play it against the library's `random`.

    pip install '.[gymnasium]' sb3-contrib      # in a checkout; sb3-contrib brings PyTorch, hundreds of megabytes
    python examples/train_ppo.py [--game connect_four] [--steps 400000]

The learner is Stable-Baselines3's, with masks of legal actions (`MaskablePPO`). It takes vectors of environments of a kind of its own,
`VecEnv`: `Vector` makes one of `GameVectorEnv`.
"""

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from saddlepoint.interop.gymnasium import GameEnv
from saddlepoint.interop.gymnasium_vector import GameVectorEnv


def inputs(seen: Any, count: int) -> Any:
    """Observations as rows of numbers."""
    return np.asarray(seen, np.float32).reshape(count, -1)


class Vector(VecEnv):
    """Games of Saddlepoint as Stable-Baselines3 wants them: rows of numbers, and an info of each game."""

    def __init__(self, games: GameVectorEnv, seed: int) -> None:
        self.games, self._seed = games, seed
        size = int(np.prod(games.single_observation_space.shape))
        super().__init__(games.num_envs, spaces.Box(0.0, 1.0, (size,), np.float32), games.single_action_space)

    def reset(self) -> Any:
        seen, infos = self.games.reset(seed=self._seed)
        self.masks = infos["action_mask"]
        return inputs(seen, self.num_envs)

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        seen, rewards, ended, _, infos = self.games.step(self._actions)
        self.masks = infos["action_mask"]
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for number in np.nonzero(ended)[0]:
            told[number]["terminal_observation"] = inputs(infos["final_obs"][number], 1)[0]
        return inputs(seen, self.num_envs), rewards.astype(np.float32), ended, told

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **named: Any) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return list(self.masks.astype(bool))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name == "action_masks":  # whether it is there is asked so
            return [None] * self.num_envs
        return [getattr(self.games, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.games.close()


def score(model: Any, game: str, opponent: str, games: int) -> list[int]:
    """Wins, draws and losses of the network as player 0, playing its likeliest legal action."""
    env, counts = GameEnv(game, opponent), [0, 0, 0]
    for seed in range(games):
        seen, info = env.reset(seed=seed)
        reward, over = 0.0, False
        while not over:
            action, _ = model.predict(inputs(seen, 1)[0], action_masks=info["action_mask"].astype(bool), deterministic=True)
            seen, reward, over, _, info = env.step(int(action))
        counts[0 if reward > 0 else 1 if reward == 0 else 2] += 1
    env.close()
    return counts


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--steps", type=int, default=400_000, help="moves of the network in training")
    parser.add_argument("--count", type=int, default=256, help="games at once")
    parser.add_argument("--games", type=int, default=200, help="games against `random` before and after")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    games = Vector(GameVectorEnv(options.game, options.count), options.seed)
    model = MaskablePPO(
        "MlpPolicy", games, n_steps=32, batch_size=1024, n_epochs=4, gamma=0.99, ent_coef=0.01, learning_rate=1e-3, seed=options.seed,
        device="cpu", policy_kwargs={"net_arch": [128, 128]},
    )  # fmt: skip
    print("before: {} wins, {} draws, {} losses".format(*score(model, options.game, "random", options.games)), flush=True)
    started = time.perf_counter()
    model.learn(options.steps)
    seconds = time.perf_counter() - started
    print(f"trained on {model.num_timesteps:,} moves in {seconds:.0f} s")
    print("after:  {} wins, {} draws, {} losses".format(*score(model, options.game, "random", options.games)))


if __name__ == "__main__":
    main()
