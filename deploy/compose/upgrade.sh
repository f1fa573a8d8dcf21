#!/bin/sh
# Upgrades the installation of docker-compose.yml to the release of this checkout, or downgrades it.
# $ git checkout v1.3.0 && deploy/compose/upgrade.sh
# The script checks the variables, builds, and checks the secrets. If the profile "backup" is on, it
# makes a backup with the running release. Then it migrates, and replaces the ingestors, one API
# after the other, and every other container whose image or settings changed. It keeps the number of
# ingestors, the profiles and the compose files. No request fails, unless the release changes
# PostgreSQL or the proxy: each of these is down for some seconds.
set -eu
cd "$(dirname "$0")/../.."

step() { printf '== %s\n' "$*"; }
# `docker compose` lists containers of a profile only when the profile is given.
profiles='--profile backup --profile monitoring'
# shellcheck disable=SC2086 # several words
compose() { docker compose $profiles "$@"; }
count() { compose ps --quiet "$1" | wc -l; }

if ! docker compose version >/dev/null 2>&1; then
  echo 'docker compose is missing: install Docker Engine with its Compose plugin' >&2
  exit 1
fi
# Names a variable that is missing in .env.
compose config --quiet

# Uses the files with which the installation was started: otherwise settings such as the mail
# server's would be lost.
container=$(compose ps --quiet api-a | head -n 1)
if [ -z "${COMPOSE_FILE:-}" ] && [ -n "$container" ]; then
  files=$(docker inspect --format '{{ index .Config.Labels "com.docker.compose.project.config_files" }}' "$container" | tr ',' ':')
  if [ -n "$files" ]; then export COMPOSE_FILE="$files"; fi
fi
ingestors=$(count ingestor)
ingestors=$((ingestors > 0 ? ingestors : 1))
backups=$(count backup)
monitors=$(count prometheus)
profiles=''
if [ "$backups" -gt 0 ]; then profiles="$profiles --profile backup"; fi
if [ "$monitors" -gt 0 ]; then profiles="$profiles --profile monitoring"; fi

# This release needs a secret that earlier releases did not have.
if [ -f .env ] && [ -z "${CONSOLE_SECRET:-}" ] && ! grep -q '^CONSOLE_SECRET=.' .env; then
  step 'CONSOLE_SECRET'
  sed -i '/^CONSOLE_SECRET=$/d' .env
  printf '\nCONSOLE_SECRET=%s\n' "$(openssl rand -hex 32)" >>.env
fi
step 'build'
compose build
step 'secrets'
compose run --rm --no-deps preflight
if [ "$backups" -gt 0 ]; then
  step 'backup'
  # shellcheck disable=SC2016 # the container's date
  compose exec -T backup sh -c 'node tools/ops.mjs backup --to "/backups/$(date -u +%Y%m%dT%H%M%SZ)"'
else
  step 'no backup: the profile "backup" is off'
fi
step 'database and queue'
compose up -d --no-deps --wait postgres redis
step 'migrate'
compose run --rm --no-deps migrate
step "ingestors: $ingestors"
compose up -d --no-deps --wait --scale ingestor="$ingestors" ingestor
for api in api-a api-b; do
  step "$api"
  # The API drains and stops. The next API waits until this API is ready again.
  compose up -d --no-deps --wait "$api"
done
step 'the rest'
# The proxy's files are mounted one by one. When a checkout replaces them, the container keeps the
# old files.
for file in Caddyfile console.caddy; do
  if [ "$(count proxy)" -gt 0 ] && ! compose exec -T proxy cat "/etc/caddy/$file" | cmp -s - "deploy/compose/$file"; then
    compose up -d --no-deps --wait --force-recreate proxy
  fi
done
# All other services, except the two that exit after their task.
rest=$(compose config --services | grep -vxE 'preflight|migrate')
# shellcheck disable=SC2086 # several words
compose up -d --no-deps --wait --scale ingestor="$ingestors" $rest
compose ps
