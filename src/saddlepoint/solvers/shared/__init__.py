"""Solving with many processes: positions are shared out chunk by chunk, with the same solution as on one
machine.
"""

from .solve import SharedInduction as SharedInduction
from .tasks import inspect_rules as inspect_rules, pack_rules as pack_rules, warm_rules as warm_rules
