"""Uploads, read-backs, dispatches, indirect draws and programs against a peer. Must not know a driver's insides."""

import re
import subprocess
import sys

from lanes import clocked, compile_c, in_turns, pairs

# Kind: what one operation is, and how many make a measurement.
KINDS = {
    "buffer": ("64 KiB into a buffer, and a draw from it", 2000),
    "texture": ("128 × 128 texels, and a draw with them", 2000),
    "persistent": ("64 KiB written through a persistent map, and a draw from it", 2000),
    "readback": ("a draw, and 64 × 64 pixels read back", 1000),
    "indirect": ("1,000 indirect draws by one call", 200),
    "compute": ("a dispatch and a barrier", 4000),
    "program": ("another program, and a draw", 10000),
    "compile": ("a new shader compiled, linked and drawn with for the first time", 60),
}


def run(program, shim, kind, lane, arguments):
    """Microseconds per operation: of all processors, and on the wall."""
    command = [str(program), kind, str(KINDS[kind][1])]
    result = subprocess.run(command, env=clocked(lane, shim, arguments), capture_output=True, text=True, timeout=300)
    seen = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", result.stdout)}
    if result.returncode or not seen:
        print(f"bench: load {kind} on {lane}: exit code {result.returncode}: {result.stderr[-300:]}", file=sys.stderr)
        return None
    return {clock: seen[clock] / seen["operations"] / 1000 for clock in ("tree", "wall")}


def measure(program, shim, kind, lanes, arguments):
    """Lane -> the median by each clock."""
    runs = in_turns(f"load {kind}", lanes, lambda lane: run(program, shim, kind, lane, arguments))
    return {
        lane: {clock: sorted(one[clock] for one in seen)[len(seen) // 2] for clock in ("tree", "wall")}
        for lane, seen in runs.items()
    }


def table(shim, lanes, arguments):
    program = compile_c("loads.c", arguments.work / "loads", "-ldl")
    against = pairs(lanes)
    measured = {kind: measure(program, shim, kind, lanes, arguments) for kind in arguments.loads or KINDS}
    for clock, words in (("tree", "of all threads and processes"), ("wall", "on the wall")):
        print(f"\n### loads, microseconds {words} per operation\n")
        print("| " + " | ".join(["operation", *lanes, *(f"{peer} ÷ {lane}" for lane, peer in against)]) + " |")
        print("|" + "---|" * (1 + len(lanes) + len(against)))
        for kind, seen in measured.items():
            cells = [f"{seen[lane][clock]:.1f}" if lane in seen else "–" for lane in lanes]
            for lane, peer in against:
                both = lane in seen and peer in seen
                cells.append(f"{seen[peer][clock] / seen[lane][clock]:.2f}" if both else "–")
            print("| " + " | ".join([KINDS[kind][0], *cells]) + " |")
