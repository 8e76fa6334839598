// A reply to a request is a comment. A person who could have decided may mistake it for the decision while the agent
// keeps waiting, so the answer says that the request is still undecided, and how to decide it.

import { isObject, type Json } from '../../core/json.ts'
import { mayDecide } from '../../core/requests/request.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import { readStored } from '../../core/shallow.ts'
import type { Reads } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'

/** The answer to a person's reply, with the warning if one is due. */
export async function warnIfPending<R extends { thread: Thread }>(
  reads: Reads,
  said: R,
  from: string,
): Promise<R> {
  const warning = await warnOfPending(reads, said.thread.thread_id, from)
  return warning === undefined ? said : { ...said, warning }
}

/** Undefined if the writer can't decide the request, or there is nothing left to decide. */
async function warnOfPending(reads: Reads, id: string, from: string): Promise<string | undefined> {
  const request = await reads.rowOf(REQUESTS, id)
  if (request?.status !== 'pending') return undefined
  if (!mayDecide(request, { kind: 'person', name: from })) return undefined
  const kept = 'this was kept as a comment and decides nothing'
  if (request.request_type !== 'question') {
    return `${kept}; 'inbox approve', 'inbox reject' and 'inbox request-revision' decide request ${id}`
  }
  const shown = await reads.message(request.revision_message)
  const revision = shown === null ? {} : (readStored(shown.payload_json) as Json)
  const asked = isObject(revision) ? revision.payload : undefined
  const hasForm = asked !== undefined && isObject(asked) && asked.schema !== undefined
  const how = hasForm ? "--values '{…}'" : '--answer "…"'
  return `${kept}; answer with: inbox approve ${id} --revision ${request.revision} ${how}`
}
