#!/bin/sh
# One agent without a workflow file. It needs claude.
#   sh examples/standalone.sh
set -eu

# It works in the background until it is stopped, and with --context it has a channel and documents of its own.
agent-worker new helper --context --backend claude \
  --system-prompt "You help with whatever is asked, in a few sentences. Answer @user in the channel."
trap 'agent-worker stop helper' EXIT

agent-worker send "Check the notes in the document, and tell me what is left to do." --to helper
until agent-worker peek --to helper | grep -q '@user'; do sleep 1; done
agent-worker peek --to helper
