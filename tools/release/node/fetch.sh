#!/usr/bin/env bash
# Puts Node's own build into a folder: `tools/release/node/fetch.sh VERSION PLATFORM FOLDER [DIST [KEYS]]`; PLATFORM is Node's name,
# such as linux-x64. What comes from DIST (default: https://nodejs.org/dist) has the checksum that a releaser of Node has signed; KEYS
# (default: releasers.gpg here) are those of github.com/nodejs/release-keys. For musl, Node's build group publishes elsewhere, with
# checksums that nobody signs. Exit code 1: something is not what was published. 3: DIST cannot be reached.
set -euo pipefail
version="$1" platform="$2" folder="$3" home=https://nodejs.org/dist signed=yes extension=tar.xz
case "$platform" in
  *-musl) home=https://unofficial-builds.nodejs.org/download/release signed=no ;;
  win-*) extension=zip ;;
esac
dist="${4:-$home}"
keys="$(realpath "${5:-"$(dirname "$0")/releasers.gpg"}")"
name="node-v$version-$platform"
archive="$name.$extension"
for tool in curl gpgv xz unzip; do
  command -v "$tool" > /dev/null || { echo "$tool is needed: apt-get install curl gpgv xz-utils unzip" >&2; exit 1; }
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
if [ "$signed" = yes ]; then
  get SHASUMS256.txt.asc
  # Of the file no more than what is signed.
  gpgv --quiet --keyring "$keys" --output "$work/sums" "$work/SHASUMS256.txt.asc" 2> "$work/log" ||
    { cat "$work/log" >&2; echo "SHASUMS256.txt of $version is not signed by a releaser of Node" >&2; exit 1; }
else
  get SHASUMS256.txt
  mv "$work/SHASUMS256.txt" "$work/sums"
fi
awk -v name="$archive" '$2 == name' "$work/sums" > "$work/wanted"
[ "$(wc -l < "$work/wanted")" = 1 ] || { echo "there is no checksum of $archive" >&2; exit 1; }
get "$archive"
(cd "$work" && sha256sum --check --strict --quiet wanted) >&2 ||
  { echo "$archive is not what was published" >&2; exit 1; }
if [ "$extension" = zip ]; then
  unzip -q "$work/$archive" "$name/node.exe" "$name/LICENSE" -d "$work"
  mkdir "$work/$name/bin"
  mv "$work/$name/node.exe" "$work/$name/bin/"
else
  tar -xJf "$work/$archive" -C "$work" "$name/bin/node" "$name/LICENSE"
fi
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$work/$name" "$folder"
