// The things that time does to a request, in words. Nobody wrote them, so they are the system's.

import { SYSTEM } from '../../core/event.ts'
import { escalate, listToRemind, remind } from '../../core/requests/request-expiry.ts'
import type { Request } from '../../core/requests/request-record.ts'
import type { Tx } from '../../core/store.ts'
import type { Message, Words } from '../../core/threads/message.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { everyone, subjectOf } from '../pushes/push.ts'
import { type LockedRequest, recordOutcome } from './outcome.ts'

export async function letTimeAct(
  context: Context,
  tx: Tx,
  held: LockedRequest,
  due: 'expire' | 'approve' | 'escalate' | 'remind',
): Promise<void> {
  const { request, locked } = held
  const shown = await tx.message(request.revision_message)
  if (due === 'expire' || due === 'approve') {
    // A request from elsewhere is not approved here by itself.
    const move = shown?.imported_by === null ? due : 'expire'
    const words = endWords(request, move)
    await recordOutcome(context, tx, held, {
      ...{ move, by: SYSTEM, revision: request.revision, words },
    })
    return
  }
  const people = await everyone(tx)
  const words = askingWords(request, due, shown)
  const at = stamp(context, locked.now, words)
  if (due === 'remind') {
    const want = { words, recipients: listToRemind(request, people) }
    tx.record(locked.state, remind(locked.state, request, want, at))
  } else {
    const { escalate_to: to } = request
    const want = { words, recipients: to === '' ? people : [to] }
    tx.record(locked.state, escalate(locked.state, request, want, at))
  }
}

function endWords({ revision, revision_message }: Request, move: 'expire' | 'approve'): Words {
  const why = 'nobody decided in time'
  const said = move === 'expire' ? why : `${why}, and whoever asked said that this approves it`
  return {
    summary: `${move === 'expire' ? 'expired' : 'approved'}: ${said}`,
    body: said,
    payload_json: JSON.stringify({ decision: move, revision }),
    artifacts: [],
    in_reply_to: revision_message,
  }
}

function askingWords(
  { thread_id: id, requester, created_at }: Request,
  due: 'escalate' | 'remind',
  shown: Pick<Message, 'summary'> | null,
): Words {
  const word = due === 'remind' ? 'reminder' : 'escalated'
  return {
    summary: subjectOf(`${word}: ${shown?.summary ?? id}`, []),
    body: `Request ${id} by ${requester} waits for a decision since ${created_at}.`,
    payload_json: JSON.stringify({ [word]: id }),
    artifacts: [],
  }
}
