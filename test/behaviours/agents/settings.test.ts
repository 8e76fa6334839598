// The settings of a person.
import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { event, facts, type Poison, poisoned } from '../../worlds/poisons.ts'
import { ailments } from '../../worlds/pushes.ts'
import { refused } from '../../worlds/refused.ts'
import type { World } from '../../worlds/world.ts'

const FIRST = {
  views: [],
  notify: {
    desktop: false,
    sound: false,
    failures: false,
    quiet_from: null,
    quiet_to: null,
    paused_until: null,
  },
  mark_read: 'after a moment',
  single_keys: true,
}
const UNREAD = { name: 'Unread', screen: 'inbox', search: 'view=unread' }
const FROM_MICA = { name: 'From mica', screen: 'history', search: 'agent=mica' }

type Wish = Omit<NonNullable<Parameters<World['inbox']['personSet']>[0]>, 'views'> & {
  views?: unknown
}

const set = (world: World, { views, ...wish }: Wish) =>
  world.inbox.personSet({
    agent: 'user',
    ...wish,
    ...(views === undefined ? {} : { views: JSON.stringify(views) }),
  })
const settings = async (world: World, agent = 'user') =>
  (await world.inbox.personSettings({ agent })).settings

behaves('settings/first', async (world) => {
  const before = await world.exportLog()
  expect(await world.inbox.personSettings({ agent: 'user' })).toMatchObject({
    person: 'user',
    settings: FIRST,
  })
  expect(await world.exportLog()).toBe(before)
})

behaves('settings/set', async (world) => {
  const first = await set(world, {
    views: [UNREAD, FROM_MICA],
    desktop: 'on',
    mark_read: 'by hand',
  })
  expect(world.exitOf(first)).toBe(0)
  expect(first).toMatchObject({ person: 'user', changed: ['views', 'mark_read', 'desktop'] })
  const after = {
    ...FIRST,
    views: [UNREAD, FROM_MICA],
    mark_read: 'by hand',
    notify: { ...FIRST.notify, desktop: true },
  }
  expect(await settings(world)).toEqual(after as never)
  const { changed } = await set(world, {
    single_keys: 'off',
    quiet_from: '22:00',
    quiet_to: '07:30',
  })
  expect(changed).toEqual(['single_keys', 'quiet_from', 'quiet_to'])
  const quiet = { ...after.notify, quiet_from: '22:00', quiet_to: '07:30' }
  expect(await settings(world)).toEqual({ ...after, single_keys: false, notify: quiet } as never)
  const log = await world.exportLog()
  expect((await set(world, { single_keys: 'off', views: [UNREAD, FROM_MICA] })).changed).toEqual([])
  expect(await world.exportLog()).toBe(log)
  // The list is replaced as a whole, so its order and length are as given.
  await set(world, { views: [FROM_MICA], quiet_from: null, quiet_to: null })
  expect(await settings(world)).toMatchObject({
    views: [FROM_MICA],
    notify: { quiet_from: null, quiet_to: null },
  })
})

behaves('settings/own', async (world) => {
  await world.inbox.agentRegister({ agent: 'ann' })
  await world.inbox.personAdd({ name: 'mira' })
  await set(world, { agent: 'user:mira', sound: 'on' })
  expect(await settings(world)).toMatchObject({ notify: { sound: false } })
  expect(await settings(world, 'user:mira')).toMatchObject({ notify: { sound: true } })
  await refused(world.inbox.personSettings({ agent: 'ann' }), 'forbidden')
  await refused(set(world, { agent: 'ann', sound: 'on' }), 'forbidden')
  await refused(set(world, { agent: 'user:nobody', sound: 'on' }), 'not_found')
})

behaves('settings/pause', async (world) => {
  await set(world, { pause_minutes: 60 })
  const { notify } = await settings(world)
  const left = Date.parse(notify.paused_until as string) - Date.parse(world.clock.now())
  expect(left).toBe(3_600_000)
  await set(world, { pause_minutes: 0 })
  expect((await settings(world)).notify.paused_until).toBeNull()
})

behaves('settings/refused', async (world) => {
  const named = (name: string) => ({ name, screen: 'inbox', search: '' })
  const views = (count: number) => Array.from({ length: count }, (_, at) => named(`View ${at}`))
  await set(world, { views: views(30) })
  await set(world, {
    views: [named('é'.repeat(60)), { ...named('Long'), search: 'x'.repeat(2048) }],
  })
  const before = await settings(world)
  const bad: Wish[] = [
    { views: views(31) },
    { views: [named('Two'), named('Two')] },
    { views: [named('')] },
    { views: [named('x'.repeat(61))] },
    { views: [named('a\nb')] },
    { views: [{ name: 'Elsewhere', screen: 'https://example.com', search: '' }] },
    { views: [{ ...named('Long'), search: 'x'.repeat(2049) }] },
    { views: [{ ...named('More'), color: 'red' }] },
    { views: ['inbox'] },
    { views: { name: 'One', screen: 'inbox', search: '' } },
    { quiet_from: '24:00', quiet_to: '07:00' },
    { quiet_from: '7:00', quiet_to: '08:00' },
    { quiet_from: '22:00' },
    { quiet_to: '07:00' },
    { quiet_from: '22:00', quiet_to: null },
    { quiet_from: '22:00', quiet_to: '22:00' },
    {},
    { pause_minutes: 10_081 },
    { pause_minutes: -1 },
    { mark_read: 'never' as never },
    { single_keys: 'maybe' as never },
  ]
  for (const wish of bad) await refused(set(world, wish), 'invalid_input')
  const two = await refused(set(world, bad[1] as Wish), 'invalid_input')
  expect(two.message).toContain('"Two"')
  expect(await settings(world)).toEqual(before)
})

behaves('settings/key', async (world) => {
  const wish = { pause_minutes: 60, idempotency_key: 'try-1' }
  const first = await set(world, wish)
  const paused = await settings(world)
  await world.clock.advance(60)
  expect(await set(world, wish)).toEqual(first)
  expect(await settings(world)).toEqual(paused)
})

const POISONS: [string, Poison][] = [
  [
    'person_views',
    facts({ views: Array.from({ length: 31 }, (_, at) => ({ ...UNREAD, name: `${at}` })) }),
  ],
  ['person_views', facts({ views: [UNREAD, { ...UNREAD, search: '' }] })],
  ['person_views', facts({ views: [{ ...UNREAD, screen: 'elsewhere' }] })],
  ['person_views', facts({ views: [{ ...UNREAD, name: 'x'.repeat(61) }] })],
  ['person_views', facts({ person_id: 'user:mira' })],
  ['person_views', facts({ person_id: 'user:nobody' })],
  ['person_views', event('agent', 'user:mira')],
  ['person_set', facts({ mark_read: 'never' })],
  ['person_set', facts({ single_keys: 1 })],
  ['person_set', facts({ notify: { ...FIRST.notify, quiet_from: '22:00' } })],
  ['person_set', facts({ notify: { ...FIRST.notify, quiet_from: '1', quiet_to: '2' } })],
  ['person_set', facts({ notify: { ...FIRST.notify, quiet_from: '09:00', quiet_to: '09:00' } })],
  ['person_set', facts({ notify: { ...FIRST.notify, paused_until: 'tomorrow' } })],
]

behaves('settings/log', async (world) => {
  await world.inbox.personAdd({ name: 'mira' })
  await set(world, { views: [UNREAD, FROM_MICA] })
  await set(world, { desktop: 'on', quiet_from: '22:00', quiet_to: '07:00', pause_minutes: 5 })
  await set(world, { agent: 'user:mira', single_keys: 'off' })
  await set(world, { views: [FROM_MICA] })
  const log = await world.exportLog()
  const { mixed, bad } = poisoned(log, POISONS)
  const copy = await world.another('empty')
  expect((await copy.importLog(mixed)).aside).toEqual(bad)
  expect(await copy.exportLog()).toBe(log)
  expect(await ailments(copy)).toEqual([])
  for (const person of ['user', 'user:mira']) {
    expect(await settings(copy, person)).toEqual(await settings(world, person))
  }
  await copy.sql("update person_settings set mark_read = 'at once'")
  const found = (await copy.inbox.doctor({})).findings.find(({ check }) => check === 'log')
  expect(found?.ok).toBe(false)
})
