"""The drivers that are measured: how a program is put on one. Must not know what is measured."""

import contextlib
import os
import pathlib
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MESA = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"
# glibc's trimming of the heap swamps the cases that change state; switched off for both sides alike.
MALLOC = {
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_TRIM_THRESHOLD_": "4294967296",
    "MALLOC_TOP_PAD_": "67108864",
}
PEERS = ["native", "zink"]
LANES = ["monolith", "inproc", "spawn"]
ROUNDS = 3


def fail(text):
    sys.exit("bench: " + text)


def lavapipe():
    found = sorted(pathlib.Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))
    return str(found[0]) if found else fail("lavapipe is not installed: apt-get install mesa-vulkan-drivers")


def software(arguments):
    """The caller's environment without a choice of driver; the software drivers of this machine unless it asks for others."""
    variables = dict(os.environ, **MALLOC, PIGLIT_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "GALLIUM_DRIVER", "MOBILEGL_TRANSPORT", "MOBILEGL_BACKEND"):
        variables.pop(name, None)
    if arguments.device:
        variables.pop("LIBGL_ALWAYS_SOFTWARE")
    else:
        variables["VK_ICD_FILENAMES"] = lavapipe()
    return variables


def lane_environment(lane, arguments, backend="magma"):
    variables = software(arguments)
    if lane == "native":
        if arguments.native_vendor:
            variables["__EGL_VENDOR_LIBRARY_FILENAMES"] = arguments.native_vendor
        return variables
    if lane == "zink":
        variables.update(MESA_LOADER_DRIVER_OVERRIDE="zink", __EGL_VENDOR_LIBRARY_FILENAMES=MESA)
        # Mesa's GL threading only moves the front end's cost off the calling thread; without it, what is counted
        # there is the same work on both sides.
        variables["mesa_glthread"] = "false"
        return variables
    if lane == "llvmpipe":
        variables.update(GALLIUM_DRIVER="llvmpipe", __EGL_VENDOR_LIBRARY_FILENAMES=MESA)
        return variables
    command = [str(arguments.bin / "mobilegl"), "run", "--transport", lane, "--backend", backend, "--print-env"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=variables).stdout
    for line in text.splitlines():
        name, _, value = shlex.split(line)[1].partition("=")
        variables[name] = value
    return variables


def clocked(lane, shim, arguments):
    """The environment of a lane, with the clock of all its threads and processes preloaded."""
    extra = [arguments.zink_preload] if lane == "zink" and arguments.zink_preload else []
    return dict(lane_environment(lane, arguments), LD_PRELOAD=":".join([str(shim), *extra]))


def pairs(lanes):
    """Each of ours against each peer."""
    return [(lane, peer) for lane in lanes for peer in lanes if lane in LANES and peer in PEERS]


def in_turns(what, lanes, run):
    """Lane -> what ROUNDS runs gave, without those that failed. The lanes take turns, so that drift hits all alike."""
    runs = {lane: [] for lane in lanes}
    for _ in range(ROUNDS):
        for lane in lanes:
            print(f"bench: {what} on {lane}", file=sys.stderr)
            seen = run(lane)
            runs[lane] += [seen] if seen else []
    return {lane: seen for lane, seen in runs.items() if seen}


def compile_c(source, target, *flags):
    command = ["cc", "-O2", "-o", str(target), str(HERE / source), *flags]
    if subprocess.run(command).returncode:
        fail(f"{source} does not compile")
    return target


@contextlib.contextmanager
def served(lane, arguments, backend="magma"):
    """The environment of a lane while it lasts, with the server that it needs: `tcp` is a server behind a loopback port."""
    if lane != "tcp":
        yield lane_environment(lane, arguments, backend)
        return
    command = [str(arguments.bin / "mobilegl"), "serve", "--listen", "tcp://127.0.0.1:0", "--backend", backend]
    base = software(arguments)
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=base)
    try:
        line = server.stdout.readline()
        address = next((word for word in line.split() if word.startswith("tcp://")), None)
        yield lane_environment(address or fail(f"mobilegl serve said: {line!r}"), arguments, backend)
    finally:
        server.kill()
        server.wait()
