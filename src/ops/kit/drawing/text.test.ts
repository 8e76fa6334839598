import { expect, test } from 'bun:test'
import { relative, safe, table } from './text.ts'

const NOW = Date.parse('2026-03-01T08:00:00.000Z')

function at(ms: number): string {
  return relative(new Date(NOW + ms).toISOString(), NOW)
}

test('a time is told to the nearest second, then in whole units', () => {
  expect(at(900_000 - 3)).toBe('in 15 min')
  expect(at(60_000 - 3)).toBe('in 1 min')
  expect(at(-59_400)).toBe('59 s ago')
  expect(at(-90_000)).toBe('1 min ago')
  expect(at(2 * 86_400_000 + 5)).toBe('in 2 d')
  expect(at(-999)).toBe('now')
})

test('what a terminal would obey or hide is not shown; what joins letters is', () => {
  expect(safe('a\u001b[31m\u009b\u202e\u200b\u{e0041}b\tc\nd')).toBe('a�[31m����b\tc\nd')
  expect(safe('👩\u200d💻 می\u200cخواهم')).toBe('👩\u200d💻 می\u200cخواهم')
})

test('a cell of a table neither breaks its line nor moves the cursor', () => {
  const cells = [{ text: 'type' }, { text: 'chore\nstatus  approved\u001b[2K\u202e' }]
  expect(table([cells], 80)).toBe('type  chore status  approved�[2K�\n')
})

test('what is extra is left out before the last column becomes too narrow to read', () => {
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
