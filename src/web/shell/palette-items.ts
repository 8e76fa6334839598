// The items of the palette: first what the page already has (commands, screens, requests, views, agents, documents, recent
// items), then the results of a search on the server.

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { FileText, Filter, History, Mail, Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { asking } from '../api/queries.ts'
import { addressOf } from '../api/session.ts'
import { GO_TO, type KeyCommand, useAllCommands } from '../ui/commands.ts'
import { type Match, match } from './fuzzy.ts'
import { recentThings } from './recent.ts'
import { SCREENS } from './screens.ts'
import { useSettings } from './settings.ts'

export type PaletteItem = Pick<KeyCommand, 'title' | 'run' | 'disabled' | 'icon'> & {
  id: string
  keys?: string
  group: string
  about?: string
  /** The item's address, if it can be opened in a new tab. */
  href?: string
  /** Set in the code font. */
  isPath?: true
}
export type FoundItem = { item: PaletteItem; found: Match }

export const NEEDS_YOU = 'Needs you'
export const AGENTS = 'Agents'
export const IN_HISTORY = 'In history'
const HERE = 'Here'
const EVERYWHERE = 'Everywhere'
const VIEWS = 'Views'
const DOCUMENTS = 'Documents'
const RECENT = 'Recent'
/** The groups in order, with how many items each lists before (`first`) and after (`most`) a query is typed. */
const GROUPS: Record<string, { first: number; most: number }> = {
  [HERE]: { first: 12, most: 12 },
  [NEEDS_YOU]: { first: 3, most: 8 },
  [RECENT]: { first: 4, most: 6 },
  [GO_TO]: { first: 20, most: 20 },
  [VIEWS]: { first: 9, most: 30 },
  [AGENTS]: { first: 5, most: 8 },
  [DOCUMENTS]: { first: 0, most: 8 },
  [EVERYWHERE]: { first: 20, most: 20 },
}
/** Only this many items are searched, so typing stays fast. */
const MOST_LOCAL = 2000
const MOST_AGENTS = 500
const MOST_PUSHES = 200

export function useFound(query: string): [string, FoundItem[]][] {
  const items = useItems()
  return useMemo(() => {
    const isTyped = query.trim() !== ''
    const found = items
      .flatMap((item): FoundItem[] => {
        const one = match(query, item.title)
        return one === null ? [] : [{ item, found: one }]
      })
      .sort((a, b) => a.found.rank - b.found.rank)
    const groups = Map.groupBy(found, ({ item }) => item.group)
    return Object.entries(GROUPS).flatMap(([group, { first, most }]): [string, FoundItem[]][] => {
      const own = groups.get(group)?.slice(0, isTyped ? most : first) ?? []
      return own.length === 0 ? [] : [[group, own]]
    })
  }, [items, query])
}

function useItems(): readonly PaletteItem[] {
  const commands = useAllCommands()
  const agents = useQuery(asking('agent list', { limit: MOST_AGENTS })).data?.agents
  const requests = useQuery(asking('request list', { tab: 'pending', limit: 50 })).data?.requests
  const pushes = useQuery(asking('push history', { limit: MOST_PUSHES })).data?.entries
  const [{ views }] = useSettings()
  const go = useGo()
  return useMemo(() => {
    const to = (href: string, rest: Omit<PaletteItem, 'run' | 'href'>): PaletteItem => ({
      ...rest,
      href,
      run: () => go(href),
    })
    const needs = (requests ?? [])
      .filter(({ status }) => status === 'pending')
      .map(({ request_id: id, title, requester }) =>
        to(`/approvals/${id}`, { id, title, group: NEEDS_YOU, about: requester }),
      )
    const recent = recentThings()
      .filter(({ path }) => path !== location.pathname)
      .map(({ path, title }) =>
        to(path, { id: `recent ${path}`, title, group: RECENT, icon: History }),
      )
    const kept = views.map(({ name, screen, search }) => {
      const item = { id: `view ${name}`, title: name, group: VIEWS, icon: Filter, about: screen }
      return to(`/${screen}${search === '' ? '' : `?${search}`}`, item)
    })
    const known = (agents ?? []).map(({ agent_id, role, status }) =>
      to(`/agents/${encodeURIComponent(agent_id)}`, {
        id: `agent ${agent_id}`,
        title: agent_id,
        group: AGENTS,
        about: role === '' ? status : `${role}, ${status}`,
      }),
    )
    const documents = (pushes ?? []).flatMap(({ entry_id, workspace_label, docs }) =>
      docs.map(({ path }) =>
        to(`/inbox/${entry_id}`, {
          id: `doc ${entry_id} ${path}`,
          title: path,
          group: DOCUMENTS,
          icon: FileText,
          about: workspace_label,
          isPath: true as const,
        }),
      ),
    )
    const all = [...ofCommands(commands), ...needs, ...recent, ...kept, ...known, ...documents]
    return all.slice(0, MOST_LOCAL)
  }, [commands, agents, requests, pushes, views, go])
}

function ofCommands(commands: readonly KeyCommand[]): PaletteItem[] {
  // Moving through a list makes no sense here, and neither does opening the palette.
  const listed = commands.filter(({ repeats, isPalette }) => !repeats && !isPalette)
  const once = [...new Map(listed.map((one) => [`${one.group} ${one.title}`, one])).values()]
  return once.map((one): PaletteItem => {
    const isCommon = one.group === GO_TO || one.group === EVERYWHERE
    const screen = SCREENS.find(({ title }) => one.group === GO_TO && title === one.title)
    return {
      ...one,
      id: `${one.group} ${one.title}`,
      group: isCommon ? one.group : HERE,
      ...(screen === undefined ? {} : { href: screen.to }),
    }
  })
}

function useGo(): (href: string) => void {
  const { history } = useRouter()
  return useMemo(() => (href: string) => history.push(addressOf(href)), [history])
}

// The server is searched a moment after the typing stops. Its results come last, so nothing already shown moves.

const TYPING_MS = 120
const SHORTEST = 2
const MOST = 6

export function useServerSearch(query: string): { found: FoundItem[]; isLooking: boolean } {
  const typed = query.trim()
  const asked = useLate(typed)
  const isWanted = asked.length >= SHORTEST && asked === typed
  const { data, isFetching } = useQuery({
    ...asking('mail history', { text: asked, limit: MOST }),
    enabled: isWanted,
  })
  const go = useGo()
  const found = useMemo(() => {
    if (typed.length < SHORTEST) return []
    const item = (id: string, title: string, href: string, about: string, icon = Mail) => ({
      item: { id, title, href, about, icon, group: IN_HISTORY, run: () => go(href) },
      found: match(typed, title) ?? { rank: 0, at: [] },
    })
    const all = `/history?q=${encodeURIComponent(typed)}`
    const search = item('search', `Search history for “${typed}”`, all, '', Search)
    const messages = isWanted ? (data?.messages ?? []) : []
    return [
      { ...search, found: { rank: 0, at: [] } },
      ...messages.map(({ id, subject, from, created_at }) =>
        item(
          `message ${id}`,
          subject,
          `/history/${id}?q=${encodeURIComponent(typed)}`,
          `${from.replace(/^agent:/, '')}, ${new Date(created_at).toLocaleDateString()}`,
        ),
      ),
    ]
  }, [typed, data, isWanted, go])
  return { found, isLooking: typed.length >= SHORTEST && (asked !== typed || isFetching) }
}

function useLate(value: string): string {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return late
}
