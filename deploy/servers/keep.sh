#!/bin/bash
# Runs a server for as long as whoever started it lives: keep.sh COMMAND…
# In: a pipe as standard input, which nobody writes to; its end means that the starter is gone, however it went.
# Leads its own process group, which it ends with the server: some servers (php -S) leave workers behind. All of them inherit
# number 3, a pipe that closes with the last of them.

exec 4<&0 < /dev/null # bash gives background commands /dev/null as standard input, so the pipe needs another number
"$@" 4<&- &
server=$!

(
  trap '' TERM
  read -r <&4
  kill -TERM 0
  sleep 5
  kill -KILL 0
) &

trap : TERM # meant for the server, which has got it too
while kill -0 "$server" 2> /dev/null; do wait "$server"; done
kill -KILL 0
