#!/bin/sh
# Brings the installation of docker-compose.yml to the release of this checkout, or back, without a failed request: a backup
# first where that profile is on, the migration, the ingestors, then one API after the other.
#   git checkout v1.3.0 && deploy/compose/upgrade.sh
set -eu
cd "$(dirname "$0")/../.."

step() { printf '== %s\n' "$*"; }

# This release needs a secret that earlier ones did not have.
if [ -f .env ] && [ -z "${CONSOLE_SECRET:-}" ] && ! grep -q '^CONSOLE_SECRET=.' .env; then
  step 'CONSOLE_SECRET'
  sed -i '/^CONSOLE_SECRET=$/d' .env
  printf '\nCONSOLE_SECRET=%s\n' "$(openssl rand -hex 32)" >>.env
fi
step 'build'
docker compose build
step 'migrate'
docker compose run --rm migrate
step 'ingestors'
ingestors=$(docker compose ps --quiet ingestor | wc -l)
docker compose up -d --no-deps --wait --scale ingestor="$((ingestors > 0 ? ingestors : 1))" ingestor
for api in api-a api-b; do
  step "$api"
  # It drains, ends, and the next waits until this one is ready again.
  docker compose up -d --no-deps --wait "$api"
done
step 'the rest'
docker compose up -d --no-recreate
docker compose ps
