"""Many programs on one device at once, one of them with a shader that does not end: only that one may be lost.

  busy.py --out FOLDER [--programs 16] [--limit SECONDS] [--patience SECONDS] -- COMMAND...

COMMAND starts a program on a driver, as `mobilegl run --backend magma --` does; fault.py is put behind it. The others go on
drawing, and looking at what they drew, until the one that hangs has ended. `--limit` is MOBILEGL_GPU_TIMEOUT_S for that one
alone: where a GPU's driver has no watchdog, it is what ends it. Whoever still runs after `--patience` is killed and named.

The exit code is 0 when the others saw nothing of it, and the one that hangs was told of its loss.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

FAULT = pathlib.Path(__file__).with_name("fault.py")


def seen(path):
    """What a program wrote at its end."""
    if not path.exists():
        return {}
    return dict(line.split("=", 1) for line in path.read_text(encoding="ascii").splitlines())


class Program:
    """One of them, in a process group of its own."""

    def __init__(self, command, out, what, limit=None, beside=None):
        out.parent.mkdir(parents=True, exist_ok=True)
        self.out, self.log = out, out.with_suffix(".log")
        self.result = pathlib.Path(f"{out}.seen.txt")
        self.result.unlink(missing_ok=True)
        words = [*command, sys.executable, str(FAULT), "--out", str(out), what]
        words += ["--beside", str(beside)] if beside else []
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        if limit is not None:
            environment["MOBILEGL_GPU_TIMEOUT_S"] = str(limit)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(words, env=environment, stdout=log, stderr=log, start_new_session=True)

    def wait(self, end):
        """True when it ended by itself."""
        try:
            self.process.wait(max(0.0, end - time.monotonic()))
            return True
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
            return False

    def complain(self, what):
        print(f"{self.out.name}: {what}; exit code {self.process.returncode}, saw {seen(self.result)}")
        print(self.log.read_text(encoding="utf-8", errors="replace")[-2000:])
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=16)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--patience", type=float, default=600)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.patience
    over = arguments.out / "over"
    over.unlink(missing_ok=True)
    count = arguments.programs - 1
    others = [Program(arguments.command, arguments.out / f"good{n}", "none", beside=over) for n in range(count)]
    bad = Program(arguments.command, arguments.out / "bad", "hang", limit=arguments.limit)
    good = bad.wait(end) or bad.complain("it was not told of its loss in time")
    # Read before the others are let go: what they write has nothing to do with it.
    told = seen(bad.result)
    if good and (told.get("reset", "0x0") == "0x0" or told.get("egl") != "0x300e"):
        good = bad.complain("it hangs, and was not told of a lost context")
    over.touch()
    for other in others:
        if not other.wait(time.monotonic() + arguments.patience):
            good = other.complain("it does not go on")
            continue
        saw = seen(other.result)
        if (saw.get("after"), saw.get("reset"), saw.get("egl")) != ("51", "0x0", "0x3000"):
            good = other.complain("it lost something to its neighbour")
    print(f"{count} programs beside one that hangs: {'all is well' if good else 'not all is well'}")
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
