#!/usr/bin/env bash
# Checks the package as it would be published: `tools/release/check-package.sh [FOLDER]` packs it into the folder (default: a
# temporary one), holds it to publint and are-the-types-wrong, writes a software bill of materials beside it, and uses it from an
# empty folder as a newcomer would. `npm ci` comes first.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder="${1:-}"
if [ -z "$folder" ]; then
  folder="$(mktemp -d)"
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
npm ci --prefix tools/release --ignore-scripts --no-audit --no-fund --silent
tools="$PWD/tools/release/node_modules/.bin"
package="$folder/$(npm pack --silent --pack-destination "$folder" | tail -n 1)"

"$tools/publint" --strict "$package"
# Files of data have no types. vitest itself is an ES module alone.
data=(openapi.yaml control/openapi.yaml 'schemas/*')
"$tools/attw" "$package" --profile node16 --no-emoji --format table --exclude-entrypoints "${data[@]}" vitest
"$tools/attw" "$package" --profile esm-only --no-emoji --format table --entrypoints vitest
"$tools/cyclonedx-npm" --omit dev --output-reproducible --output-file "$folder/sbom.cdx.json"

newcomer="$(mktemp -d)"
(
  cd "$newcomer"
  npm init --yes > /dev/null
  npm install --no-audit --no-fund --silent "$package"
  npx token-assay --version
  npx token-assay run --embedded --only '2.1/*' --quiet --no-color
)
rm -rf "$newcomer"
printf '%s is sound; its bill of materials is %s\n' "$(basename "$package")" sbom.cdx.json
