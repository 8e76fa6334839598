import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toInstant } from '../time.ts'
import { messagesOf, type OldMail, trimMail } from './retention.ts'

const at = (hour: number) => toInstant(hour * 3_600_000)

function mail(thread_id: string, updated: number, handled = updated, message_count = 1): OldMail {
  return { thread_id, message_count, updated_at: at(updated), handled_at: at(handled) }
}

const names = (threads: OldMail[]) => threads.map(({ thread_id }) => thread_id).join('')

test('removes old mail, then the excess, oldest handled first', () => {
  const all = [mail('a', 1), mail('b', 5, 90), mail('c', 6), mail('d', 7, 8), mail('e', 80)]
  const limits = { before: at(2), handledBefore: at(50) }
  expect(names(trimMail(all, 5, { ...limits, messages: 4 }))).toBe('a')
  expect(names(trimMail(all, 5, { ...limits, messages: 3 }))).toBe('ac')
  expect(names(trimMail(all, 5, { ...limits, messages: 2 }))).toBe('acd')
  expect(names(trimMail(all, 5, { ...limits, messages: 1 }))).toBe('acdb')
  expect(names(trimMail(all, 5, { ...limits, messages: 0 }))).toBe('acdbe')
})

test('removes no more than necessary, and enough if it can', () => {
  const thread = fc.record({
    updated: fc.nat(100),
    later: fc.nat(50),
    count: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(
      fc.array(thread),
      fc.nat(50),
      fc.nat(100),
      fc.nat(60),
      (threads, more, age, most) => {
        const all = threads
          .map(({ updated, later, count }, i) => mail(`t${i}`, updated, updated + later, count))
          .sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1))
        const total = messagesOf(all) + more
        const limits = { before: at(age), messages: most, handledBefore: at(70) }
        const go = trimMail(all, total, limits)
        const left = total - messagesOf(go)
        const old = all.filter(({ updated_at }) => updated_at < limits.before)
        expect(go.slice(0, old.length)).toEqual(old)
        expect(new Set(go).size).toBe(go.length)
        if (left > most) expect(go).toHaveLength(all.length)
        const last = go.at(-1)
        if (go.length > old.length && last) expect(left + last.message_count).toBeGreaterThan(most)
      },
    ),
  )
})
