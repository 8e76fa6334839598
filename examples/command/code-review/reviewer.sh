#!/bin/sh
# Looks at greet.py each time it is asked, and hands what is wrong to the coder.
set -eu

line=$(agent-worker context doc read greet.py | grep -n 'eval(' | head -n 1 || true)
if [ -n "$line" ]; then
  agent-worker context doc append findings.md --content "- greet.py:${line%%:*} eval runs any input as code
" >/dev/null
  agent-worker context send "@coder greet.py, line ${line%%:*}: eval runs any input as code. Please fix it." >/dev/null
  echo "found something in line ${line%%:*}"
else
  agent-worker context send "@coordinator greet.py is fine now." >/dev/null
  echo "nothing left to find"
fi
