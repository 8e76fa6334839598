import { expect, test } from 'bun:test'
import type { LiveEvent } from './stream.ts'

test('events that arrive while a batch is delivered are in the next one', async () => {
  // The module reads `location` when it's imported.
  globalThis.location ??= { search: '' } as Location
  const { frameBatcher } = await import('./stream.ts')
  const told: (readonly LiveEvent[])[] = []
  const both = Promise.withResolvers<void>()
  const hear = frameBatcher({
    onEvents(events) {
      told.push(events)
      if (told.length === 1) hear({ events: [eventAt(3)] })
      else both.resolve()
    },
    onReset() {},
    onState() {},
  })
  hear({ events: [eventAt(1)] })
  hear({ events: [eventAt(2)] })
  await both.promise
  expect(told).toEqual([[eventAt(1), eventAt(2)], [eventAt(3)]])
})

function eventAt(event_id: number): LiveEvent {
  return { event_id, event_type: 'mail_sent', thread_id: '', agent: '' }
}
