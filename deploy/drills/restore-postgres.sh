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

# Programs of PostgreSQL know only some of what may stand after the question mark, and verify no certificate unasked.
plain=${ROLLCALL_DATABASE_URL%%\?*}
query=${ROLLCALL_DATABASE_URL:${#plain}}
known=$(tr '?&' '\n\n' <<<"$query" | grep -E '^(host|application_name|ssl(mode|rootcert|cert|key))=' | paste -sd '&' || true)
known=${known/sslmode=no-verify/sslmode=require}
host=${plain#*://}
host=${host##*@}
if [[ $known =~ (^|&)host=([^&]*) ]]; then host=${BASH_REMATCH[2]}; fi
case $host in localhost* | 127.* | \[::1\]* | /* | %2[Ff]*) local=yes ;; *) local= ;; esac
if [[ -z $local && $known != *sslmode=* || $known == *sslmode=verify-full* ]]; then
    export PGSSLMODE=${PGSSLMODE:-verify-full}
    if [[ -z ${PGSSLROOTCERT:-} ]]; then
        for PGSSLROOTCERT in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt system; do
            if [[ -e $PGSSLROOTCERT ]]; then break; fi
        done
    fi
    export PGSSLROOTCERT
fi
# Arguments can be read by everybody on the machine: the password is none of them.
server=${plain%/*}
account=${server#*://}
if [[ $account == *:*@* ]]; then
    password=${account%@*}
    password=${password#*:}
    password=${password//\\/\\\\}
    printf -v PGPASSWORD %b "${password//%/\\x}"
    export PGPASSWORD
    server=${plain%%://*}://${account%%:*}@${account##*@}
fi
name=rollcall_drill_$$
from=$server/${plain##*/}${known:+?$known}
into=$server/$name${known:+?$known}
folder=$(mktemp -d)
take_away() {
    rm -rf "$folder"
    [[ -v made ]] || return 0
    psql --quiet --dbname="$from" --command="DROP DATABASE IF EXISTS $name WITH (FORCE)" && return
    echo "Remove the database $name by hand: it is a copy of yours." >&2
    return 1
}
trap take_away EXIT

pg_dump --format=custom --file="$folder/rollcall.dump" "$from"
made=yes
psql --quiet --dbname="$from" --command="CREATE DATABASE $name ENCODING 'UTF8' TEMPLATE template0"
pg_restore --exit-on-error --no-owner --no-privileges --dbname="$into" "$folder/rollcall.dump"

# With these keys, whatever the settings of the service name, and without its seal: the trail goes on meanwhile.
mkdir "$folder/data"
export ROLLCALL_DATA_DIR=$folder/data ROLLCALL_AUDIT_ANCHOR=$folder/anchor
export ROLLCALL_DATABASE_URL=${plain%/*}/$name$query ROLLCALL_DATABASE_URL_FILE= ROLLCALL_SECRET= ROLLCALL_LINK_KEYS= ROLLCALL_SIGNING_KEYS=
cp "$KEYS"/{secret,link-keys.json} "$folder/data/"
export ROLLCALL_SECRET_FILE=$folder/data/secret ROLLCALL_LINK_KEYS_FILE=$folder/data/link-keys.json
# Behind an identity provider there may be none.
export ROLLCALL_SIGNING_KEYS_FILE=
if [[ -e $KEYS/signing-keys.json ]]; then
    cp "$KEYS/signing-keys.json" "$folder/data/"
    ROLLCALL_SIGNING_KEYS_FILE=$folder/data/signing-keys.json
fi
$ROLLCALL audit verify
$ROLLCALL user list --limit 5
$ROLLCALL subscription list --limit 5
echo "The dump of $(du -h "$folder/rollcall.dump" | cut -f1) can be restored: it took $SECONDS s."
