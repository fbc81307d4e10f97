# How steps run and what they say. A step announces itself, logs to .sidelight/log/setup-NAME.log, and says how long it took.

begin_steps() {
  mkdir -p .sidelight/log
  exec 9> .sidelight/setup.lock
  flock 9 # another setup may be at work: then there will be less to do
  rm -f .sidelight/setup.did
}

end_steps() {
  [ -e .sidelight/setup.did ] || say 'nothing to do'
}

end_background_steps() {
  local pid
  for pid in $(jobs -p); do end_with_children "$pid"; done
}

# The children first: a shell that is gone no longer knows them.
end_with_children() {
  local child
  for child in $(cat "/proc/$1/task/$1/children" 2> /dev/null); do end_with_children "$child"; done
  kill "$1" 2> /dev/null || true
}

# step NAME WHAT COMMAND…: false if the command fails, with the end of its log
step() {
  local name=$1 what=$2 log=.sidelight/log/setup-$1.log begin=$SECONDS
  shift 2
  touch .sidelight/setup.did
  say "$what"
  if "$@" > "$log" 2>&1 9>&-; then
    say "$name: done in $((SECONDS - begin)) s"
  else
    say "$name: failed; the end of $log:"
    tail -n 5 "$log" | sed 's/^/    /' >&2
    return 1
  fi
}

# missing FEATURE HOW
missing() {
  touch .sidelight/setup.did
  say "missing: $1. To get it: $2"
}

give_up() {
  end_background_steps
  say "$1"
  exit 1
}

say() {
  printf 'setup: %s\n' "$1" >&2
}
