"""Disturbs every job and compares what it leaves with an undisturbed run: `make chaos KILLS=100 SEED=1`.

Kills come after a random share of the CPU time that the job needs undisturbed; seeds and counts are printed. A finding is
other bytes, a traceback, or a job that cannot be resumed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from chaos import disturb
from chaos.disturb import Reference, Tally, UnfitJob
from chaos.jobs import Workshop

_SERVICE_KILLS, _RAY_KILLS = 10, 20
KINDS = ("kills", "full", "limits", "readonly", "clock", "serve", "ray")


def disturb_job(
    reference: Reference, kinds: set[str], kills: int, random: Random, folder: Path
) -> list[Tally]:
    """All disturbances of one job."""
    tallies = []
    if "kills" in kinds:
        tallies.append(disturb.kill(reference, kills, random))
    if "full" in kinds and disturb.can_mount(folder / "disk"):
        tallies.append(disturb.fill_disk(reference, 2, random, folder))
    if "limits" in kinds:
        tallies.append(disturb.limit_files(reference, 2, random))
    if "readonly" in kinds:
        tallies.append(disturb.forbid_writing(reference))
    if "clock" in kinds:
        tallies.append(disturb.turn_clock(reference, 1, random))
    return tallies


def chaos(folder: Path, names: list[str], kinds: set[str], kills: int, seed: int) -> list[Tally]:
    """Jobs one after the other; each line is printed when it is known."""
    shop = Workshop(folder)
    tallies: list[Tally] = []
    jobs = [job for job in shop.jobs() if not names or job.name in names]
    for number, job in enumerate(jobs):
        work = folder / "work" / job.name.replace(" ", "-")
        shutil.rmtree(work, ignore_errors=True)
        started = time.process_time() + sum(os.times()[2:4])
        share = kills // len(jobs) + (number < kills % len(jobs))
        try:
            found = disturb_job(Reference(job, work), kinds, share, Random(f"{seed} {job.name}"), folder)
        except UnfitJob as error:
            found = [Tally(job.name, findings=[str(error)])]
        cpu = time.process_time() + sum(os.times()[2:4]) - started
        for tally in found:
            print(tally.line(), flush=True)
        print(f"  {job.name}: {cpu:.1f} CPU s", flush=True)
        tallies += found
    if "serve" in kinds:
        from chaos.serve_kills import kill_service

        tallies.append(kill_service(shop, folder, _SERVICE_KILLS, Random(f"{seed} serve")))
        print(tallies[-1].line(), flush=True)
    if "ray" in kinds:
        from chaos.ray_kills import kill_workers

        tallies.append(kill_workers(shop, folder, _RAY_KILLS, Random(f"{seed} ray")))
        print(tallies[-1].line(), flush=True)
    return tallies


def main() -> int:
    """0 if nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="of all jobs together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--job", action="append", default=[], help="only this one, e.g. 'tune mert'")
    parser.add_argument("--kind", action="append", default=[], choices=KINDS, help="only this disturbance")
    parser.add_argument("--folder", type=Path, help="to work in; default: a temporary one")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    folder = options.folder or Path(tempfile.mkdtemp(prefix="demotic-chaos-"))
    folder.mkdir(parents=True, exist_ok=True)
    tallies = chaos(folder, options.job, set(options.kind or KINDS), options.kills, options.seed)
    done, identical = (sum(getattr(tally, name) for tally in tallies) for name in ("done", "identical"))
    findings = sum(len(tally.findings) for tally in tallies)
    print(f"{done} disturbances, {identical} identical, {findings} findings")
    if not options.folder and not findings:
        shutil.rmtree(folder)
    return int(findings > 0 or done != identical)


if __name__ == "__main__":
    sys.exit(main())
