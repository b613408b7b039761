"""A selection of your own: epsilon-greedy. Every player takes the action with the best mean, and now and then any.

saddlepoint analyze --game goofspiel --algorithm 'smmcts(selection=./own_selection.py:Greedy(epsilon=0.2))'
"""

from dataclasses import dataclass

from saddlepoint import Selection, kernel
from saddlepoint.compiled import weight


@dataclass(frozen=True)
class Greedy(Selection):
    epsilon: float = weight(0.1)  # read when it runs: another value needs no other compilation

    @property
    def exploring(self):
        return self.epsilon

    @kernel
    def mixture(self, own, count, visits, out):
        best = 0
        for k in range(count):
            out[k] = 0.0
            if own[k].total / max(own[k].visits, 1.0) > own[best].total / max(own[best].visits, 1.0):
                best = k
        out[best] = 1.0
