// A run's disk is full for a while. Every call reports that in one line, and the run continues once there is space.

import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withStore } from '../races/own-store.ts'
import { PROGRAM } from '../worlds/program.ts'
import { scripts } from '../worlds/workflows.ts'
import { inNamespace } from './namespace.ts'

// The agent retries until its message is stored, as a model would if told to try again.
const ANN = [
  'cat >/dev/null; touch "$OUT/began"; until [ -e "$OUT/go" ]; do sleep 0.05; done',
  'until "$INBOX" workflow context send "@bob your turn" 2>>"$OUT/ann"; do sleep 0.2; done',
].join('; ')
const BOB = 'cat >"$OUT/bob"'

const SCRIPT = `
disk=$1; export OUT=$2 INBOX=$3 XDG_RUNTIME_DIR=$2/run INBOX_DB=$1/store.db
mount -t tmpfs -o size=6m tmpfs "$disk" && mkdir -m 700 "$OUT/run" && cd "$disk" || exit 99
cp "$OUT/flow.yaml" .
"$INBOX" workflow run flow.yaml --json --timeout-seconds 60 >"$OUT/run.out" 2>"$OUT/run.err" & run=$!
until [ -e "$OUT/began" ]; do sleep 0.05; done
dd if=/dev/zero of=fill bs=4k 2>"$OUT/dd"
"$INBOX" workflow context doc write --agent ann@default --content x 2>"$OUT/doc"
touch "$OUT/go"
until [ -s "$OUT/ann" ]; do sleep 0.05; done
rm fill
wait $run; echo $? >"$OUT/exit"
cp .workflow/default/channel.md "$OUT"
"$INBOX" doctor >"$OUT/doctor"
`

test('a run on a full disk reports it, and continues without loss once there is space', async () => {
  await withStore('sqlite', async ({ folder }) => {
    const [disk, out] = [join(folder, 'disk'), join(folder, 'out')]
    mkdirSync(disk)
    mkdirSync(out)
    await Bun.write(join(out, 'flow.yaml'), scripts({ ann: ANN, bob: BOB }, 'kickoff: "@ann"\n'))
    const { status, stderr } = inNamespace(SCRIPT, [disk, out, PROGRAM])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const read = (name: string) => readFileSync(join(out, name), 'utf8')
    expect(read('doc')).toContain('the disk is full; free some space and try again')
    expect(read('ann')).toContain('store.db cannot grow: the disk is full')
    expect(read('exit')).toBe('0\n')
    expect(JSON.parse(read('run.out').trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      ended: 'idle',
      agents: [
        { turns: 1, unread: 0 },
        { turns: 1, unread: 0 },
      ],
    })
    expect(JSON.parse(read('bob'))).toMatchObject({
      from: 'agent:ann@default',
      body: '@bob your turn',
    })
    expect(read('channel.md')).toMatch(/\[user\]\n@ann\n\n### \S+ \[ann\]\n@bob your turn\n$/)
    expect(read('doctor')).toMatch(/ok +log .* the tables agree/)
  })
}, 100_000)
