#!/usr/bin/env bash
# Installs the servers that others wrote, for `npm run docs:interop`, and then the clients (clients/install.sh), for `docs:clients` and
# `docs:sign-ins`: those of npm from the lock file of tools/interop/servers, those of Debian by apt-get, as root: signed, but of no
# fixed version, since what Debian ships today is what is judged. What cannot be installed is skipped by name there. Prints the
# versions.
set -uo pipefail
cd "$(dirname "$0")/servers"
npm ci --no-audit --no-fund
packages=(
  glewlwyd libulfius2.7 libmicrohttpd12 sqlite3
  ruby-doorkeeper ruby-rails ruby-rack ruby-bcrypt ruby-sqlite3 puma
  liboauth-lite2-perl libplack-perl
  python3-authlib python3-flask python3-werkzeug python3-django-oauth-toolkit python3-oauthlib python3-django
  ejabberd erlang-p1-oauth2
  golang-github-appleboy-gin-jwt-dev golang-github-gin-gonic-gin-dev golang-go
  libspring-web-servlet-java libspring-web-java libjetty9-java libjackson2-databind-java openjdk-17-jdk-headless
  mono-runtime mono-mcs libmono-system-web4.0-cil libnewtonsoft-json5.0-cil php-slim php-cli
)
# None of them is to run as a service of the machine.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt-get update && apt-get install -y --no-install-recommends "${packages[@]}"
dpkg-query -W -f='${Package} ${Version}\n' "${packages[@]}"
npm ls --depth=0
../clients/install.sh
