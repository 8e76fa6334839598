import { field, refuse } from '../../core/error.ts'
import type { Json } from '../../core/json.ts'
import type { Request } from '../../core/requests/request-record.ts'
import {
  type Claim,
  isDecidedHere,
  mustBeCovered,
  notCovered,
  readWarrant,
  signedText,
  useApproval,
  type Warrant,
  type WarrantFields,
} from '../../core/requests/warrant.ts'
import type { Reads } from '../../core/store.ts'
import { type AnswerOf, aFlag, aNumber, aText, CURSOR, orNull } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { isSigned, keyPairOf } from '../kit/ed25519.ts'
import { flag, id, json, required, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { applyDueBeforeLook, lockRequest } from './due-decisions.ts'
import { digestOf } from './payload.ts'
import { viewerOf, visibleRequest } from './request-view.ts'
import { storyOf } from './timeline.ts'

const VERIFICATION = {
  approved: aFlag<true>('always true: anything else is a refusal'),
  request_id: aText('the request'),
  revision: aNumber('the revision that was approved'),
  payload_sha256: aText('the digest of the approved payload'),
  decided_by: aText('by whom'),
  decided_at: aText('when'),
  used_at: orNull(aText('when the approval was used')),
  used_by: orNull(aText('by whom')),
  key: aText('the public key for warrants of this store, in base64url'),
  next_event_id: CURSOR,
}

export type Verification = AnswerOf<typeof VERIFICATION>

export const requestVerify = mutation({
  name: 'request verify',
  example: `request verify r4t8zw --payload '{"version":2}'`,
  summary: 'Check whether exactly this payload was approved, by whom and when.',
  about:
    'Name the request by its id, or by the warrant that came with its approval. Anything but yes is a refusal with the reason: a different payload, revision or decision, or a warrant that was changed or is from another store. With --use the approval is used up: a second use is refused. The key in the answer is the public key that others need to check a warrant without access to this store.',
  fields: {
    agent: self('who asks', { leftOut: 'user' }),
    request: id('the request', { positional: true }),
    warrant: json('the warrant, as it came with the decision', { max: 4096, exact: true }),
    payload: required(
      json('what you are about to do, as a JSON object', { max: 1_048_576, exact: true }),
    ),
    use: flag('count the approval as used'),
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  check({ request, warrant }) {
    if ((request === undefined) !== (warrant === undefined)) return
    if (request === undefined)
      throw refuse.invalid_input`${field('request')} is missing: name it, or give its ${field('warrant')}`
    throw refuse.invalid_input`name the request by ${field('request')} or by ${field('warrant')}, and not by both`
  },
  async run(context, input): Promise<Verification> {
    const { store } = context
    const warrant =
      input.warrant === undefined ? undefined : readWarrant(JSON.parse(input.warrant) as Json)
    const request_id = warrant?.request_id ?? (input.request as string)
    const viewer = viewerOf(context, input.agent)
    const [payload_sha256, seed, next_event_id] = await Promise.all([
      digestOf(context, input.payload),
      store.warrantSeed(),
      store.lastEventId(),
    ])
    const key = seed === null ? '' : (await keyPairOf(seed)).publicKey
    // Check the warrant before revealing anything about the request it names.
    if (warrant !== undefined) await mustBeGenuine(warrant, key)
    await applyDueBeforeLook(context, request_id)
    const seen = await visibleRequest(store, request_id, viewer)
    const earlier = await earlierRevision(context, seen, payload_sha256)
    const isUse = input.use ?? false
    const asked = { payload_sha256, earlier, warrant, isUse }
    if (!isUse) {
      const fields = mustBeCovered(await claimOf(store, seen, asked))
      return { ...verified(fields, seen), key, next_event_id }
    }
    const call = { op: 'request verify', agent: viewer.name, input }
    return commit(context, call, async (tx) => {
      const { locked, request } = await lockRequest(tx, request_id)
      const fields = mustBeCovered(await claimOf(tx, request, asked))
      tx.record(locked.state, useApproval(locked.state, fields, viewer.name, locked.now))
      return { ...verified(fields, { used_at: locked.now, used_by: viewer.name }), key }
    })
  },
  answer: VERIFICATION,
  lines: ({ request_id, revision, decided_by, decided_at }) =>
    `${request_id} at revision ${revision} was approved by ${decided_by} at ${decided_at}, with exactly this payload\n`,
})

async function mustBeGenuine(warrant: Warrant, key: string): Promise<void> {
  const about = { thread_id: warrant.request_id }
  if (warrant.key !== key) {
    throw notCovered(about, 'other_store', 'the warrant was signed by another store than this one')
  }
  if (await isSigned(key, warrant.signature, signedText(warrant))) return
  throw notCovered(
    about,
    'tampered',
    'the warrant was changed after it was signed, or never signed',
  )
}

async function claimOf(
  reads: Reads,
  request: Request,
  asked: Pick<Claim, 'payload_sha256' | 'earlier' | 'warrant' | 'isUse'>,
): Promise<Claim> {
  const { decision_message } = request
  const said = decision_message === null ? null : await reads.message(decision_message)
  return { request, isOwn: isDecidedHere(said), ...asked }
}

/** Returns the earlier revision that the payload belongs to, if any, so that the refusal can mention it. */
async function earlierRevision(
  { store }: Context,
  request: Request,
  payload_sha256: string,
): Promise<number | undefined> {
  if (request.revision === 1 || request.payload_sha256 === payload_sha256) return undefined
  const { revisions } = storyOf(await store.requestLog(request.thread_id))
  return revisions.find((one) => one.payload_sha256 === payload_sha256)?.revision
}

function verified(
  fields: WarrantFields,
  { used_at, used_by }: Pick<Request, 'used_at' | 'used_by'>,
) {
  const { decision: _, ...what } = fields
  return { approved: true, ...what, used_at, used_by } as const
}
