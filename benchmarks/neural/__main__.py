"""Trains a small Transformer on parallel text, translates test files, and prints a line of JSON with what it took.

    python -m benchmarks.neural --src train.de --tgt train.en --dev-src dev.de --dev-ref dev.en \
        --test-src test.de --minutes 60 --seed 1 --threads 1 --out DIR

Raw text in, raw text out: `DIR/test.out` for `test.de`. With a model in DIR and without `--src` it translates only. The seed and the
number of threads decide the result, and so do the minutes where they end the training.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from demotic.base.files import atomic_write, make_folder, read_lines

try:
    import torch

    from benchmarks.neural.beam import translate
    from benchmarks.neural.model import ModelOptions, Transformer
    from benchmarks.neural.text import Subwords
    from benchmarks.neural.train import TrainOptions, save, train
except ModuleNotFoundError as error:
    sys.exit(
        f"this benchmark needs {error.name}; install what it needs: pip install torch sentencepiece sacrebleu"
    )

LONGEST = 128  # pieces of a sentence; what is beyond is cut off


def main() -> None:
    """Train unless there is nothing to train on, translate, print."""
    given = _arguments()
    begun = time.perf_counter(), time.process_time()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    torch.use_deterministic_algorithms(True)
    made = {"out": str(given.out), "seed": given.seed, "threads": given.threads}
    if given.src:
        made |= _train(given, begun)
    subwords, model = load(given.out)
    for path in given.test_src:
        made[path.name] = _translate(subwords, model, path, given)
    made["peak_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    line = json.dumps(made)
    with open(given.out / "figures.jsonl", "a", encoding="utf-8") as file:
        file.write(line + "\n")
    print(line)


def load(folder: Path, weights: str = "model.pt") -> tuple[Subwords, Transformer]:
    """What was trained, or one of its evaluations."""
    if not (folder / "model.json").exists():
        sys.exit(f"{folder}: no model; give --src and --tgt to train one")
    model = Transformer(ModelOptions(**json.loads((folder / "model.json").read_text("utf-8"))))
    model.load_state_dict(torch.load(folder / weights))
    return Subwords(folder / "pieces.model"), model.eval()


def _train(given: argparse.Namespace, begun: tuple[float, float]) -> dict[str, Any]:
    source, target = list(read_lines(given.src)), list(read_lines(given.tgt))
    if len(source) != len(target):
        sys.exit(f"{given.src} has {len(source)} lines and {given.tgt} has {len(target)}")
    make_folder(given.out)
    pieces = given.out / "pieces.model"
    learnt = pieces.exists()  # the same command goes on where it stopped
    subwords = Subwords(pieces) if learnt else Subwords.learn([*source, *target], given.vocabulary, pieces)
    pairs = list(zip(subwords.encode(source, LONGEST), subwords.encode(target, LONGEST), strict=True))
    options = ModelOptions(len(subwords), dropout=given.dropout)
    with atomic_write(given.out / "model.json") as file:
        json.dump(asdict(options), file)
    model = Transformer(options)
    training = TrainOptions(
        minutes=given.minutes,
        batch=given.batch,
        rate=given.rate,
        warmup=given.warmup,
        every=given.every,
        average=given.average,
        patience=given.patience,
        seed=given.seed,
    )
    dev = subwords.encode(list(read_lines(given.dev_src)), LONGEST)
    history = train(model, subwords, pairs, dev, list(read_lines(given.dev_ref)), training, given.out, begun)
    save(model.state_dict(), given.out / "model.pt")
    size = sum((given.out / name).stat().st_size for name in ("model.pt", "model.json", "pieces.model"))
    best = max(history, key=lambda each: each.bleu)
    return {
        "pairs": len(pairs),
        "minutes": history[-1].minutes,
        "cpu_minutes": history[-1].cpu_minutes,
        "updates": history[-1].update,
        "epochs": history[-1].epoch,
        "best_update": best.update,
        "dev_bleu": best.bleu,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "model_mb": size / 2**20,
        "options": asdict(training) | asdict(options),
    }


def _translate(
    subwords: Subwords, model: Transformer, path: Path, given: argparse.Namespace
) -> dict[str, float]:
    """Write the translation of a file; what it took, without the start of Python and loading."""
    wall, cpu = time.perf_counter(), time.process_time()
    lines = list(read_lines(path))
    found = translate(model, subwords.encode(lines, LONGEST), given.beam, given.rows)
    with atomic_write(given.out / f"{path.stem}.out") as file:
        file.writelines(f"{line}\n" for line in subwords.decode(found))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "sentences": len(lines),
        "seconds": wall,
        "cpu_seconds": cpu,
        "per_second": len(lines) / wall,
        "per_cpu_second": len(lines) / cpu,
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neural", description=__doc__.splitlines()[0])
    default = TrainOptions()
    parser.add_argument("--src", type=Path, help="source side of the training pairs")
    parser.add_argument("--tgt", type=Path, help="target side of the training pairs")
    parser.add_argument("--dev-src", type=Path, help="source of the set that ends the training")
    parser.add_argument("--dev-ref", type=Path, help="its translation")
    parser.add_argument("--test-src", type=Path, action="append", default=[], help="to translate; repeatable")
    parser.add_argument("--out", type=Path, required=True, help="folder of the model and the translations")
    parser.add_argument("--minutes", type=float, default=default.minutes, help="longest training")
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--vocabulary", type=int, default=4000, help="subword pieces of both languages")
    parser.add_argument("--batch", type=int, default=default.batch, help="pieces of a batch on each side")
    parser.add_argument("--rate", type=float, default=default.rate, help="highest learning rate")
    parser.add_argument("--warmup", type=int, default=default.warmup, help="updates until the highest rate")
    parser.add_argument("--dropout", type=float, default=ModelOptions(0).dropout)
    parser.add_argument("--every", type=int, default=0, help="updates between evaluations; 0: about an epoch")
    parser.add_argument(
        "--average", type=int, default=default.average, help="evaluations whose weights count"
    )
    parser.add_argument("--patience", type=int, default=default.patience, help="evaluations without a gain")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--rows", type=int, default=320, help="hypotheses that are extended at once")
    given = parser.parse_args()
    if given.src and not (given.tgt and given.dev_src and given.dev_ref):
        parser.error("--src needs --tgt, --dev-src and --dev-ref")
    return given


if __name__ == "__main__":
    main()
