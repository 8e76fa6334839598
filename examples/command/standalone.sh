#!/bin/sh
# One agent without a workflow file: a shell script that answers what it is asked. It runs on any machine, without a key.
#   sh examples/command/standalone.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# It works in the background until it is stopped, and with --context it has a channel and documents of its own.
agent-worker new helper --context --backend command --command "[\"sh\",\"$here/standalone/helper.sh\"]"
trap 'agent-worker stop helper' EXIT

agent-worker send "Check the notes in the document" --to helper
until agent-worker peek --to helper | grep -q '@user'; do sleep 1; done
agent-worker peek --to helper
