#!/bin/sh
# Starts a master with the users of users.acl; the password is put in as a hash, and is in no list of processes.
set -eu
here=$(dirname "$0")
# An empty one would let everybody in.
: "${MASTERS_PASSWORD:?is not set}"
hash=$(printf %s "$MASTERS_PASSWORD" | sha256sum | cut -d' ' -f1)
sed "s/>password/#$hash/" "$here/users.acl" > "$(sed -n 's/^aclfile //p' "$here/redis.conf")"
unset MASTERS_PASSWORD
# The entry point of the public image gives up root, where the container has it.
exec $(command -v docker-entrypoint.sh || true) redis-server "$here/redis.conf"
