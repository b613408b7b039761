"""Policies as objects, and how far they are from an equilibrium."""

from .cfr_plus import CFRPlus as CFRPlus, CFRPlusResult as CFRPlusResult, cfr_plus as cfr_plus
from .evaluation import (
    BestResponse as BestResponse,
    Evaluation as Evaluation,
    all_choices as all_choices,
    best_response as best_response,
    nash_conv as nash_conv,
    value_of as value_of,
)
from .lower_bound import (
    NashConvBound as NashConvBound,
    mean_at_least as mean_at_least,
    mean_interval as mean_interval,
    nash_conv_bound as nash_conv_bound,
)
from .opponents import (
    OpponentModel as OpponentModel,
    SafeExploitation as SafeExploitation,
    safe_mixture as safe_mixture,
)
from .policy import (
    JoinedPolicy as JoinedPolicy,
    LikeliestPolicy as LikeliestPolicy,
    Mixtures as Mixtures,
    Policy as Policy,
    PolicyError as PolicyError,
    SearchPolicy as SearchPolicy,
    SolutionPolicy as SolutionPolicy,
    TablePolicy as TablePolicy,
    UniformPolicy as UniformPolicy,
    position_seed as position_seed,
    probabilities as probabilities,
    tree_policy as tree_policy,
)
