// The events by which threads come to belong to a request. The record of a request (request-record.ts) takes them in.

import { ID, listOf } from '../fact-shape.ts'
import type { ThreadRecord } from '../record.ts'
import type { Request } from './request-record.ts'

/** One link that came or went, and all that there are afterwards. */
type ChangedLinks = { linked: string; links: string[] }
export type LinkFacts =
  | ({ type: 'request_link' } & ChangedLinks)
  | ({ type: 'request_unlink' } & ChangedLinks)

const LINKED = { linked: ID, links: listOf(ID, 0) }

export const LINK_EVENTS: ThreadRecord<Request, LinkFacts>['events'] = {
  request_link: { facts: LINKED, changes: ({ links }) => ({ links }) },
  request_unlink: { facts: LINKED, changes: ({ links }) => ({ links }) },
}

export function mustLink(before: readonly string[], { type, linked, links }: LinkFacts): void {
  const left = before.filter((one) => one !== linked)
  const expected = type === 'request_link' ? [...left, linked] : left
  if (before.length !== links.length && expected.join() === links.join()) return
  throw new Error(`${type} of ${linked} does not lead from ${before.join()} to ${links.join()}`)
}
