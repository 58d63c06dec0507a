#!/usr/bin/env bash
# Holds the checked out release to its sources: `tools/release/verify-tag.sh vVERSION REPOSITORY`. The bundle that it has is, byte by
# byte, what they give; version and addresses are the tag's. `npm ci` comes first.
set -euo pipefail
cd "$(dirname "$0")/../.."
fail() { echo "$*" >&2; exit 1; }
tag="$1" repository="$2"
[ "v$(node -p 'require("./package.json").version')" = "$tag" ] || fail "package.json does not have the version of $tag"
[ "$(node -p 'require("./package.json").repository?.url')" = "git+$repository.git" ] || fail "package.json does not name $repository"
git ls-files --error-unmatch build/token-assay.cjs build/LICENSES > /dev/null || fail "$tag has no bundle: tools/release/tag.sh makes the tag"
npm run --silent build:bundle
git diff --exit-code --stat -- build || fail 'the bundle is not what the sources give'
echo "$tag is what its sources give"
