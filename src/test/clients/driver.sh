#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Driver of the shell client for the conformance suite: JSON lines in, JSON lines out. A lease is held by `quorumlock run`,
# whose command waits for the order to release.
set -f
client=$(dirname "$0")/../../../clients/shell/quorumlock

if [ "${1-}" = work ]; then
  printf '%s\n' "$QUORUMLOCK_LEASE" >"$2/lease"
  echo "lease $QUORUMLOCK_FENCING_TOKEN ${QUORUMLOCK_SLOT-}" >"$2/begun"
  read -r _ <"$2/orders"
  exit 0
fi

text() { printf '%s\n' "$line" | sed -n -E 's/.*"'"$1"'":"(([^"\\]|\\.)*)".*/\1/p' | sed 's/\\\(["\\]\)/\1/g'; }
# Prints a number, or a text without escapes.
value() { printf '%s\n' "$line" | sed -n 's/.*"'"$1"'":"\{0,1\}\([^,"}]*\).*/\1/p'; }
# Prints the names with spaces between them.
names() { printf '%s\n' "$line" | sed -n 's/.*"names":\["\([^]]*\)"\].*/\1/p' | sed 's/","/ /g'; }
json() { printf '%s' "$1" | sed 's/["\\]/\\&/g'; }

# Runs the client until the lease ends, and reports how.
hold() {
  if [ -n "$names" ]; then set -- $names; else set -- "$name"; fi
  sh "$client" run --ttl "$(value ttlMs)ms" --wait "$(value waitMs)ms" ${margin:+--margin "${margin}ms"} \
    ${owner:+--owner "$owner"} ${keep:+--keep "${keep}ms"} ${shared:+--shared} ${slots:+--slots "$slots"} \
    -- "$@" -- sh "$0" work "$dir" 2>"$dir/error" <&-
  status=$?
  message=$(tail -n 1 "$dir/error") # a warning may come before
  echo "$status" >"$dir/ended"
  if [ ! -e "$dir/lease" ]; then
    echo "failed $status" >"$dir/begun"
  elif [ "$status" = 76 ]; then
    printf '{"event":"lost","reason":"%s"}\n' "$(json "$message")"
  fi
}

held() { # NAME REMAINING FIELD
  printf '{"error":"held","names":["%s"],"remainingMs":%s,%s,"message":"%s"}\n' "$(json "$1")" "$2" "$3" "$(json "$message")"
}

# Prints why the lock was not acquired, by the message of the client.
failed() { # STATUS
  message=$(cat "$dir/error")
  case $message in
    'quorumlock: held: '*' was released and is kept for another '*)
      told=${message#quorumlock: held: }
      left=${told##* is kept for another }
      held "${told%% was released and is kept for another *}" "${left%% ms*}" '"kept":true'
      ;;
    'quorumlock: held: '*)
      told=${message#quorumlock: held: }
      holder=${told##* is held by }
      left=${holder##* for another }
      held "${told%% is held by *}" "${left%% ms*}" "\"owner\":\"$(json "${holder%% for another *}")\""
      ;;
    'quorumlock: unavailable: '*) printf '{"error":"unavailable","message":"%s"}\n' "$(json "$message")" ;;
    *)
      code=${message#quorumlock: refused: }
      [ "$code" != "$message" ] && code=${code%% *} || code=0
      refused "$code"
      ;;
  esac
}

refused() { # STATUS
  printf '{"error":"refused","status":%s,"message":"%s"}\n' "$1" "$(json "$message")"
}

release() { # prints whether the lease was lost before
  lost=false
  if [ -n "$dir" ] && [ -e "$dir/lease" ]; then
    [ -e "$dir/ended" ] || echo release >&5
    wait
    [ "$(cat "$dir/ended")" = 0 ] || lost=true
    message=$(cat "$dir/error")
    rm -rf "$dir"
    dir=
    case $message in 'quorumlock: refused: the release '*) refused 400 && return ;; esac
  fi
  [ "${1-}" = quiet ] || echo "{\"released\":true,\"lost\":$lost}"
}

dir=
while read -r line; do
  case $line in
    *'"do":"acquire"'*)
      [ -z "$dir" ] || rm -rf "$dir"
      dir=$(mktemp -d)
      mkfifo "$dir/begun" "$dir/orders"
      exec 5<>"$dir/orders"
      name=$(text name) names=$(names) owner=$(text owner) margin=$(value marginMs) keep=$(value keepMs)
      slots=$(value slots) shared=
      case $line in *'"shared":true'*) shared=yes ;; esac
      hold &
      read -r begun value slot <"$dir/begun"
      if [ "$begun" = lease ]; then
        echo "{\"lease\":true,\"fencingToken\":$value,\"slot\":${slot:-null}}"
      else
        wait
        failed
      fi
      ;;
    *'"do":"held"'*)
      held=false
      if [ -n "$dir" ] && [ -e "$dir/lease" ]; then
        QUORUMLOCK_LEASE=$(cat "$dir/lease") sh "$client" held && held=true
      fi
      echo "{\"held\":$held,\"slot\":${slot:-null}}"
      ;;
    *'"do":"release"'*) release ;;
  esac
done
release quiet
