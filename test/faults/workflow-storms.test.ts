// Agents that mention each other endlessly, or a hundred times in one turn. Limits bound the number of turns.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openMailroom } from '../../src/bin/compose.ts'
import { withStore } from '../races/own-store.ts'
import { flowIn, scripts } from '../worlds/workflows.ts'

const SAY = '"$INBOX_PROGRAM" workflow context send --agent "$INBOX_AGENT"'
const TALKER = join(import.meta.dirname, '../programs/agent-talker.ts')

test('three agents that always mention both others take only their maximum number of turns', async () => {
  await withStore('sqlite', async (store) => {
    await (await openMailroom(store.address)).close()
    const flow = await flowIn(store)
    const call = `cat >/dev/null; ${SAY} "@ann @bob @cyd again" > /dev/null`
    const agents = scripts({ ann: call, bob: call, cyd: call })
    const bounded = agents.replaceAll(
      '    command:',
      '    hops: 100\n    max_turns: 3\n    command:',
    )
    flow.file('storm.yaml', `${bounded}kickoff: "@ann @bob @cyd begin"\n`)
    type StormReport = { turns: number; agents: { name: string; turns: number }[] }
    const report = await flow.ask<StormReport>('workflow', 'run', 'storm.yaml')
    const { turns, agents: members } = report
    expect(report).toMatchObject({ ended: 'budget', entries: 1 + turns })
    // An agent that got both others' mentions in a single turn still has one turn left when they have used up theirs.
    expect(members.map((one) => one.turns).sort()).toEqual([turns - 6, 3, 3])
    expect(turns).toBeGreaterThan(6)
    const mentions = await store.sql(
      "select recipient, count(*) as n from deliveries where recipient <> 'user' group by recipient order by 1",
    )
    // Each is mentioned by the kickoff and in each turn of the others, never by itself.
    const expected = members.map((one) => ({
      recipient: `${one.name}@default`,
      n: 1 + turns - one.turns,
    }))
    expect(mentions).toEqual(expected)
  })
}, 100_000)

test('an agent that mentions another the maximum number of times causes a few turns, and each mention is given once', async () => {
  await withStore('sqlite', async (store) => {
    await (await openMailroom(store.address)).close()
    const flow = await flowIn(store)
    const ann = `cat >/dev/null; ${process.execPath} ${TALKER} 1000 @bob`
    flow.file('calls.yaml', scripts({ ann, bob: 'cat >> "$NOTES"' }, 'kickoff: "@ann"\n'))
    const report = await flow.ask<{ agents: { turns: number }[] }>('workflow', 'run', 'calls.yaml')
    expect(report).toMatchObject({ ended: 'idle', entries: 101, agents: [{ turns: 1 }, {}] })
    // A burst is one batch, or several on a slow machine.
    expect(report.agents[1]?.turns).toBeLessThan(6)
    const given = flow.notes().map((line) => (JSON.parse(line) as { id: string }).id)
    expect(given).toHaveLength(100)
    expect(new Set(given).size).toBe(100)
    const left = await store.sql(
      "select state, count(*) as n from deliveries where recipient = 'bob@default' group by state",
    )
    expect(left).toEqual([{ state: 'read', n: 100 }])
  })
}, 100_000)
