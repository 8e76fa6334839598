// An agent of a workflow that acts at random. It writes, mentions, answers and acknowledges. Then it exits with success
// or failure, kills itself, its turn, its supervisor or its runner, or stops the run. Its choices depend on the seed,
// its name and its turn number. It records its mail, and records each action before and after taking it.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { connect } from '../../src/index.ts'
import { parentOf } from '../faults/processes.ts'

export type WalkNote = { agent: string; wake: string } & (
  | { did: 'given'; ids: string[]; pid: number }
  | { did: 'saying'; text: string }
  | { did: 'said'; text: string; answers: string }
  | { did: 'acknowledged'; until: string }
  | { did: 'end'; how: string }
)

type Did<Note> = Note extends unknown ? Omit<Note, 'agent' | 'wake'> : never

/** Limits on turns and entries, so that a walk ends. */
const WILD_TURNS = 5
const MOST_ENTRIES = 12

const { INBOX_DB = '', INBOX_AGENT: agent = '', INBOX_WAKE: wake = '' } = process.env
const [seed = '', notes = '', ...names] = process.argv.slice(2)

const before = existsSync(notes)
  ? readFileSync(notes, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as WalkNote)
  : []
const turn = before.filter((one) => one.agent === agent && one.did === 'given').length
let drawn = 0
/** A number from 0 up to, but not including, the limit. */
const chance = (limit: number): number =>
  Number(Bun.hash(`${seed} ${agent} ${turn} ${drawn++}`) % BigInt(limit))

const mail = (await Bun.stdin.text())
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => (JSON.parse(line) as { id: string }).id)
note({ did: 'given', ids: mail, pid: process.pid })

const inbox = await connect(INBOX_DB, { agent })
const said = before.filter(({ did }) => did === 'saying').length
for (let n = chance(3); n > 0 && said + n <= MOST_ENTRIES; n -= 1) {
  const others = names.filter((name) => !agent.startsWith(`${name}@`))
  const called = others.filter(() => chance(2) === 0).map((name) => `@${name}`)
  const text = [`${agent} says ${n} in ${wake} to`, ...called].join(' ')
  const answers = chance(2) === 0 ? (mail[chance(mail.length || 1)] ?? '') : ''
  note({ did: 'saying', text })
  await inbox.workflowContextSend({
    agent,
    message: text,
    ...(answers === '' ? {} : { reply_to: answers }),
  })
  note({ did: 'said', text, answers })
}
const until = mail[chance(mail.length || 1)]
if (until !== undefined && chance(4) === 0) {
  await inbox.workflowContextAck({ agent, until })
  note({ did: 'acknowledged', until })
}
const supervisor = () => parentOf(process.ppid)
const ENDS: Record<string, () => unknown> = {
  well: () => process.exit(0),
  badly: () => process.exit(1),
  'killed itself': () => kill(process.pid),
  'killed its turn': () => kill(process.ppid),
  'killed its supervisor': () => kill(supervisor()),
  'killed the runner': () => kill(parentOf(supervisor())),
  'killed the runner, and ended well': () => {
    kill(parentOf(supervisor()))
    process.exit(0)
  },
  'stopped the run': () => inbox.workflowStop({ target: '@default' }),
}
const ways = Object.keys(ENDS)
const how = turn >= WILD_TURNS || chance(2) === 0 ? 'well' : (ways[chance(ways.length)] ?? 'well')
note({ did: 'end', how })
await ENDS[how]?.()
// An agent that killed another process or asked for a stop runs until it's killed.
await new Promise((resolve) => setTimeout(resolve, 600_000))

function note(one: Did<WalkNote>): void {
  appendFileSync(notes, `${JSON.stringify({ agent, wake, ...one })}\n`)
}

/** Never kills the init process. */
function kill(pid: number): void {
  if (pid > 1) process.kill(pid, 'SIGKILL')
}
