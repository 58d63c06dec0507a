#!/usr/bin/env bash
# Installs the clients that others wrote, for `npm run docs:clients`: those of npm from the lock file here, those of Debian by
# apt-get, as root. Builds what is compiled. What cannot be installed is skipped by name.
set -uo pipefail
cd "$(dirname "$0")"
npm ci --no-audit --no-fund
export DEBIAN_FRONTEND=noninteractive
apt-get update && apt-get install -y --no-install-recommends \
  python3-authlib python3-requests python3-requests-oauthlib ruby-oauth2 libnet-oauth2-perl \
  golang-go golang-golang-x-oauth2-dev curl jq php-cli php-curl php-guzzlehttp-guzzle \
  mono-mcs mono-runtime libmono-system-net-http4.0-cil libnewtonsoft-json5.0-cil \
  openjdk-17-jdk-headless libjackson2-databind-java libspring-web-java libokhttp-java libandroid-json-java \
  chromium libjs-angularjs

mkdir -p bin
GO111MODULE=off GOPATH=/usr/share/gocode go build -o bin/x-oauth2 x-oauth2.go
for name in newtonsoft parse-exact; do
  mcs -out:"bin/$name.exe" -r:System.Net.Http -r:/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll "$name.cs"
done

# java_client NAME LIBRARY...: a jar that names the libraries of Debian that it needs.
java_client() {
  local name="$1" folder
  shift
  folder="$(mktemp -d)"
  printf 'Main-Class: %s\nClass-Path:%s\n' "$name" "$(printf ' file:/usr/share/java/%s.jar' "$@")" > "$folder/manifest"
  javac -cp "$(printf '/usr/share/java/%s.jar:' "$@")" -d "$folder/classes" "$name.java" &&
    jar cfm "bin/$name.jar" "$folder/manifest" -C "$folder/classes" .
  rm -r "$folder"
}
jackson=(jackson-databind jackson-core jackson-annotations)
java_client JavaNetHttp "${jackson[@]}"
java_client RestTemplateSignIn "${jackson[@]}" spring3-web spring3-core spring3-beans commons-logging
java_client OkHttpSignIn okhttp okio com.android.json
