"""A small Transformer, trained from scratch on the same pairs as Demotic: `python -m benchmarks.neural`.

It needs PyTorch and sentencepiece, which nothing else here needs: `pip install torch sentencepiece`.
"""
