"""MERT, AdaGrad on the training set and a blend of both as one learner."""
