"""Fixes what the reviewer has found in greet.py."""

import json
import subprocess
import sys


def context(*words):
    run = subprocess.run(
        ["agent-worker", "context", *words],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    return run.stdout


for line in sys.stdin:
    message = json.loads(line)
    code = context("doc", "read", "greet.py")
    fixed = code.replace("eval('\"Hello, \" + name')", '"Hello, " + name')
    context("doc", "write", "greet.py", "--content", fixed)
    context("send", "@reviewer fixed, please look again", "--reply-to", message["id"])
    print("fixed greet.py")
