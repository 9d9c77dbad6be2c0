#!/usr/bin/env bash
# Makes Debian packages of this tree, or tries them in a minimal Debian.
# usage: tools/package.sh build OUT        packages into OUT
#        tools/package.sh try OUT [FOLDER] installs what is in OUT in a minimal Debian in FOLDER, uses it, and purges it
#
# mobilegl         command, client library, vendor files for glvnd (behind every other driver), manual, completions
# mobilegl-server  the server program, which machines that only lend their device need alone
# mobilegl-dbgsym  debug information of both
# Exit code 77 of `try`: it could not be tried here, with the reason.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
home=usr/lib/mobilegl

say() { printf 'package: %s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }
skip() { say "NOT TRIED: $*"; exit 77; }

version() { sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$root/Cargo.toml"; }

# control FOLDER NAME DEPENDS TEXT…
control() {
  local folder=$1 name=$2 depends=$3 short=$4 long=$5
  mkdir -p "$folder/DEBIAN"
  cat >"$folder/DEBIAN/control" <<TEXT
Package: $name
Version: $(version)
Architecture: $arch
Maintainer: The MobileGL developers <mobilegl@localhost>
Installed-Size: $(du -sk "$folder" | cut -f1)
Depends: $depends
Section: libs
Priority: optional
Description: $short
 $long
TEXT
  (cd "$folder" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$folder/DEBIAN/md5sums"
  install -D -m 644 "$root/LICENSE-MIT" "$folder/usr/share/doc/$name/copyright"
}

# Shared libraries that a program is linked with, as packages.
needs_of() {
  local list
  list=$(cd "$work" && mkdir -p debian && : >debian/control &&
    printf 'Source: mobilegl\n\nPackage: mobilegl\nArchitecture: any\n' >debian/control &&
    dpkg-shlibdeps -O --ignore-missing-info "$@" 2>/dev/null | sed -n 's/^shlibs:Depends=//p') || true
  printf '%s' "${list:-libc6, libgcc-s1, libstdc++6}"
}

# strip FILE INTO: debug information goes to where debuggers look for it, by the file's build id.
split() {
  local file=$1 into=$2 id
  id=$(readelf -n "$file" | sed -n 's/.*Build ID: //p' | head -n 1)
  [[ -n $id ]] || fail "$file has no build id"
  mkdir -p "$into/usr/lib/debug/.build-id/${id:0:2}"
  objcopy --only-keep-debug --compress-debug-sections "$file" "$into/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
  strip --strip-unneeded "$file"
}

build() {
  local out=$1 bin=$target/package/release name
  arch=$(dpkg --print-architecture)
  triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
  say "building with debug information"
  (cd "$root" && CARGO_TARGET_DIR=$target/package MOBILEGL_KEEP_DEBUG=1 MOBILEGL_BUILD_STAMP=$(git rev-parse --short=12 HEAD 2>/dev/null || echo package) \
    cargo build --release --locked -p mgl-driver -p mgl-daemon -p mgl-cli)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  local client=$work/mobilegl server=$work/server symbols=$work/symbols
  install -D -m 644 "$bin/libmobilegl.so" "$client/$home/libmobilegl.so"
  install -D -m 755 "$bin/mobilegl" "$client/usr/bin/mobilegl"
  install -D -m 755 "$bin/mobilegl-server" "$server/$home/mobilegl-server"
  local wants
  wants=$(needs_of "$client/$home/libmobilegl.so" "$client/usr/bin/mobilegl")
  local server_wants
  server_wants=$(needs_of "$server/$home/mobilegl-server")
  for name in "$client/$home/libmobilegl.so" "$client/usr/bin/mobilegl" "$server/$home/mobilegl-server"; do
    split "$name" "$symbols"
  done
  # Names by which glvnd and programs ask for it. None of them is one that another package has.
  mkdir -p "$client/usr/lib/$triplet" "$client/$home/dropin" "$client/$home/glx"
  for name in libEGL_mobilegl.so.0 libGLX_mobilegl.so.0; do ln -s ../mobilegl/libmobilegl.so "$client/usr/lib/$triplet/$name"; done
  ln -s ../libmobilegl.so "$client/$home/glx/libGLX_mobilegl.so.0"
  for name in libEGL.so.1 libGL.so.1 libOpenGL.so.0; do ln -s ../libmobilegl.so "$client/$home/dropin/$name"; done
  # 50_mesa.json comes first: who installs this keeps the driver they have until they ask for another one.
  mkdir -p "$client/usr/share/glvnd/egl_vendor.d"
  printf '{"file_format_version":"1.0.0","ICD":{"library_path":"libEGL_mobilegl.so.0"}}\n' \
    >"$client/usr/share/glvnd/egl_vendor.d/90_mobilegl.json"
  mkdir -p "$client/usr/share/man/man1" "$client/usr/share/bash-completion/completions" \
    "$client/usr/share/zsh/vendor-completions" "$client/usr/share/fish/vendor_completions.d"
  "$bin/mobilegl" man | gzip -9n >"$client/usr/share/man/man1/mobilegl.1.gz"
  "$bin/mobilegl" completions bash >"$client/usr/share/bash-completion/completions/mobilegl"
  "$bin/mobilegl" completions zsh >"$client/usr/share/zsh/vendor-completions/_mobilegl"
  "$bin/mobilegl" completions fish >"$client/usr/share/fish/vendor_completions.d/mobilegl.fish"
  control "$client" mobilegl "mobilegl-server (= $(version)), libglvnd0, libegl1, libgl1, $wants" \
    "desktop OpenGL on Vulkan or OpenGL ES" \
    "Client library, vendor files for glvnd and the command mobilegl. Programs use it when they are started with mobilegl run."
  control "$server" mobilegl-server "libvulkan1, $server_wants" "server of MobileGL" \
    "Drives Vulkan or OpenGL ES in a process of its own, for programs of this machine or of others."
  control "$symbols" mobilegl-dbgsym "mobilegl (= $(version))" "debug information of MobileGL" \
    "Debug information of the client library, the command and the server."
  mkdir -p "$out"
  for name in mobilegl:"$client" mobilegl-server:"$server" mobilegl-dbgsym:"$symbols"; do
    dpkg-deb --root-owner-group -Zxz --build "${name#*:}" "$out/${name%%:*}_$(version)_$arch.deb" >/dev/null
    say "$(stat -c '%s bytes  %n' "$out/${name%%:*}_$(version)_$arch.deb")"
  done
}

files_of() { (cd "$new" && find etc usr lib var/lib -xdev \( -path var/lib/dpkg -o -path var/lib/apt -o -path 'var/lib/ucf' \) -prune -o -print | sort); }

try() {
  local out=$1 folder=${2:-$target/fresh} log
  (($(id -u) == 0)) || skip "only root can make a Debian root and enter it"
  if [[ -z ${PACKAGE_INSIDE:-} ]]; then
    unshare --mount true 2>/dev/null || skip "this machine does not allow mounts"
    PACKAGE_INSIDE=1 exec unshare --mount --propagation private "${BASH_SOURCE[0]}" try "$out" "$folder"
  fi
  command -v debootstrap >/dev/null || skip "debootstrap is missing"
  log=$folder/package.log new=$folder/package
  mkdir -p "$folder"
  if [[ ! -e $folder/debian/.whole ]]; then
    rm -rf --one-file-system "$folder/debian"
    debootstrap --variant=minbase bookworm "$folder/debian" >"$log" 2>&1 || skip "debootstrap: $(tail -n 1 "$log")"
    touch "$folder/debian/.whole"
  fi
  rm -rf --one-file-system "$new"
  cp -a "$folder/debian" "$new"
  mount -t proc proc "$new/proc" || skip "/proc cannot be mounted"
  mkdir -p "$new/dev/shm"
  mount -t tmpfs tmpfs "$new/dev/shm" || skip "/dev/shm cannot be mounted"
  local device
  for device in null zero urandom; do
    [[ -c $new/dev/$device ]] || { : >"$new/dev/$device"; mount --bind "/dev/$device" "$new/dev/$device"; }
  done
  cp -L /etc/resolv.conf "$new/etc/resolv.conf"
  inside() { chroot "$new" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null; }
  inside apt-get update -q >"$log" 2>&1 || skip "apt-get update: $(tail -n 1 "$log")"
  # What is needed of Debian is there before, so that what the packages leave behind is theirs alone.
  local others
  others=$(for deb in "$out"/mobilegl_*.deb "$out"/mobilegl-server_*.deb; do dpkg-deb -f "$deb" Depends; done |
    tr ',' '\n' | sed 's/([^)]*)//; s/|.*//; s/ //g' | grep -vE '^(mobilegl.*)?$' | sort -u)
  # shellcheck disable=SC2086
  inside apt-get install -q -y --no-install-recommends $others mesa-vulkan-drivers libegl-mesa0 libgl1-mesa-dri mesa-utils >>"$log" 2>&1 ||
    skip "apt-get install: $(tail -n 1 "$log")"
  files_of >"$folder/before"
  mkdir "$new/srv/packages"
  cp "$out"/*.deb "$new/srv/packages/"
  say "installing"
  inside bash -c 'apt-get install -q -y --no-install-recommends /srv/packages/*.deb' >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "they cannot be installed"; }
  rm -r "$new/srv/packages"
  inside mobilegl info >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "mobilegl info"; }
  grep -q 'Core Profile' "$log" || { cat "$log" >&2; fail "mobilegl info names no version"; }
  say "$(grep -m 1 -i version "$log")"
  inside mobilegl doctor >"$log" 2>&1 || { cat "$log" >&2; fail "mobilegl doctor"; }
  # Whoever does not ask for it has the driver they had.
  # eglinfo ends with an error when one of its platforms has no window system here; what it says of the others counts.
  inside eglinfo >"$log" 2>&1 || true
  grep -q 'EGL vendor string' "$log" || { cat "$log" >&2; fail "no driver answers a program"; }
  # The first answer is the one that programs get; every vendor's devices are listed behind it.
  ! grep -m 1 'EGL vendor string' "$log" | grep -qi mobilegl || { cat "$log" >&2; fail "programs that did not ask for it get it"; }
  inside mobilegl run -- eglinfo >"$log" 2>&1 || true
  grep -qi 'EGL vendor string: *mobilegl' "$log" || { cat "$log" >&2; fail "mobilegl run does not lead to it"; }
  [[ -s $new/usr/share/man/man1/mobilegl.1.gz ]] || fail "there is no manual"
  say "purging"
  inside apt-get purge -q -y 'mobilegl*' >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "they cannot be purged"; }
  files_of >"$folder/after"
  local left
  left=$(comm -13 "$folder/before" "$folder/after" | grep -vE '^(etc/ld.so.cache|var/lib/systemd.*)$' | head -n 5) || true
  [[ -z $left ]] || fail "left behind: $left"
  umount "$new/proc" "$new/dev/shm"
  rm -rf --one-file-system "$new"
  say "held"
}

case ${1:-} in
  build) build "${2:?OUT}" ;;
  try) try "${2:?OUT}" "${3:-}" ;;
  *) sed -n 's/^# usage: //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
