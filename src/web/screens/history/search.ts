import { parseAddress } from '../../../core/agents/address.ts'
import { MAIL_TYPES, type MailType } from '../../../core/vocabulary.ts'
import type { CallInput } from '../../../ops/catalogue.ts'
import {
  type GivenSearch,
  idIn,
  makeSearch,
  oneOf,
  type SearchParts,
  textIn,
} from '../../ui/search.ts'

export type HistorySearch = SearchParts<{
  type: string
  agent: string
  ws: string
  /** Messages to the person (`in`) or from them (`out`). */
  dir: 'in' | 'out'
  /** Local dates, inclusive. */
  from: string
  to: string
  q: string
}>

export function readHistorySearch(given: GivenSearch): HistorySearch {
  const types = typesIn(textIn(given.type))
  const days = [dayIn(given.from), dayIn(given.to)]
  const [from, to] = days.every((day) => day !== undefined) ? days.toSorted() : days
  return {
    type: types.length === 0 ? undefined : types.join(','),
    agent: addressIn(given.agent),
    ws: idIn(given.ws),
    dir: oneOf(['in', 'out'], given.dir),
    from,
    to,
    q: textIn(given.q),
  }
}

function dayIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(value)) return undefined
  return Number.isNaN(Date.parse(value)) ? undefined : value
}

function addressIn(value: unknown): string | undefined {
  const text = textIn(value, 140)
  try {
    parseAddress(text ?? '')
    return text
  } catch {
    return undefined
  }
}

export function typesIn(words: string | undefined): MailType[] {
  const given = words?.split(',') ?? []
  return MAIL_TYPES.filter((type) => given.includes(type))
}

/** The filter in the form that the operations accept, but without the types, which are counted one by one. */
export type PageFilter = Omit<CallInput<'mail count'>, 'agent'>

export function filterOf({ agent, ws, dir, from, to, q }: HistorySearch): PageFilter {
  return {
    ...(agent === undefined ? {} : { with: agent }),
    ...(ws === undefined ? {} : { workspace: ws }),
    ...(dir === undefined ? {} : { direction: dir }),
    ...(from === undefined ? {} : { since: beginOf(from).toISOString() }),
    ...(to === undefined ? {} : { until: new Date(beginOf(to, 1).getTime() - 1).toISOString() }),
    ...(q === undefined ? {} : { text: q }),
  }
}

/** Returns the start of the day that is `later` days after `day`, in local time. */
function beginOf(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later)
}

export function isFiltered(search: HistorySearch): boolean {
  return Object.values(search).some((value) => value !== undefined)
}

export type FilterChange = Partial<Record<keyof HistorySearch, string | undefined>>

const useAddress = makeSearch(readHistorySearch)

/** Changes are parsed like a URL: an empty choice clears its parameter, and dates are put in order. */
export function useHistorySearch(): [HistorySearch, (next: FilterChange) => void] {
  const [search, change] = useAddress()
  return [search, (next) => change(readHistorySearch({ ...search, ...next }))]
}
