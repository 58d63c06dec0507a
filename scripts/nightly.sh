#!/usr/bin/env bash
# The long proofs: every mutant and variant under 20 seeds, then the suite itself with each part of it taken away; exported
# tests in Artillery, which is too large to install where each change lands.
# `npm ci` comes first. Tens of minutes on two cores; the faster steps are in .ci/run.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
node dist/cli/main.js prove --seeds 20 --full --quiet || status=1
npm run --silent prove:suite || status=1
tools="$(mktemp -d)"
trap 'rm -rf "$tools"' EXIT
# Without its scripts, which fetch browsers.
npm install --prefix "$tools" --ignore-scripts --no-audit --no-fund --silent artillery@2.0.21 || status=1
ARTILLERY="$tools/node_modules/.bin/artillery" npm run --silent test:artillery || status=1
exit "$status"
