"""Frame times, memory, and what crosses per frame, transport against transport. Must not know a driver's insides."""

import re
import subprocess
import sys

from lanes import LANES, compile_c, in_turns, served

KINDS = {"draws": "800 draws, a uniform each", "uploads": "two uploads of 512 KiB, one of them always the same, and 50 draws"}
TRANSPORTS = LANES + ["tcp"]


def run(program, kind, count, variables):
    """What one run printed: frame times (microseconds) and memory (KiB), with the totals of the client's counters."""
    command = [str(program), kind, str(count)]
    result = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=600)
    if result.returncode:
        print(f"bench: frames {kind}: exit code {result.returncode}: {result.stderr[-300:]}", file=sys.stderr)
        return None
    words = re.findall(r"(\w+)=(\d+)", result.stdout)
    totals = [line for line in result.stderr.splitlines() if line.startswith("mobilegl-stats") and " total:" in line]
    words += re.findall(r"(\w+)=(\d+)", totals[-1]) if totals else []
    return {name: int(value) for name, value in words}


def measure(program, kind, lanes, arguments):
    """Lane -> the run with the median 99th percentile."""
    def once(lane):
        with served(lane, arguments) as variables:
            return run(program, kind, arguments.frame_count, dict(variables, MOBILEGL_PIPE_STATS="0"))
    runs = in_turns(f"frames {kind}", lanes, once)
    chosen = {lane: sorted(seen, key=lambda run: run["p99"])[len(seen) // 2] for lane, seen in runs.items()}
    for lane in chosen:
        if lane in TRANSPORTS:
            chosen[lane].update(crossing(program, kind, lane, arguments))
    return chosen


def crossing(program, kind, lane, arguments):
    """Counters per frame: the difference of two runs, so that what starting costs does not count."""
    short, long = 20, 120
    totals = []
    for count in (short, long):
        with served(lane, arguments) as variables:
            totals.append(run(program, kind, count, dict(variables, MOBILEGL_PIPE_STATS="1")) or {})
    names = set(totals[0]) & set(totals[1]) - {"mean", "p50", "p99", "own_kib", "children_kib"}
    return {"frame_" + name: (totals[1][name] - totals[0][name]) / (long - short) for name in names}


def cell(value, form="{:.0f}"):
    return "–" if value is None else form.format(value)


def table(lanes, arguments):
    program = compile_c("frames.c", arguments.work / "frames", "-ldl")
    lanes = [lane for lane in lanes if lane not in TRANSPORTS] + [lane for lane in TRANSPORTS if lane in [*lanes, "tcp"]]
    for kind, words in KINDS.items():
        chosen = measure(program, kind, lanes, arguments)
        base = chosen.get("monolith") or {}
        print(f"\n### frames of {words}\n")
        print("| lane | p50, µs | p99, µs | p99 ÷ monolith | memory of all processes, KiB | ÷ monolith | records per frame "
              "| ring bytes per frame | staged bytes per frame | socket bytes per frame |")
        print("|" + "---|" * 10)
        for lane, seen in chosen.items():
            memory = None if lane == "tcp" else seen["own_kib"] + seen["children_kib"]
            whole = base.get("own_kib")
            cells = [lane, cell(seen["p50"]), cell(seen["p99"]), cell(base and seen["p99"] / base["p99"], "{:.2f}"),
                     cell(memory), cell(memory and whole and memory / whole, "{:.2f}")]
            cells += [cell(seen.get("frame_" + name)) for name in ("records", "ring_bytes", "staged_bytes", "stream_sent")]
            print("| " + " | ".join(cells) + " |")
