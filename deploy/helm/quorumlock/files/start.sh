#!/bin/sh
# Starts a master with the users of users.acl. Passwords are inserted as hashes and not visible in the process list.
set -eu
here=$(dirname "$0")
# An empty password would admit every client.
: "${MASTERS_PASSWORD:?is not set}"
hash() { printf '#%s' "$(printf %s "$1" | sha256sum | cut -d' ' -f1)"; }
passwords=$(hash "$MASTERS_PASSWORD")
# Optional. While the password is changed, replicas with the old and with the new one can log in.
[ -z "${MASTERS_SECOND_PASSWORD:-}" ] || passwords="$passwords $(hash "$MASTERS_SECOND_PASSWORD")"
sed "s/>password/$passwords/" "$here/users.acl" > "$(sed -n 's/^aclfile //p' "$here/redis.conf")"
unset MASTERS_PASSWORD MASTERS_SECOND_PASSWORD
# Masters get the same writes, and would rewrite their files at the same time. The last digit of the host name differs.
digit=$(hostname | tail -c 2 | tr -cd 0-9)
place=$((${digit:-0} % 5))
# The entry point of the public image drops root privileges.
exec $(command -v docker-entrypoint.sh || true) redis-server "$here/redis.conf" \
  --auto-aof-rewrite-min-size $((48 + 12 * place))mb --auto-aof-rewrite-percentage $((60 + 10 * place))
