// The channel of the demo: three agents of a workflow that talk about one contract, and write one document together. The
// demo plays their runner, too: it keeps the run, and obeys the word to stop.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isToStop } from '../../core/workflows/instance.ts'
import { beginInstance, endInstance, keepInstance } from '../../wake/instance.ts'
import { refusalIsFine } from './answers.ts'
import { type Actor, actor, pause, type Stage } from './stage.ts'

const INSTANCE = 'supplier-audit'
const MEMBERS = ['atlas', 'fern', 'orbit'] as const
type MemberName = (typeof MEMBERS)[number]

export type DemoChannel = { token: string; agents: Record<MemberName, Actor> }

const NOTES = (invoices: string) => `# Lumen: which clause wins

Clause 4 caps the rise at **3 %**. Clause 9 ties it to the index. The amendment of 2023 replaces 4.2 and does not mention 9.

| year | rise | invoiced by |
|---|---|---|
| 2024 | 5.1 % | the index |
| 2025 | 4.4 % | the index |

${invoices}
`

/** This morning: how the run began, and as it stands when the demo begins. */
export async function playChannel(stage: Stage): Promise<DemoChannel> {
  const { house, clock } = stage
  const agents = Object.fromEntries(
    MEMBERS.map((name) => [name, actor(stage, `${name}@${INSTANCE}`, { backend: 'claude' })]),
  ) as Record<MemberName, Actor>
  const { atlas, fern, orbit } = agents
  const user = actor(stage, 'user')
  clock.goTo(440)
  const { token } = await beginInstance(house.store, house.makeId, wishFor(stage))
  clock.goTo(438)
  await atlas('workflow context send', {
    message:
      'Clauses 4 and 9 of the Lumen contract conflict: 4 caps the price rise at 3 %, 9 ties it to the index. @fern can you check the 2023 amendment?',
  })
  clock.goTo(437)
  const { messages } = await fern('workflow context inbox', {})
  await fern('workflow context send', {
    message: 'Reading it now.',
    reply_to: messages[0]?.entry.id ?? '',
  })
  clock.goTo(433)
  await fern('workflow context send', {
    message:
      'The amendment replaces 4.2 and does not mention 9. A lawyer would say that the later text wins. I would rather not guess with $48,000 a year on it.',
  })
  clock.goTo(429)
  await user('workflow context send', {
    instance: INSTANCE,
    message: '@atlas what did we pay in 2024 and 2025, and which clause did they invoice by?',
  })
  clock.goTo(426)
  await orbit('workflow context doc write', {
    file: 'notes.md',
    content: NOTES('Invoices are still to be added.'),
  })
  clock.goTo(424)
  await atlas('workflow context doc write', {
    file: 'notes.md',
    content: NOTES('Nobody objected to an invoice in either year.'),
  })
  await atlas('workflow context send', {
    message:
      'By the index both years: **+ 5.1 %** and **+ 4.4 %**. Nobody objected. I put the invoices into `notes.md`.',
  })
  clock.goTo(414)
  await fern('workflow context send', {
    message: '@user which clause should the audit assume while we wait for Lumen’s answer?',
  })
  return { token, agents }
}

function wishFor({ folder }: Stage) {
  const dir = join(folder, '.workflow', INSTANCE)
  mkdirSync(dir, { recursive: true })
  return {
    ...{ instance: INSTANCE, workflow: INSTANCE, source: join(folder, 'supplier-audit.yaml') },
    ...({ standalone: false, mode: 'start', provider: 'file', dir } as const),
    ...{ channel_file: 'channel.md', document: 'notes.md', documents: [], by: 'user' },
    members: MEMBERS.map((name) => {
      return { name, agent_id: `${name}@${INSTANCE}`, backend: 'claude', model: '' }
    }),
  }
}

/** A moment of the run's lease: for a demo that stands still one is enough. */
export function keepChannel({ house }: Stage, { token }: DemoChannel): Promise<unknown> {
  return keepInstance(house.store, { instance: INSTANCE, token })
}

const KEEP_SECONDS = 5

/** Keeps the run for as long as nobody stops it. */
export async function runChannel(stage: Stage, channel: DemoChannel): Promise<void> {
  const { store } = stage.house
  for (;;) {
    await keepChannel(stage, channel)
    const found = await store.instance(INSTANCE)
    if (found !== null && MEMBERS.every((name) => isToStop(found, `${name}@${INSTANCE}`))) {
      await endInstance(store, { instance: INSTANCE, token: channel.token }, 'stopped')
      return
    }
    await pause(stage, KEEP_SECONDS)
  }
}

const TALK: readonly [MemberName, string][] = [
  ['orbit', 'I compared the index export with their invoices: the same to the cent.'],
  ['atlas', '@orbit then the only question is 4.2. Do we have the letter of 2022?'],
  ['orbit', 'Page 3 of `letters/2022-11.pdf`. It says "at most", not "about".'],
  ['fern', 'So 4 was meant as a cap. @atlas I would write that as a finding, with the page.'],
  ['atlas', 'Written down. The summary waits for the clause that we assume.'],
  ['fern', 'I ask Lumen once more, in one sentence.'],
  ['orbit', 'Two more contracts have the same pair of clauses. I list them.'],
  ['atlas', '@orbit put them below the table, please.'],
]
/** The rounds of it; after them only what the person says is answered. */
const ROUNDS = 40

/** The talk goes on, quickly at first, and its document changes with it. */
export async function talkOn(stage: Stage, { agents }: DemoChannel): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await pause(stage, Math.min(5 + round * 3, 90))
    const [name, message] = TALK[round % TALK.length] as [MemberName, string]
    await refusalIsFine(() => agents[name]('workflow context send', { message }))
    if (round % TALK.length !== 4) continue
    const content = NOTES(`Finding ${round}: clause 4 was meant as a cap (letter of 2022, page 3).`)
    await refusalIsFine(() =>
      agents.atlas('workflow context doc write', { file: 'notes.md', content }),
    )
  }
}

const ANSWERS: Record<MemberName, string> = {
  atlas: 'Understood. I take it into the draft.',
  fern: 'Good, I go on with that.',
  orbit: 'On it. I say so here when it is done.',
}

/** An agent hears whoever mentions it, and answers the person. */
export async function hearChannel(
  stage: Stage,
  { agents }: DemoChannel,
  name: MemberName,
): Promise<void> {
  const agent = agents[name]
  while (!stage.signal.aborted) {
    const { messages } = await agent('workflow context inbox', { timeout_seconds: 600 })
    const last = messages.at(-1)
    if (last === undefined) continue
    await pause(stage, 2)
    await refusalIsFine(() => agent('workflow context ack', { until: last.entry.id }))
    for (const { entry } of messages.filter((one) => one.entry.from === 'user')) {
      await pause(stage, 2)
      await refusalIsFine(() =>
        agent('workflow context send', { message: ANSWERS[name], reply_to: entry.id }),
      )
    }
  }
}

export const CHANNEL_EARS = MEMBERS
