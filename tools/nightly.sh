#!/usr/bin/env bash
# What takes too long where a change lands, from a fresh clone: docs/testing.md says which gate has what. Goes on after a step
# that fails, and ends with a table of all steps. Exit code 1: one failed. Hours on two cores; as root it installs from Debian
# what some steps need, and without it they are skipped. What comes from npm is in a lock file (tools/nightly). What comes from
# Debian is not: apt checks its signature, and the night is to find out what works with the Debian of the day.
set -uo pipefail
cd "$(dirname "$0")/.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
status=0
table=()
export npm_config_fetch_retries=5 npm_config_audit=false npm_config_fund=false
browser="${CHROMIUM:-chromium}"

# step TITLE COMMAND...: exit code 3 of a command is a skip.
step() {
  local title="$1" began=$SECONDS outcome
  shift
  printf '\n== %s\n' "$title"
  "$@"
  case $? in
    0) outcome=passed ;;
    3) outcome=skipped ;;
    *) outcome=FAILED status=1 ;;
  esac
  table+=("$(printf '%-8s %6s s  %s' "$outcome" "$((SECONDS - began))" "$title")")
  printf '== %s: %s\n' "$outcome" "$title"
}

packages() {
  [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || return 3
  local names=(buildah podman runc debootstrap python3 curl xz-utils)
  names+=(python3-flask python3-django php-cli php-mbstring php-sqlite3)
  # The frameworks of adapters/.
  names+=(python3-pytest golang-go phpunit ruby-rspec default-jdk-headless junit5 libjackson2-databind-java)
  names+=(mono-mcs nunit-console libnunit-cil-dev libmono-cil-dev)
  command -v "$browser" > /dev/null || names+=(chromium fonts-dejavu-core)
  apt-get update && apt-get install -y --no-install-recommends "${names[@]}"
}
in_browser() {
  command -v "$browser" > /dev/null || return 3
  TEST_SEEDS=20 npm run --silent test:browser
}
unused() {
  npm install --no-save --prefix tools/nightly/knip --ignore-scripts --silent && tools/nightly/knip/node_modules/.bin/knip --no-progress
}
interop() {
  [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null && tools/interop/setup.sh
  # Exit code 3: some could not be installed. The others were judged.
  npm run --silent docs:interop
}
image() {
  tools/release/image.sh
  local code=$?
  # What builds it is not here.
  [ "$code" = 2 ] && return 3
  return "$code"
}
# Without them the long tests skip the services of the fixes in these languages.
stacks() {
  /usr/bin/python3 -c 'import django, flask' && php -r 'mb_strlen(""); new PDO("sqlite::memory:"); PASSWORD_ARGON2ID;' || return 3
}
on_node() {
  local own="$PWD/tools/nightly/node_modules/node-$1/bin"
  PATH="$own:$PATH" npm test && PATH="$own:$PATH" npm run test:scenarios
}

step 'packages of Debian' packages
step 'install and build' npm ci
step 'what the night needs of npm' npm ci --prefix tools/nightly --ignore-scripts --silent
step 'every mutant and variant under 20 seeds' node dist/cli/main.js prove --seeds 20 --full --quiet
step 'what a quick run catches' node dist/cli/main.js prove --effort quick --quiet
step 'a slow service' npm run --silent bench -- slow
step 'the suite with each part of it taken away' npm run --silent prove:suite
step 'Flask, Django and PHP, for the long tests' stacks
step 'the long tests under 20 seeds' env TEST_SEEDS=20 npm run --silent test:long
step 'exported scripts in k6' env TEST_SEEDS=20 npm run --silent test:k6
step 'the pages in a browser, in each width and color' in_browser
step 'a run with 1000 inputs a case' \
  node dist/cli/main.js run --embedded --runs 1000 --quiet --out "$work/embedded"
step 'no unused file, export or dependency' unused
step 'servers of others' interop
step 'clients of others' npm run --silent docs:clients
step 'clients of others at servers of others' npm run --silent docs:sign-ins
step 'the documentation as a site' npm run --silent docs:site
step 'the package as it would be published' tools/release/check-package.sh
step 'the image' image
for version in 20 22 24 26; do step "the tests on Node $version" on_node "$version"; done

printf '\n'
printf '%s\n' "${table[@]}"
exit "$status"
