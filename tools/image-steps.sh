#!/usr/bin/env bash
# The steps of the Dockerfile where there is no container engine: the same files, the same dependencies, a user without
# rights, the same health check, and the suite against the server. Exit code 0: all of it works.
set -euo pipefail
unset NODE_OPTIONS
root="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT

say() { printf '== %s\n' "$*"; }
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

say 'build, from what .dockerignore lets through'
mkdir "$work/build" "$work/app" "$work/work"
sed -n 's/^!//p' "$root/.dockerignore" | while IFS= read -r name; do
  # Unquoted: a name may be a pattern.
  (cd "$root" && tar -cf - $name) | tar -xf - -C "$work/build"
done
rm -rf "$work/build/spec/generated"
find "$work/build" \( -name '*.test.ts' -o -name fixtures \) -prune -exec rm -rf {} +
cd "$work/build"
if [ -d "$root/node_modules" ]; then ln -s "$root/node_modules" node_modules; else quietly npm ci --ignore-scripts; fi
quietly npm run build

say 'production: what the lock file names, and no more'
cd "$work/app"
cp "$root/package.json" "$root/package-lock.json" .
quietly npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
cp -R "$work/build/dist" .
mkdir spec && cp -R "$work/build/spec/schemas" spec/
quietly node dist/cli/main.js run --embedded --only '2.1/*' --out "$work/report" --quiet

as=()
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  chmod 0755 "$work"
  chown 65534:65534 "$work/work"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
fi
cd "$work/work"
export NODE_ENV=production HOME="$work/work" TOKEN_ASSAY_PASSWORD='Passw0rd!'
assay() { ${as[@]+"${as[@]}"} node "$work/app/dist/cli/main.js" "$@"; }

say 'serve'
mkfifo "$work/url"
${as[@]+"${as[@]}"} node "$work/app/dist/cli/main.js" serve --port 0 --hashing fast --user-name alice > "$work/url" 2> "$work/log" &
server=$!
IFS= read -r url < "$work/url"
printf 'uid %s\n' "$(ps -o uid= -p "$server" 2> /dev/null | tr -d ' ' || id -u)"

say 'health check'
check="$(sed -n 's/^  CMD \["node", "-e", "\(.*\)"\]$/\1/p' "$root/Dockerfile")"
[ -n "$check" ] || { echo 'the Dockerfile has no health check' >&2; exit 1; }
TOKEN_ASSAY_URL="$url" node -e "$check"
if TOKEN_ASSAY_URL=http://127.0.0.1:1 node -e "$check"; then echo 'the health check passes without a server' >&2; exit 1; fi

say 'run'
assay run "$url" --user-name alice --quiet
[ -s "$work/work/token-assay-report/index.html" ]

say 'health check under TLS'
mkfifo "$work/secure-url"
${as[@]+"${as[@]}"} node "$work/app/dist/cli/main.js" serve --port 0 --hashing fast --tls self-signed --user-name alice \
  > "$work/secure-url" 2> "$work/log" &
secure=$!
IFS= read -r secure_url < "$work/secure-url"
TOKEN_ASSAY_URL="$secure_url" node -e "$check"
# Unless it is said, it is not known that the server has TLS.
TOKEN_ASSAY_URL="${secure_url/https:/http:}" node -e "$check"
kill -TERM "$secure"
wait "$secure"

say 'stop'
kill -TERM "$server"
wait "$server"
server=
