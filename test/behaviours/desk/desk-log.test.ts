// Desks in the log: snoozes are imported with it, and impossible changes are rejected.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { inSeconds } from '../../worlds/desks.ts'
import { event, facts, type Poison, poisoned } from '../../worlds/poisons.ts'
import { ailments, comment } from '../../worlds/pushes.ts'
import { asked } from '../../worlds/requests.ts'
import type { World } from '../../worlds/world.ts'

const DAY = 86_400

/** Uses every possible operation on a desk. */
async function useDesk(world: World): Promise<void> {
  await world.inbox.personAdd({ name: 'eve' })
  const [one, two] = [await comment(world, 'One'), await comment(world, 'Two')]
  const three = await comment(world, 'Three')
  const request = await asked(world)
  await world.inbox.deskMark({ threads: [one, two], as: 'read' })
  await world.inbox.deskSnooze({ threads: [one], until: await inSeconds(world, DAY) })
  await world.inbox.deskSnooze({ threads: [two, three] })
  await world.inbox.deskUnsnooze({ threads: [two] })
  await world.inbox.deskSnooze({ agent: 'user:eve', threads: [request] })
  await world.inbox.deskMark({ threads: [request], as: 'read' })
}

behaves('desk/log', async (world) => {
  await useDesk(world)
  const log = await world.exportLog()
  const other = await world.another('empty')
  expect(await other.importLog(log)).toMatchObject({ rejected: [] })
  expect(await other.exportLog()).toBe(log)
  expect(await ailments(other)).toEqual([])
  for (const agent of ['user', 'user:eve']) {
    for (const snoozed of [false, true]) {
      const wish = snoozed ? { agent, snoozed } : { agent }
      const { rows, ...rest } = await world.inbox.deskList(wish)
      const brought = rows.map((row) => ({ ...row, imported_by: 'user' }))
      expect(await other.inbox.deskList(wish)).toEqual({ ...rest, rows: brought })
    }
  }
})

/** Each line is wrong in one way, and is placed just before the first good line of its type. */
const POISONS: [string, Poison][] = [
  ['desk_snooze', facts({ upto: 0 })],
  ['desk_snooze', facts({ until: 'soon' })],
  ['desk_snooze', facts({ person: 'ann' })],
  ['desk_snooze', facts({ person: 'user:eve' })],
  ['desk_snooze', facts({ snooze_id: 'user/elsewhere' })],
  ['desk_snooze', facts({ events: 2 })],
  ['desk_snooze', facts({ words: 'Later' })],
  ['desk_snooze', event('agent', 'user:eve')],
  ['desk_snooze', event('event_type', 'desk_unsnooze')],
  ['desk_unsnooze', facts({ events: 1 })],
  ['desk_unsnooze', event('agent', 'user:eve')],
]

behaves('desk/log-poisoned', async (world) => {
  await useDesk(world)
  const text = await world.exportLog()
  const { mixed, bad } = poisoned(text, POISONS)
  const copy = await world.another('empty')
  const imported = await copy.importLog(mixed)
  expect(imported.aside).toEqual(bad)
  expect(await copy.exportLog()).toBe(text)
  expect(await ailments(copy)).toEqual([])
})

const TAMPERINGS = [
  `update snoozes set until = null`,
  `update snoozes set upto = 2`,
  `update snoozes set ended_at = null`,
  `delete from snoozes where person = 'user:eve'`,
  `update desk_rows set wakes_at = ''`,
  `update desk_rows set unread = 7`,
  `update desk_rows set needs = ''`,
  `update desk_rows set created_by = 'bob'`,
  `delete from desk_rows where person = 'user:eve'`,
]

behaves('desk/tampered', async (world) => {
  await useDesk(world)
  const text = await world.exportLog()
  for (const tampering of TAMPERINGS) {
    const copy = await world.another('empty')
    await copy.importLog(text)
    await copy.sql(tampering)
    const log = (await copy.inbox.doctor({})).findings.find(({ check }) => check === 'log')
    expect({ tampering, ok: log?.ok }).toEqual({ tampering, ok: false })
    await copy.giveBack()
  }
})

behaves('desk/pruned', async (world) => {
  const [one, two] = [await comment(world, 'One'), await comment(world, 'Two')]
  await world.inbox.deskSnooze({ threads: [one, two] })
  await world.inbox.deskUnsnooze({ threads: [one] })
  await world.clock.advance(31 * DAY)
  expect((await world.inbox.prune({})).removed).toMatchObject({ snoozes: 1 })
  expect(await world.sql('select thread_id from snoozes')).toEqual([{ thread_id: two }])
  expect(await ailments(world)).toEqual([])
  // The thread can be snoozed again, as if for the first time.
  expect((await world.inbox.deskSnooze({ threads: [one] })).changed).toEqual([one])
  expect(await ailments(world)).toEqual([])
})
