import { expect, test } from 'bun:test'
import { elapsed, makeSafe, readable, relative, table } from './text.ts'

const NOW = Date.parse('2026-03-01T08:00:00.000Z')

function at(ms: number): string {
  return relative(new Date(NOW + ms).toISOString(), NOW)
}

test('a time is rounded to the nearest second, then shown in whole units', () => {
  expect(at(900_000 - 3)).toBe('in 15 min')
  expect(at(60_000 - 3)).toBe('in 1 min')
  expect(at(-59_400)).toBe('59 s ago')
  expect(at(-90_000)).toBe('1 min ago')
  expect(at(2 * 86_400_000 + 5)).toBe('in 2 d')
  expect(at(-999)).toBe('now')
})

test('replaces characters that a terminal would obey or hide, but not those that join letters', () => {
  expect(makeSafe('a\u001b[31m\u009b\u202e\u200b\u{e0041}b\tc\nd')).toBe('a�[31m����b\tc\nd')
  expect(makeSafe('👩\u200d💻 می\u200cخواهم')).toBe('👩\u200d💻 می\u200cخواهم')
})

test('a table cell cannot break its line or move the cursor', () => {
  const cells = [{ text: 'type' }, { text: 'chore\nstatus  approved\u001b[2K\u202e' }]
  expect(table([cells], 80)).toBe('type  chore status  approved�[2K�\n')
})

test('extra columns are left out before the last column gets too narrow to read', () => {
  const rows = [
    [
      { text: 'k3f9p2' },
      { text: 'pending' },
      { text: 'lead → worker', extra: true },
      { text: '5 min ago', extra: true },
      { text: 'Write the login page of the shop' },
    ],
  ]
  expect(table(rows, 100)).toContain(
    'pending  lead → worker  5 min ago  Write the login page of the shop',
  )
  expect(table(rows, 65)).toBe('k3f9p2  pending  lead → worker  Write the login page of the shop\n')
  expect(table(rows, 50)).toBe('k3f9p2  pending  Write the login page of the shop\n')
})

test('shortens ids and makes times relative in sentences, except in quoted text', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z')
  const id = 'thr_01m7en06kz2smepcn42csz766h'
  const told = `thread ${id} is held until 2026-03-01T12:15:00.000Z; take it with 'inbox claim ${id}'`
  expect(readable(told, now)).toBe(
    "thread 2smepc is held for another 15 min; take it with 'inbox claim 2smepc'",
  )
  const late = 'it lapsed at 2026-03-01T11:00:00.000Z, until 2026-03-01T11:00:00.000Z'
  expect(readable(late, now)).toBe('it lapsed 1 h ago, until 1 h ago')
  expect(readable('it was approved at 2026-03-01T12:00:00.000Z by ann', now)).toBe(
    'it was approved just now by ann',
  )
  const quoted = `lead says "not before 2026-03-01T12:15:00.000Z, see ${id}"`
  expect(readable(quoted, now)).toBe(quoted)
  const over = `--until 2026-03-01T11:00:00.000Z is over: by the store's clock it is 2026-03-01T12:00:00.000Z`
  expect(readable(over, now)).toBe(over)
  const paths = `cannot write /tmp/${id}/a.md, ${id}.json or x-${id}`
  expect(readable(paths, now)).toBe(paths)
  expect(readable(`${id} (${id}), [${id}].`, now)).toBe('2smepc (2smepc), [2smepc].')
  expect(elapsed('2026-03-01T11:55:00.000Z', now)).toBe('for 5 min')
  expect(elapsed('2026-03-01T12:00:00.000Z', now)).toBe('just now')
})
