// Several clients read, trash, restore, answer and delete the same few pushes at once. Whatever the outcome, the log
// and the tables agree, and no content of a deleted push remains.

import { expect, test } from 'bun:test'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { ENGINES, withStore } from './own-store.ts'

const HANDS = 6
const ROUNDS = 25
const WORD = 'xyzzy'

type Act = (hand: Client, entry: string) => Promise<unknown>

const ACTS: Act[] = [
  (hand, entry) => hand.pushRead({ entries: [entry] }),
  (hand, entry) => hand.pushUnread({ entries: [entry] }),
  (hand, entry) => hand.pushTrash({ entries: [entry] }),
  (hand, entry) => hand.pushRestore({ entries: [entry] }),
  (hand, entry) => hand.pushShow({ entry }),
  (hand, entry) => hand.pushReply({ entry, comments: `${WORD} reply` }),
  (hand) => hand.push({ agent: 'late', comments: `${WORD} late` }),
  async (hand) => {
    const { messages } = await hand.mailRead({ agent: 'ann', limit: 1 })
    const [asked] = messages
    if (asked === undefined) return
    const sending = hand.mailSend({ from: 'ann', in_reply_to: asked.id, body: `${WORD} answer` })
    await sending.catch(mustBeLetter)
  },
]

test.each([...ENGINES])(
  '%s: the log and the tables agree after many clients change the same pushes',
  (engine) =>
    withStore(engine, async ({ address, sql }) => {
      const owner = await connect(address)
      await owner.personAdd({ name: 'eve' })
      const entries: string[] = []
      for (let i = 0; i < 5; i++) {
        entries.push((await owner.push({ agent: 'ann', comments: `${WORD} ${i}` })).entry_id)
      }
      const hands = Array.from({ length: HANDS }, async (_, n) => {
        const hand = await connect(address)
        for (let round = 0; round < ROUNDS; round++) {
          const act = ACTS[(round * 7 + n * 3) % ACTS.length] as Act
          const entry = entries[(round + n) % entries.length] as string
          await act(hand, entry).catch(mustBeGone)
          // Halfway, three of the clients delete a push, no matter what the others are doing with it.
          if (round === 12 && n < 3) await hand.pushDelete({ entries: [entry] }).catch(mustBeGone)
        }
        await hand.close()
      })
      await Promise.all(hands)
      const { findings } = await owner.doctor({})
      expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
      const deleted = (await sql("select thread_id from threads where status = 'deleted'")).map(
        ({ thread_id }) => String(thread_id),
      )
      expect(deleted.length).toBeGreaterThan(0)
      for (const id of deleted) {
        const said = await sql('select summary, body from messages where thread_id = ?', id)
        for (const row of said) expect(row).toEqual({ summary: '', body: '' })
        expect(await sql('select 1 from deliveries where thread_id = ?', id)).toEqual([])
        const kept = await sql('select response_json from idempotency_keys')
        for (const { response_json } of kept) {
          if (String(response_json).includes(id)) expect(response_json).not.toContain(WORD)
        }
      }
      await owner.close()
    }),
)

/** A reply whose push was deleted is ordinary mail from a person, and an agent may answer that only with a push. */
function mustBeLetter(error: unknown): void {
  if (error instanceof Refusal && error.code === 'forbidden') return
  throw error
}

function mustBeGone(error: unknown): void {
  if (error instanceof Refusal && error.code === 'not_found') return
  throw error
}
