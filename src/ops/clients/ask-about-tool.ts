// Asks people about one use of a tool, and waits. A repeated call finds its earlier request by the agent and the digest
// of the tool and its arguments.

import type { ToolEvent } from '../../clients/client.ts'
import { refusalIn } from '../../core/error.ts'
import type { Json } from '../../core/json.ts'
import type { Request } from '../../core/requests/request-record.ts'
import { epochMs } from '../../core/time.ts'
import type { Context } from '../kit/operation.ts'
import { digestOf } from '../requests/payload.ts'
import { requestCreate } from '../requests/request-create.ts'
import { requestVerify } from '../requests/request-verify.ts'
import { requestWait } from '../requests/request-wait.ts'

export type ToolUse = {
  tool: string
  arguments: Json
  /** The model's description of the call. Not part of what is approved. */
  why: string
}

export type ToolVerdict = {
  /** `none` if no approval is required. */
  decision: 'none' | 'allow' | 'deny'
  request_id?: string
  reason?: string
  /** Set if there is no decision yet. */
  pending?: true
}

type ToolQuestion = {
  event: ToolEvent
  agent: string
  use: ToolUse
  requirement: string
  timeoutSeconds: number
}

const TYPE = 'tool_invocation'
/** How long a rejection stands. After that, people are asked about the same call again. */
const REJECTED_MS = 3_600_000
/** Programs ask for permission right after a use was allowed, so an approval counts for this long after its use. */
const USED_MS = 60_000
/** Identical calls in parallel may use up approvals before this one can. */
const MOST_ROUNDS = 10

export async function askAbout(context: Context, want: ToolQuestion): Promise<ToolVerdict> {
  const { event, agent, use, timeoutSeconds } = want
  const { store } = context
  const payload = JSON.stringify({ tool: use.tool, arguments: use.arguments })
  const payload_sha256 = await digestOf(context, payload)
  const until = performance.now() + timeoutSeconds * 1000
  /** Approvals that turned out not to count, because another call used them or they were imported. */
  const unfit = new Set<string>()
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = (await store.requestsOfPayload(agent, payload_sha256)).filter(isOfTool)
    const justUsed = event === 'use' ? undefined : await usedJustNow(context, found)
    if (justUsed !== undefined) return allowed(justUsed)
    const approved = found.findLast(
      (one) => one.status === 'approved' && one.used_at === null && !unfit.has(one.thread_id),
    )
    if (approved !== undefined) {
      const request = approved.thread_id
      if (await isUsed(context, { agent, request, payload })) {
        return allowed(approved)
      }
      unfit.add(request)
      continue
    }
    const [newest] = found
    if (newest !== undefined && (await isStillNo(context, newest))) {
      return noTo(context, agent, newest.thread_id)
    }
    const open = found.find(({ status }) => status === 'pending')
    const request = open?.thread_id ?? (await make(context, want, payload))
    const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1000))
    const waited = await requestWait.run(context, { agent, request, timeout_seconds: seconds })
    if (!waited.woke) return notYet(use.tool, request)
  }
  throw new Error('every approval was used by another call')
}

/** Requests of other types don't count, even with the same payload: people weren't asked about using a tool. */
function isOfTool({ request_type }: Request): boolean {
  return request_type === TYPE
}

/**
 * The approval this call used up a moment ago. After the `use` event, programs ask for permission for the same call,
 * sometimes twice. A second, identical call can't slip through here: its `use` event needs a separate approval.
 */
async function usedJustNow(
  { store }: Pick<Context, 'store'>,
  found: readonly Request[],
): Promise<Request | undefined> {
  const now = epochMs(await store.now())
  return found.find(({ status, used_at }) => {
    return status === 'approved' && used_at !== null && now - epochMs(used_at) < USED_MS
  })
}

function allowed({ thread_id: request_id, decided_by }: Request): ToolVerdict {
  return { decision: 'allow', request_id, reason: `${decided_by} approved it: ${request_id}` }
}

/** Uses up the approval for this call. Returns false if it was already used or wasn't given in this store. */
async function isUsed(
  context: Context,
  call: { agent: string; request: string; payload: string },
): Promise<boolean> {
  try {
    return (await requestVerify.run(context, { ...call, use: true })).approved
  } catch (error) {
    if (refusalIn(error)?.code === 'invalid_state') return false
    throw error
  }
}

async function isStillNo(
  { store }: Pick<Context, 'store'>,
  { status, decided_at }: Request,
): Promise<boolean> {
  if (status === 'revision_requested') return true
  if (status !== 'rejected' || decided_at === null) return false
  return epochMs(await store.now()) - epochMs(decided_at) < REJECTED_MS
}

async function noTo(context: Context, agent: string, request: string): Promise<ToolVerdict> {
  const told = await requestWait.run(context, { agent, request, timeout_seconds: 1 })
  const { by = 'someone', notes = '', status } = told.decision ?? {}
  const said = notes === '' ? '' : `: ${notes}`
  const reason =
    status === 'rejected'
      ? `${by} rejected this call (${request})${said}. Do not make it, and do not try another way.`
      : `${by} wants this call changed (${request})${said}. Make the changed call instead; it needs a new approval.`
  return { decision: 'deny', request_id: request, reason }
}

function notYet(tool: string, request: string): ToolVerdict {
  const reason = `A person must allow this use of ${tool} first. Approval was requested as ${request} and is still pending. Continue with other work: the decision will come by mail. Then make exactly this call again.`
  return { decision: 'deny', request_id: request, reason, pending: true }
}

async function make(context: Context, want: ToolQuestion, payload: string): Promise<string> {
  const { agent, use, requirement } = want
  const request = {
    agent,
    type: TYPE,
    title: titleOf(use),
    description: `${use.why}\n\n${requirement} must be asked for.`.trim(),
    payload,
    consequence: `${agent} uses ${use.tool} once, exactly so.`,
  }
  requestCreate.check?.(request)
  return (await requestCreate.run(context, request)).request_id
}

function titleOf({ tool, arguments: args }: ToolUse): string {
  const first = Object.values(Object(args) as object).find((value) => typeof value === 'string')
  const line = `${tool}: ${(first as string | undefined)?.trim().split('\n')[0] ?? ''}`
  const title = line.replace(/: $/, '')
  return title.length > 200 ? `${title.slice(0, 199)}…` : title
}
