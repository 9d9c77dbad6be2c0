#!/usr/bin/env bash
# Does what README promises to somebody new: a clean clone, an empty cargo home, an ordinary user, in a minimal Debian.
# usage: tools/fresh.sh [FOLDER]     (as root; FOLDER, which keeps the Debian, is made when missing)
#
# `./x demo` must name everything that is missing in one line, before it builds anything; with that line run by root, it
# must draw the picture, and write nothing outside its folders. The Rust toolchain is this machine's, read-only.
# Exit code 0: it held. 77: it could not be tried here, with the reason. Else: it does not hold.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
suite=bookworm
mirror=$(sed -n 's/^URIs: *//p;s/^deb \(http[^ ]*\) '$suite' .*/\1/p' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1 || true)
user=newcomer

say() { printf 'fresh: %s\n' "$*" >&2; }
skip() { say "NOT TRIED: $*"; exit 77; }
fail() { say "FAILED: $*"; exit 1; }

# Mounts live in a namespace of their own and go with it.
if [[ -z ${FRESH_INSIDE:-} ]]; then
  (($(id -u) == 0)) || skip "only root can make a Debian root and enter it"
  command -v debootstrap >/dev/null ||
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends debootstrap </dev/null >/dev/null 2>&1 ||
    skip "debootstrap is missing and could not be installed"
  unshare --mount true 2>/dev/null || skip "this machine does not allow mounts"
  FRESH_INSIDE=1 exec unshare --mount --propagation private "${BASH_SOURCE[0]}" "$@"
fi

folder=${1:-${CARGO_TARGET_DIR:-$root/target}/fresh}
debian=$folder/debian
log=$folder/log
mkdir -p "$folder"

toolchain() { rustc --print sysroot 2>/dev/null || (. "${CARGO_HOME:-$HOME/.cargo}/env" && rustc --print sysroot); }
rust=$(toolchain) || skip "there is no Rust toolchain on this machine"

if [[ ! -e $debian/.whole ]]; then
  say "making a minimal Debian $suite in $debian"
  rm -rf --one-file-system "$debian"
  debootstrap --variant=minbase "$suite" "$debian" ${mirror:+"$mirror"} >"$log" 2>&1 || skip "debootstrap: $(tail -n 1 "$log")"
  touch "$debian/.whole"
fi

# A working copy of it, which is what a person has: nothing is kept from one try to the next.
new=$folder/new
rm -rf --one-file-system "$new"
cp -a "$debian" "$new"
mkdir -p "$new/opt/rust" "$new/dev/shm"
mount --bind "$rust" "$new/opt/rust" && mount -o remount,bind,ro "$new/opt/rust" || skip "the toolchain cannot be mounted"
mount -t proc proc "$new/proc" || skip "/proc cannot be mounted"
mount -t tmpfs tmpfs "$new/dev/shm" || skip "/dev/shm cannot be mounted"
for device in null zero urandom; do
  [[ -c $new/dev/$device ]] || { : >"$new/dev/$device"; mount --bind "/dev/$device" "$new/dev/$device"; }
done
cp -L /etc/resolv.conf "$new/etc/resolv.conf"
# Whom this machine trusts is part of how it reaches the network.
mkdir -p "$new/etc/ssl/certs"
cp -L /etc/ssl/certs/ca-certificates.crt "$new/etc/ssl/machine.crt"
chroot "$new" useradd --create-home --home-dir "/$user" --shell /bin/bash "$user"
git clone -q --no-hardlinks "$root" "$new/$user/mobilegl"
chroot "$new" chown -R "$user:" "/$user"
chmod 755 "$new/$user"

# A login with nothing in its environment but what every login has.
as() {
  local who=$1
  shift
  chroot "$new" env -i HOME="$([[ $who == root ]] && echo /root || echo "/$who")" USER="$who" LC_ALL=C.UTF-8 \
    PATH=/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CARGO_HTTP_CAINFO=/etc/ssl/machine.crt PIP_CERT=/etc/ssl/machine.crt CARGO_TERM_COLOR=never \
    setpriv --reuid "$who" --regid "$who" --init-groups bash -c "$*" </dev/null
}

as root "apt-get update -q" >"$log" 2>&1 || skip "apt-get update: $(tail -n 1 "$log")"
say "./x demo as $user, who may not install anything"
if as "$user" "cd ~/mobilegl && ./x demo" >"$log" 2>&1; then fail "it ran, although packages are missing"; fi
line=$(grep -E '^ *apt-get install ' "$log" || true)
(($(grep -c . <<<"$line") == 1)) || { cat "$log" >&2; fail "it does not name in one line what to install"; }
[[ ! -d $new/$user/mobilegl/target ]] || fail "it built something before it named what is missing"
say "as root:$line"
as root "DEBIAN_FRONTEND=noninteractive ${line/install/install -q -y}" >"$log" 2>&1 || skip "apt-get install: $(tail -n 1 "$log")"
as "$user" "cd ~ && find . -path ./mobilegl -prune -o -print | LC_ALL=C sort" >"$folder/before"
say "./x demo again"
start=$SECONDS TIMEFORMAT='%U %S'
{ time as "$user" "cd ~/mobilegl && ./x demo" >"$log" 2>&1; } 2>"$folder/cpu" ||
  { tail -n 40 "$log" >&2; fail "./x demo ended with an error"; }
tail -n 3 "$log" >&2
[[ -s $new/$user/mobilegl/out/demo.png ]] || fail "there is no picture"
say "the picture was there after $((SECONDS - start)) s; CPU seconds (user, system): $(tail -n 1 "$folder/cpu")"
as "$user" "cd ~/mobilegl && git status --porcelain --untracked-files=all" >"$folder/changed"
[[ ! -s $folder/changed ]] || { cat "$folder/changed" >&2; fail "the clone has files that git does not ignore"; }
# Cargo's own cache is where every Rust program's is, and pip's; the driver keeps what it compiled in its own.
as "$user" "cd ~ && find . \( -path ./mobilegl -o -path ./.cargo/registry -o -path ./.cache/pip -o -path ./.cache/mobilegl \) -prune -o -print |
  grep -vxE './.cargo(/.package-cache.*|/.global-cache|/.crates.*)?|./.cache' | LC_ALL=C sort" >"$folder/after"
added=$(comm -13 "$folder/before" "$folder/after" | sed -n 1,5p)
[[ -z $added ]] || fail "it wrote outside its folders: $added"

say "without a home, and as a user that nobody knows"
bin=/$user/mobilegl/target/demo
chroot "$new" env -i PATH=/usr/bin:/bin setpriv --reuid 4711 --regid 4711 --clear-groups "$bin/mobilegl" info >"$log" 2>&1 ||
  { tail -n 20 "$log" >&2; fail "mobilegl info needs a home"; }
umount "$new/opt/rust" "$new/proc" "$new/dev/shm" && rm -rf --one-file-system "$new"
say "held"
