#!/usr/bin/env bash
# Judges the servers of others where nothing is installed yet: the last commit in a new Debian root, made by debootstrap, with
# Node and npm by the lock file of tools/nightly, `tools/interop/setup.sh` and `npm run docs:interop`. As root, on Linux x64 with npm; some 2 GB and
# a quarter of an hour. Exit code 0: all of them were run, each as expected, and docs/interop.md is what the commit has.
# FRESH_ROOT=FOLDER takes a root that debootstrap made before, and changes it.
set -euo pipefail
cd "$(dirname "$0")/../.."
root="${FRESH_ROOT:-$(mktemp -d)}"
finish() {
  umount "$root/proc" 2> /dev/null || true
  [ -n "${FRESH_ROOT:-}" ] || rm -rf --one-file-system "$root"
}
trap finish EXIT

if [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" http://deb.debian.org/debian
fi
# Versions are those of today, as on a machine that is kept up to date.
for suite in bookworm bookworm-updates; do printf 'deb http://deb.debian.org/debian %s main\n' "$suite"; done > "$root/etc/apt/sources.list"
echo 'deb http://deb.debian.org/debian-security bookworm-security main' >> "$root/etc/apt/sources.list"
# Without this a package may start its service.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
# Behind a proxy with a certificate of its own npm needs it there too.
cp -L "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" "$root/etc/extra-ca.pem"
mount -t proc proc "$root/proc" 2> /dev/null || echo 'without /proc'

mkdir -p "$root/opt/node"
cp tools/nightly/package.json tools/nightly/package-lock.json "$root/opt/node/"
npm ci --prefix "$root/opt/node" --ignore-scripts --no-audit --no-fund --silent
mkdir -p "$root/work"
git archive HEAD | tar -x -C "$root/work"
path=/opt/node/node_modules/node-22/bin:/opt/node/node_modules/.bin:/usr/sbin:/usr/bin:/sbin:/bin
chroot "$root" /usr/bin/env -i PATH="$path" HOME=/root LC_ALL=C.UTF-8 \
  NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem bash -euc '
  cd /work
  cp docs/interop.md /tmp/committed.md
  npm ci --ignore-scripts --no-audit --no-fund
  npx tsx tools/generate.ts
  tools/interop/setup.sh
  npm run --silent docs:interop
  diff /tmp/committed.md docs/interop.md && echo "docs/interop.md is what the commit has"
'
