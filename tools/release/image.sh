#!/usr/bin/env bash
# Builds the image by its Dockerfile and uses it as docs/containers.md says: with buildah and podman of Debian, which need no
# daemon, as root. No registry of images is asked: the base, under its own name, is a Debian by debootstrap, which checks its
# signature, with the Node of that version from npm, by the lock file of tools/nightly. Exit code 0: all of it works.
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in buildah podman runc debootstrap; do
  command -v "$tool" > /dev/null || { echo "$tool is needed: apt-get install buildah podman runc debootstrap" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo 'debootstrap and the isolation by chroot need root' >&2; exit 2; }

work="$(mktemp -d)"
image="localhost/token-assay-$$"
container="token-assay-$$"
store=(--root "$work/images" --runroot "$work/run")
# Without systemd no timer asks for the health; the step below does.
pod() { podman "${store[@]}" --log-level fatal --runtime runc --cgroup-manager cgroupfs "$@"; }
finish() {
  pod rm --force --time 0 "$container" > /dev/null 2>&1 || true
  buildah "${store[@]}" rmi --all --force > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT
say() { printf '== %s\n' "$*"; }
quietly() { "$@" > "$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }; }
# Neither a network of its own nor rights that the caller may not have: it may be a container itself.
limits=(--ulimit nofile=4096:4096 --ulimit nproc=4096:4096)
in_image() { pod run --network host --log-driver none "${limits[@]}" "$@"; }

base="$(sed -n 's/^FROM \(node:[^@]*\).*/\1/p' Dockerfile | head -n 1)"
version="$(sed 's/^node:\([0-9.]*\)-.*/\1/' <<< "$base")"
suite="$(sed 's/^node:[0-9.]*-\([a-z]*\)-slim$/\1/' <<< "$base")"
say "base: Debian $suite with Node $version"
quietly debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/base"
mkdir "$work/node"
cp tools/nightly/package.json tools/nightly/package-lock.json "$work/node/"
quietly npm ci --prefix "$work/node" --ignore-scripts --no-audit --no-fund
node="$work/node/node_modules/node-${version%%.*}/bin/node"
[ "$("$node" --version)" = "v$version" ] || { echo "tools/nightly locks another Node than the Dockerfile has: $version" >&2; exit 1; }
rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/*
cp "$node" "$work/base/usr/local/bin/"
mkdir -p "$work/base/usr/local/lib/node_modules"
cp -R "$work/node/node_modules/npm" "$work/base/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
chroot "$work/base" useradd --uid 1000 --user-group --create-home node
# The authorities that this machine trusts, for npm in the build.
cp /etc/ssl/certs/ca-certificates.crt "$work/base/etc/ssl/certs/"
printf 'FROM scratch\nCOPY base /\nENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n' > "$work/Base"
printf '*\n!base\n' > "$work/.dockerignore"
quietly buildah "${store[@]}" build --isolation chroot --tag "docker.io/library/$base" --file "$work/Base" "$work"
rm -rf "$work/base" "$work/node"

say 'build'
# No image that is built here has the digest of the published one.
sed 's/^\(FROM [^@]*\)@sha256:[0-9a-f]*/\1/' Dockerfile > "$work/Dockerfile"
quietly buildah "${store[@]}" build --isolation chroot --network host --pull-never --format docker --tag "$image" \
  --file "$work/Dockerfile" .

say 'run --embedded'
in_image --rm "$image" run --embedded --quiet

say 'serve, and its health check'
export TOKEN_ASSAY_PASSWORD='Passw0rd!'
port="$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')"
in_image --detach --name "$container" -e TOKEN_ASSAY_PASSWORD -e "TOKEN_ASSAY_PORT=$port" "$image" \
  serve --host 127.0.0.1 --user-name alice > /dev/null
healthy=no
for _ in $(seq 60); do
  if pod healthcheck run "$container" > /dev/null 2>&1; then healthy=yes; break; fi
  sleep 1
done
[ "$healthy" = yes ] || { echo 'it is not healthy after a minute' >&2; exit 1; }

say 'a report into a mounted folder, as its owner'
mkdir "$work/mine"
chown 1234:1234 "$work/mine"
chmod 0755 "$work"
in_image --rm --user 1234:1234 -e TOKEN_ASSAY_PASSWORD -v "$work/mine:/work" "$image" \
  run "http://127.0.0.1:$port" --user-name alice --quiet
[ "$(stat -c %u "$work/mine/token-assay-report/report.json")" = 1234 ]

say 'stop'
pod stop --time 30 "$container" > /dev/null
[ "$(pod inspect --format '{{.State.ExitCode}}' "$container")" = 0 ] || { echo 'serve did not end with 0' >&2; exit 1; }
