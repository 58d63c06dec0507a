#!/usr/bin/env bash
# Puts Node's own build for Linux x64 into a folder: `tools/release/node/fetch.sh VERSION FOLDER [DIST [KEYS]]`. What comes from DIST
# (default: https://nodejs.org/dist) has the checksum that a releaser of Node has signed; KEYS (default: releasers.gpg here) are those of
# github.com/nodejs/release-keys. Exit code 1: something is not what was signed. 3: DIST cannot be reached.
set -euo pipefail
version="$1" folder="$2" dist="${3:-https://nodejs.org/dist}"
keys="$(realpath "${4:-"$(dirname "$0")/releasers.gpg"}")"
name="node-v$version-linux-x64"
for tool in curl gpgv xz; do
  command -v "$tool" > /dev/null || { echo "$tool is needed: apt-get install curl gpgv xz-utils" >&2; exit 1; }
done
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
get() {
  local status=0
  curl --fail --silent --show-error --location --retry 3 --output "$work/$1" "$dist/v$version/$1" || status=$?
  case $status in
    0) ;;
    5 | 6 | 7 | 28) exit 3 ;;
    *) exit 1 ;;
  esac
}
get SHASUMS256.txt.asc
# Of the file no more than what is signed.
gpgv --quiet --keyring "$keys" --output "$work/signed" "$work/SHASUMS256.txt.asc" 2> "$work/log" ||
  { cat "$work/log" >&2; echo "SHASUMS256.txt of $version is not signed by a releaser of Node" >&2; exit 1; }
awk -v name="$name.tar.xz" '$2 == name' "$work/signed" > "$work/wanted"
[ "$(wc -l < "$work/wanted")" = 1 ] || { echo "no checksum of $name.tar.xz is signed" >&2; exit 1; }
get "$name.tar.xz"
(cd "$work" && sha256sum --check --strict --quiet wanted) >&2 ||
  { echo "$name.tar.xz is not what was signed" >&2; exit 1; }
tar -xJf "$work/$name.tar.xz" -C "$work" "$name/bin/node" "$name/LICENSE"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$work/$name" "$folder"
