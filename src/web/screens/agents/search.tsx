// Finding one agent among hundreds: by its name, its role, or how it stands.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { AskOfPerson, ListedAgent } from '../../items/agent/standing.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import css from './screen.module.css'

export function useAgentSearch(): [string, (q: string) => void] {
  const { q } = useSearch({ strict: false }) as { q?: unknown }
  const navigate = useNavigate()
  const set = useCallback(
    (next: string) =>
      void navigate({ to: '.', search: next === '' ? {} : { q: next }, replace: true }),
    [navigate],
  )
  return [typeof q === 'string' || typeof q === 'number' ? String(q) : '', set]
}

export function agentsWith(
  agents: readonly ListedAgent[],
  waiting: ReadonlyMap<string, AskOfPerson>,
  q: string,
): readonly ListedAgent[] {
  const wanted = q.trim().toLowerCase()
  if (wanted === '') return agents
  return agents.filter(({ agent_id, role, status }) => {
    const standing = waiting.has(agent_id) ? 'waiting on you' : status
    return [agent_id, role, standing].some((words) => words.toLowerCase().includes(wanted))
  })
}

export function AgentSearch({ q, setQ }: { q: string; setQ: (q: string) => void }) {
  return <SearchField label="Find an agent" className={css.search} value={q} onChange={setQ} />
}
