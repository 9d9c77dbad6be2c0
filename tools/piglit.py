#!/usr/bin/env python3
"""Runs a set of piglit's tests on one lane, compares with what is expected, and prints the table against the peers.

  tools/piglit.py --lane spawn                    the OpenGL 3.0 to 3.3 and GLSL 1.40, 1.50, 3.30 groups, every test
  tools/piglit.py --lane spawn --suite core3k     a sample over all of OpenGL, GLSL and their extensions
  tools/piglit.py --lane spawn --suite wsi        windows: the tests of EGL and GLX, under an X server of their own
  tools/piglit.py --lane spawn --backend espryt   the same on the other backend
  tools/piglit.py --lane spawn --every 8          every eighth test of each group only
  tools/piglit.py --lane spawn --shard 2/4        the second quarter of it
  tools/piglit.py --lane spawn --resume           go on with a run that was stopped
  tools/piglit.py --lane spawn --update           run, and write what came out as the new expectation
  tools/piglit.py --lane spawn --validation       with Vulkan's validation layer: a test that it has a word for is worse
  tools/piglit.py --lane llvmpipe                 the same on Mesa, to judge the tests themselves

The transports of a backend share one list of expectations: their results must be equal.
Results may only get better: a test that was expected to pass must pass, and no test may crash or hang unless it
does so on Mesa too (tests/expectations/piglit/excluded.tsv says which, and why).
"""

import argparse
import bz2
import collections
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPECTATIONS = ROOT / "tests/expectations/piglit"
GROUPS = [f"spec@!opengl 3.{minor}" for minor in range(4)] + ["spec@glsl-1.40", "spec@glsl-1.50", "spec@glsl-3.30"]
TRANSPORTS = ["monolith", "inproc", "spawn", "tcp"]
BACKENDS = ["magma", "espryt"]
PROFILES = ["quick_gl", "quick_shader"]
SUITES = ["versions", "core3k", "wsi"]
# Every test of its own process writes to one X server; without -noreset it starts anew whenever the last one leaves.
X_SERVER = ["Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "1280x1024x24", "+extension", "GLX", "-nolisten", "tcp"]
CHUNK = 60
RANK = {"pass": 4, "warn": 3, "fail": 2, "skip": 2, "notrun": 1, "incomplete": 0, "crash": 0, "timeout": 0, "invalid": 0}
# "invalid" is ours: the validation layer has a message, whatever the test itself says.
FATAL = {"crash", "timeout", "incomplete", "invalid"}
MESSAGE = "Vulkan validation:"
MESA = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"


def lavapipe():
    found = sorted(pathlib.Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))
    if not found:
        sys.exit("lavapipe is not installed: apt-get install mesa-vulkan-drivers")
    return str(found[0])


@contextlib.contextmanager
def serving(lane, backend, bin_folder):
    """The transport to choose, while it lasts: for tcp a server behind a loopback port."""
    if lane != "tcp":
        yield lane
        return
    command = [str(bin_folder / "mobilegl"), "serve", "--listen", "tcp://127.0.0.1:0", "--backend", backend]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=software())
    try:
        line = server.stdout.readline()
        address = next((word for word in line.split() if word.startswith("tcp://")), None)
        yield address or sys.exit(f"mobilegl serve said: {line!r}")
    finally:
        server.kill()
        server.wait()


def software():
    """The caller's environment without a choice of driver, with the software drivers of this machine."""
    variables = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", PIGLIT_PLATFORM="surfaceless_egl", LC_ALL="C.UTF-8")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE"):
        variables.pop(name, None)
    return dict(variables, VK_ICD_FILENAMES=lavapipe())


@contextlib.contextmanager
def displaying(suite):
    """The variables of an X server of our own, for the suite that needs windows."""
    if suite != "wsi":
        yield {}
        return
    if not shutil.which("Xvfb"):
        sys.exit("Xvfb is not installed: apt-get install xvfb")
    server = subprocess.Popen(X_SERVER, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=software())
    try:
        number = server.stdout.readline().strip()
        yield {"DISPLAY": f":{number}", "PIGLIT_PLATFORM": "mixed_glx_egl"} if number else sys.exit("Xvfb did not start")
    finally:
        server.terminate()
        server.wait()


def environment(lane, backend, bin_folder, display):
    """The variables that put a program on the lane."""
    variables = dict(software(), **display)
    if lane == "llvmpipe":
        variables.update(GALLIUM_DRIVER="llvmpipe", __EGL_VENDOR_LIBRARY_FILENAMES=MESA, __GLX_VENDOR_LIBRARY_NAME="mesa")
        return variables
    if lane == "zink":
        variables.update(MESA_LOADER_DRIVER_OVERRIDE="zink", __EGL_VENDOR_LIBRARY_FILENAMES=MESA, __GLX_VENDOR_LIBRARY_NAME="mesa")
        return variables
    command = [str(bin_folder / "mobilegl"), "run", "--transport", lane, "--backend", backend, "--print-env"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=variables).stdout
    for line in text.splitlines():
        name, _, value = shlex.split(line)[1].partition("=")
        variables[name] = value
    return variables


def wanted(profile):
    """Names of the profile's tests in our groups, in a fixed order."""
    command = ["piglit", "print-cmd"]
    for group in GROUPS:
        command += ["-t", "^" + re.escape(group).replace(r"\!", "!").replace(r"\ ", " ") + "@"]
    lines = subprocess.run(command + [profile], check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted(line.split(" ::: ")[0] for line in lines if " ::: " in line)


def table(path):
    """First column to second column of a tab-separated file; lines with # are comments."""
    rows = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                columns = line.split("\t")
                rows[columns[0]] = columns[1]
    return rows


def sample(names, every):
    """Every n-th test of each group, in an order that neighbours in the alphabet do not share."""
    if every <= 1:
        return names
    groups = collections.defaultdict(list)
    for name in names:
        groups[name.split("@")[1]].append(name)
    chosen = []
    for members in groups.values():
        members.sort(key=lambda name: hashlib.sha256(name.encode()).digest())
        chosen += members[::every]
    return sorted(chosen)


def outcome(name, result, accepted):
    """piglit's word, unless the validation layer has one that is not accepted for this test."""
    return "invalid" if MESSAGE in result["err"] and name not in accepted else result["result"]


def chunk(profile, names, variables, folder, jobs):
    """Runs the named tests and returns name -> result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    listing = folder / "tests.txt"
    listing.write_text("\n".join(names) + "\n", encoding="utf-8")
    command = ["piglit", "run", f"-j{jobs}", "-p", variables["PIGLIT_PLATFORM"], "--timeout", "60", "-l", "quiet"]
    command += ["--overwrite", "--test-list", str(listing), profile, str(folder / "out")]
    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        subprocess.run(command, check=True, env=variables, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    with bz2.open(folder / "out/results.json.bz2", "rt", encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    accepted = table(EXPECTATIONS / "validation.tsv")
    return {name: outcome(name, result, accepted) for name, result in tests.items()}


def run(profile, names, variables, folder, jobs, resume):
    """Runs the tests chunk by chunk; with `resume` a chunk of the same tests that has its results is not run again."""
    results = {}
    for start in range(0, len(names), CHUNK):
        part = names[start : start + CHUNK]
        where = folder / f"{start:05}"
        done = where / "results.json"
        known = json.loads(done.read_text(encoding="utf-8")) if resume and done.exists() else {}
        if sorted(known) != sorted(part):
            known = chunk(profile, part, variables, where, jobs)
            done.write_text(json.dumps(known), encoding="utf-8")
        results.update(known)
        counts = collections.Counter(results.values())
        words = ", ".join(f"{n} {r}" for r, n in sorted(counts.items()))
        print(f"{profile}: {len(results)} of {len(names)}: {words}", file=sys.stderr, flush=True)
    return results


def group(name):
    """The row of the table that a test belongs to."""
    parts = name.split("@")
    family = parts[1] if parts[0] == "spec" and len(parts) > 2 else ""
    for start, row in (("!opengl ", None), ("arb_", "ARB extensions"), ("ext_", "EXT extensions"), ("glsl-", None)):
        if family.startswith(start):
            return row or (f"OpenGL {family[8]}.x" if start[0] == "!" else f"GLSL {family[5:]}")
    return "others"


def compare(title, results, peers):
    """A table by group: passed of run, beside the peers on the same tests."""
    names = ["llvmpipe", "zink", title]
    rows = collections.defaultdict(lambda: [collections.Counter() for _ in names])
    for name, result in results.items():
        for row in (group(name), "all"):
            for counter, value in zip(rows[row], [*peers[name], result]):
                counter[value] += 1
    def cell(counts):
        bad = counts["fail"], sum(counts[r] for r in FATAL), counts["skip"]
        return f"{counts['pass'] + counts['warn']}/" + "/".join(str(n) for n in bad)
    print("pass/fail/crash/skip".ljust(24) + "".join(name.rjust(22) for name in names))
    for row in sorted(rows, key=lambda row: (row == "all", row)):
        print(row.ljust(24) + "".join(cell(counts).rjust(22) for counts in rows[row]))


def judge(results, expected):
    """Sentences for what got worse, and the names of what got better."""
    worse, better = [], []
    for name, result in sorted(results.items()):
        before = expected.get(name)
        if result in FATAL:
            worse.append(f"{name}: {result} (expected {before or 'no crash, no hang, valid use of Vulkan'})")
        elif before is None:
            continue
        elif RANK[result] < RANK.get(before, 0):
            worse.append(f"{name}: {result}, expected {before}")
        elif RANK[result] > RANK.get(before, 0):
            better.append(f"{name}: {result}, expected {before}")
    return worse, better


def expectation(lane, backend, suite):
    """All transports of a backend must give the results of one file."""
    folder = EXPECTATIONS if suite == "versions" else EXPECTATIONS / suite
    return folder / f"{backend if lane in TRANSPORTS else lane}.tsv"


def peers_of(suite):
    """Profile to tests of a listed suite, and test to the peers' results."""
    lists, peers = collections.defaultdict(list), {}
    for line in (EXPECTATIONS / suite / "peers.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, profile, *results = line.split("\t")
            lists[profile].append(name)
            peers[name] = results
    return lists, peers


def shard(names, text):
    """The i-th of n parts, so that each part has tests of every group."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    i, n = (int(number) for number in found.groups()) if found else (0, 0)
    if not 1 <= i <= n:
        sys.exit(f"--shard {text}: use I/N with I from 1 to N, as in 1/4")
    return names[i - 1 :: n]


def write(path, results, expected):
    rows = dict(expected, **results)
    lines = [f"# piglit on {path.stem}: test<TAB>result. Written by tools/piglit.py --update; results may only get better."]
    lines += [f"{name}\t{result}" for name, result in sorted(rows.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lane", required=True, choices=[*TRANSPORTS, "llvmpipe", "zink"])
    parser.add_argument("--backend", choices=BACKENDS, default="magma")
    parser.add_argument("--suite", choices=SUITES, default="versions")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="only the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="keep the results that a stopped run left")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every n-th test of each group")
    parser.add_argument("--update", action="store_true", help="write the results as the new expectation")
    parser.add_argument("--validation", action="store_true", help="load Vulkan's validation layer, synchronisation checks included")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--bin", type=pathlib.Path, default=os.environ.get("MOBILEGL_TEST_BIN"), help="folder of the built programs")
    parser.add_argument("--out", type=pathlib.Path, help="folder for piglit's own results")
    parser.add_argument("--only", metavar="REGEX", help="only tests whose name matches")
    arguments = parser.parse_args()
    if arguments.lane in TRANSPORTS and not arguments.bin:
        sys.exit("say with --bin or MOBILEGL_TEST_BIN where mobilegl was built")

    bin_folder = pathlib.Path(arguments.bin or ".").resolve()
    title = f"{arguments.backend}-{arguments.lane}" if arguments.lane in TRANSPORTS else arguments.lane
    out = (arguments.out or bin_folder.parent / "piglit").resolve() / arguments.suite / title
    expected = table(expectation(arguments.lane, arguments.backend, arguments.suite))
    lists, peers = ({}, {}) if arguments.suite == "versions" else peers_of(arguments.suite)
    excluded = {} if arguments.lane == "llvmpipe" else table(EXPECTATIONS / "excluded.tsv")
    if arguments.validation:
        os.environ["MOBILEGL_VK_VALIDATION"] = "sync"
    results = {}
    with serving(arguments.lane, arguments.backend, bin_folder) as transport, displaying(arguments.suite) as display:
        variables = environment(transport, arguments.backend, bin_folder, display)
        for profile in PROFILES:
            names = lists.get(profile, []) if lists else wanted(profile)
            if not names:
                continue
            names = [name for name in sample(names, arguments.every) if name not in excluded]
            if arguments.only:
                names = [name for name in names if re.search(arguments.only, name)]
            names = shard(names, arguments.shard)
            results.update(run(profile, names, variables, out / profile, arguments.jobs, arguments.resume))

    worse, better = judge(results, expected)
    counts = collections.Counter(results.values())
    print(f"{title}: {len(results)} tests, " + ", ".join(f"{n} {r}" for r, n in sorted(counts.items())))
    if peers:
        compare(title, results, peers)
    for line in better:
        print("better:", line)
    for line in worse:
        print("WORSE:", line)
    if arguments.update:
        write(expectation(arguments.lane, arguments.backend, arguments.suite), results, expected)
    elif worse:
        sys.exit(f"{len(worse)} results got worse")
    elif better:
        print(f"{len(better)} results got better: record them with --update")


if __name__ == "__main__":
    main()
