from .batch import BatchEnv as BatchEnv, BatchStep as BatchStep
