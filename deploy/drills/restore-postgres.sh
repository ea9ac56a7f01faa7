#!/usr/bin/env bash
# Practises a restore of PostgreSQL: dumps the database beside the running service, puts the dump into another one, and
# looks whether the kept keys fit and the audit trail holds. Then it takes the other one away again.
#
#     ROLLCALL_DATABASE_URL=postgres://... KEYS=/keys deploy/drills/restore-postgres.sh
#
# The role may have to be allowed to make databases. KEYS is the folder where you keep copies of the secret and the keys.
set -euo pipefail
umask 077
: "${ROLLCALL_DATABASE_URL:?name the database}" "${KEYS:?name the folder with the copies of the keys}"
ROLLCALL=${ROLLCALL:-rollcall}

# Programs of PostgreSQL do not know what Rollcall has after the question mark.
from=${ROLLCALL_DATABASE_URL%%\?*}
name=rollcall_drill_$$
into=${from%/*}/$name
folder=$(mktemp -d)
trap 'psql --quiet --dbname="$from" --command="DROP DATABASE IF EXISTS $name WITH (FORCE)"; rm -r "$folder"' EXIT

pg_dump --format=custom --file="$folder/rollcall.dump" "$from"
psql --quiet --dbname="$from" --command="CREATE DATABASE $name ENCODING 'UTF8' TEMPLATE template0"
pg_restore --exit-on-error --no-owner --no-privileges --dbname="$into" "$folder/rollcall.dump"

# Without the seal that is kept beside the service: it goes on meanwhile.
mkdir "$folder/data"
cp "$KEYS"/{secret,link-keys.json,signing-keys.json} "$folder/data/"
export ROLLCALL_DATA_DIR=$folder/data ROLLCALL_DATABASE_URL=$into
$ROLLCALL audit verify
$ROLLCALL user list --limit 5
$ROLLCALL subscription list --limit 5
echo "The dump of $(du -h "$folder/rollcall.dump" | cut -f1) can be restored: it took $SECONDS s."
