#!/usr/bin/env bash
# Makes the commit of a release and its tag: `REPOSITORY=https://github.com/OWNER/token-assay tools/release/tag.sh VERSION`.
# The commit is no part of the branch: it adds the bundle that the action runs, and the addresses that the package names. Pushing the
# tag publishes it: .github/workflows/release.yml.
set -euo pipefail
cd "$(dirname "$0")/../.."
fail() { echo "$*" >&2; exit 2; }
version="${1:-}"
[ -n "$version" ] || fail 'which version? REPOSITORY=https://github.com/OWNER/token-assay tools/release/tag.sh VERSION'
case "${REPOSITORY:-}" in
  https://*/?*) ;;
  *) fail 'REPOSITORY is not set: the address of the repository, as https://github.com/OWNER/token-assay' ;;
esac
[ -z "$(git status --porcelain)" ] || fail 'something is not committed'
[ "$(npm pkg get version)" = "\"$version\"" ] || fail "package.json says version $(npm pkg get version): npm version $version --no-git-tag-version"
grep -q "^## $version " CHANGELOG.md || fail "CHANGELOG.md has no heading \`## $version — DAY\`"
! git rev-parse --quiet --verify "refs/tags/v$version" > /dev/null || fail "there is a tag v$version"

branch="$(git branch --show-current)"
[ -n "$branch" ] || fail 'no branch is checked out'
git checkout --quiet --detach
trap 'git checkout --quiet --force "$branch"' EXIT
npm pkg set "repository.type=git" "repository.url=git+$REPOSITORY.git" "bugs.url=$REPOSITORY/issues" "homepage=$REPOSITORY#readme"
npm run --silent build:bundle
git add --force package.json build/token-assay.cjs build/LICENSES
git commit --quiet --message "Release $version"
git tag --annotate --message "Token Assay $version" "v$version"
echo "v$version is made; \`git push origin v$version\` publishes it"
