// Several clients snooze, unsnooze, mark and decide the threads of one desk while agents keep commenting. A snooze
// hides only what came before it, never a later message. And the desk agrees with the log.

import { expect, test } from 'bun:test'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { ENGINES, withStore } from './own-store.ts'

const HANDS = 6
const ROUNDS = 24
const ME = { agent: 'user' }
const LATER = '2090-01-01T00:00:00.000Z'

type Act = (hand: Client, thread: string) => Promise<unknown>

const ACTS: Act[] = [
  (hand, thread) => hand.deskSnooze({ ...ME, threads: [thread], until: LATER }),
  (hand, thread) => hand.comment({ agent: 'ann', request: thread, body: 'More' }),
  (hand, thread) => hand.deskMark({ ...ME, threads: [thread], as: 'read' }),
  (hand, thread) => hand.deskSnooze({ ...ME, threads: [thread] }),
  (hand, thread) => hand.comment({ agent: 'ann', request: thread, body: 'And more' }),
  (hand, thread) => hand.deskUnsnooze({ ...ME, threads: [thread] }),
  (hand, thread) => hand.deskMark({ ...ME, threads: [thread], as: 'unread' }),
  (hand, thread) => hand.approve({ request: thread, revision: 1, grace_seconds: 1 }),
  (hand, thread) => hand.undoDecision({ request: thread }),
]

test.each([...ENGINES])('%s: a snooze never hides newer messages', (engine) =>
  withStore(engine, async ({ address, sql }) => {
    const owner = await connect(address)
    const threads: string[] = []
    for (let n = 0; n < 5; n++) {
      const wish = { agent: 'ann', type: 'chore', title: `May I ${n}?` }
      threads.push((await owner.requestCreate(wish)).request_id)
    }
    const hands = Array.from({ length: HANDS }, async (_, n) => {
      const hand = await connect(address)
      for (let round = 0; round < ROUNDS; round++) {
        const act = ACTS[(round * 5 + n * 2) % ACTS.length] as Act
        await act(hand, threads[(round + n) % threads.length] as string).catch(mustBeState)
      }
      await hand.close()
    })
    await Promise.all(hands)
    // According to the log, a thread is asleep if its last snooze is newer than its last message and wasn't undone.
    const events = await sql(
      'select event_id, event_type, payload_json from events order by event_id',
    )
    const words = await sql(
      "select thread_id, max(event_id) as n from deliveries where recipient = 'user' group by 1",
    )
    const asleep = threads.filter((thread) => {
      const own = events.filter(({ payload_json }) =>
        String(payload_json).includes(`user/${thread}`),
      )
      const last = own.at(-1)
      const said = words.find(({ thread_id }) => thread_id === thread)
      return last?.event_type === 'desk_snooze' && Number(last.event_id) > Number(said?.n)
    })
    const listed = async (snoozed: object) =>
      (await owner.deskList({ ...ME, ...snoozed })).rows.map(({ thread_id }) => thread_id).sort()
    expect(await listed({ snoozed: true })).toEqual(asleep.sort())
    const awake = threads.filter((thread) => !asleep.includes(thread))
    expect(await listed({})).toEqual(awake.sort())
    const { findings } = await owner.doctor({})
    expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
    await owner.close()
  }),
)

function mustBeState(error: unknown): void {
  if (error instanceof Refusal && ['invalid_state', 'forbidden'].includes(error.code)) return
  throw error
}
