"""MERT, AdaGrad on the training set and a last MERT as one learner."""
