#!/bin/sh
# Starts a master with the users of users.acl. The password is inserted as a hash and not visible in the process list.
set -eu
here=$(dirname "$0")
# An empty password would admit every client.
: "${MASTERS_PASSWORD:?is not set}"
hash=$(printf %s "$MASTERS_PASSWORD" | sha256sum | cut -d' ' -f1)
sed "s/>password/#$hash/" "$here/users.acl" > "$(sed -n 's/^aclfile //p' "$here/redis.conf")"
unset MASTERS_PASSWORD
# The entry point of the public image drops root privileges.
exec $(command -v docker-entrypoint.sh || true) redis-server "$here/redis.conf"
