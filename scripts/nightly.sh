#!/usr/bin/env bash
# The long proofs: every mutant and variant under 20 seeds, then the suite itself with each part of it taken away.
# `npm ci` comes first. Tens of minutes on two cores; the faster steps are in .ci/run.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
node dist/cli/main.js prove --seeds 20 --full --quiet || status=1
npm run --silent prove:suite || status=1
exit "$status"
