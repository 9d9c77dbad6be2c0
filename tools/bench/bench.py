#!/usr/bin/env python3
"""Measures draw overhead of MobileGL against Mesa's zink on the same Vulkan driver, in the same run.

Prints Markdown: a table of piglit's drawoverhead (thousands of draws per CPU second, ratio to zink), and instructions
per draw counted by callgrind on a program that makes a fixed number of draws.
"""

import argparse
import math
import os
import pathlib
import re
import subprocess
import sys

import frames
import loads
from lanes import LANES, PEERS, clocked, compile_c, fail, lane_environment, pairs

CASES = 39
CLOCKS = {"tree": "per CPU second, all threads and processes", "thread": "per CPU second of the client's thread"}


def drawoverhead():
    found = sorted(pathlib.Path("/usr/lib").glob("*/piglit/bin/drawoverhead"))
    return found[0] if found else fail("piglit is not installed")


def run_case(lane, case, shim, arguments):
    """The case's name and its thousands of draws per CPU second: of everything, and of the client's thread alone."""
    log = arguments.work / "clock.log"
    log.unlink(missing_ok=True)
    variables = dict(clocked(lane, shim, arguments), MGL_BENCH_LOG=str(log))
    command = [str(drawoverhead()), "-nocolor", "-fbo", "-test", str(case)]
    try:
        result = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        print(f"bench: case {case} on {lane} did not end within two minutes", file=sys.stderr)
        return None
    match = re.search(r"^\s*\d+,\s*(.*?),\s*(\d+),", result.stdout, re.MULTILINE)
    if result.returncode or not match:
        print(f"bench: case {case} on {lane}: exit code {result.returncode}: {result.stderr[-300:]}", file=sys.stderr)
        return None
    # The last two readings enclose the measurement that was printed.
    start, end = [[int(word) for word in line.split()] for line in log.read_text(encoding="ascii").splitlines()[-2:]]
    everything, thread = end[0] - start[0], end[1] - start[1]
    rate = float(match[2])
    name = re.sub(r"\s+", " ", match[1]).replace("|", "/")
    return name, {"tree": rate, "thread": rate * everything / max(thread, 1)}


def measure_overhead(lanes, shim, arguments):
    """Case name -> lane -> rates. The lanes take turns within a case, so that drift hits all alike."""
    measured = {}
    for case in arguments.cases or range(1, CASES + 1):
        print(f"bench: drawoverhead case {case}", file=sys.stderr)
        for lane in lanes:
            found = run_case(lane, case, shim, arguments)
            if found:
                # drawoverhead numbers only the cases that a driver can run: the name is what two lanes have in common.
                measured.setdefault(found[0], {})[lane] = found[1]
    return measured


def mean(ratios):
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}" if ratios else "–"


def overhead_table(clock, lanes, measured):
    against = pairs(lanes)
    print(f"\n### drawoverhead, thousands of draws {CLOCKS[clock]}\n")
    print("| " + " | ".join(["case", *lanes, *(f"{lane} ÷ {peer}" for lane, peer in against)]) + " |")
    print("|" + "---|" * (1 + len(lanes) + len(against)))
    ratios = {pair: [] for pair in against}
    for name, rates in measured.items():
        value = {lane: rates.get(lane, {}).get(clock) for lane in lanes}
        cells = [f"{value[lane]:.0f}" if value[lane] else "–" for lane in lanes]
        for lane, peer in against:
            both = value[lane] and value[peer]
            cells.append(f"{value[lane] / value[peer]:.2f}" if both else "–")
            if both:
                ratios[lane, peer].append(value[lane] / value[peer])
        print("| " + " | ".join([name, *cells]) + " |")
    print("| " + " | ".join(["**geometric mean**", *("" for _ in lanes), *map(mean, ratios.values())]) + " |")


def instructions(program, kind, variables, arguments):
    """Instructions of this process (children not counted) per draw: the difference of two runs."""
    # Both runs must find the shader in the cache, and must not spin: how long a wait spins is the machine's doing.
    variables = dict(variables, MOBILEGL_IPC_SPIN_US="0")
    subprocess.run([str(program), kind, "1"], env=variables, capture_output=True, timeout=120, check=False)
    counts = []
    for draws in (1000, 5000):
        file = arguments.work / f"callgrind.{kind}.{draws}"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", str(program), kind, str(draws)]
        result = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=600)
        match = re.search(r"Collected : (\d+)", result.stderr)
        if result.returncode or not match:
            print(f"bench: callgrind: {result.stderr[-800:]}", file=sys.stderr)
            return None
        counts.append(int(match[1]))
    return (counts[1] - counts[0]) / 4000


def instruction_table(arguments):
    program = compile_c("draws.c", arguments.work / "draws", "-ldl")
    rows = [("client (spawn)", "spawn", "null"), ("client and null server (monolith)", "monolith", "null")]
    rows += [("client and Magma's own part (monolith)", "monolith", "magma"), ("Mesa llvmpipe, all of it", "llvmpipe", "")]
    kinds = ["plain", "blend", "uniform"]
    print("\n### instructions per draw (callgrind)\n")
    print("| what | plain draw | blend toggled | one uniform changed |")
    print("|---|---|---|---|")
    for title, lane, backend in rows:
        if lane != "llvmpipe" and lane not in arguments.lanes:
            continue
        variables = lane_environment(lane, arguments, backend or "magma")
        cells = [instructions(program, kind, variables, arguments) for kind in kinds]
        print(f"| {title} | " + " | ".join("–" if cell is None else f"{cell:.0f}" for cell in cells) + " |")


def conditions():
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    print(f"Conditions: {cpu[1] if cpu else 'unknown processor'}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}.")


def main():
    parser = argparse.ArgumentParser(prog="./x bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the built programs (./x bench sets it)")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for what is built here (./x bench sets it)")
    parser.add_argument("--lanes", nargs="+", choices=PEERS + LANES, default=["zink", *LANES])
    parser.add_argument("--native-vendor", metavar="FILE", help="glvnd's description of the vendor's EGL, for the lane native")
    parser.add_argument("--zink-preload", metavar="LIBRARY", help="preloaded for zink (NVIDIA needs its EGL library there)")
    parser.add_argument("--cases", nargs="+", type=int, metavar="N", help="only these cases of drawoverhead")
    parser.add_argument("--device", action="store_true", help="use the Vulkan loader's own choice instead of lavapipe")
    parser.add_argument("--no-instructions", action="store_true", help="leave callgrind out")
    parser.add_argument("--frames", action="store_true", help="frame times, memory, and bytes per frame instead, tcp included")
    parser.add_argument("--loads", nargs="*", choices=list(loads.KINDS), help="uploads, read-backs, dispatches and the like instead, or the named ones")
    parser.add_argument("--frame-count", type=int, default=300, metavar="N", help="frames per measurement (default 300)")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    conditions()
    shim = compile_c("cpuclock.c", arguments.work / "cpuclock.so", "-shared", "-fPIC")
    lanes = [lane for lane in PEERS + LANES if lane in arguments.lanes]
    if arguments.frames:
        frames.table(lanes, arguments)
        return
    if arguments.loads is not None:
        loads.table(shim, lanes, arguments)
        return
    measured = measure_overhead(lanes, shim, arguments)
    for clock in CLOCKS:
        overhead_table(clock, lanes, measured)
    if not arguments.no_instructions:
        instruction_table(arguments)


if __name__ == "__main__":
    main()
