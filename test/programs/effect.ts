// The program of an effect: it records its start and its input, and ends in one of several ways.

import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', way = 'works'] = process.argv.slice(2)

const input = way === 'deaf' ? '' : await Bun.stdin.text()
const noted = { pid: process.pid, request: process.env.INBOX_REQUEST, input }
appendFileSync(join(folder, 'effects.jsonl'), `${JSON.stringify(noted)}\n`)

if (way === 'fails') {
  process.stderr.write('looking\nthe host is down\n')
  process.exit(3)
}
if (way === 'floods') {
  const line = `${'x'.repeat(1023)}\n`
  for (let n = 0; n < 2048; n++) {
    process.stdout.write(line)
    process.stderr.write(line)
  }
  process.exit(1)
}
if (way === 'hangs') while (!existsSync(join(folder, 'go'))) await Bun.sleep(20)
// Kills the supervisor before it can record success.
if (way === 'orphaned') process.kill(process.ppid, 'SIGKILL')
