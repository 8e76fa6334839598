// Moves through a list with keys. The open row has the focus.

import { useNavigate } from '@tanstack/react-router'
import { useCommands } from '../ui/commands.ts'

export function useMovement(
  ids: readonly string[],
  openId: string | undefined,
  to:
    | '/agents/$id'
    | '/approvals/$id'
    | '/channels/$id'
    | '/history/$id'
    | '/inbox/$id'
    | '/notifications/$id'
    | '/threads/$id'
    | '/trash/$id',
): (step: number) => void {
  const navigate = useNavigate()
  const go = (step: number) => {
    const at = openId === undefined ? -1 : ids.indexOf(openId)
    const next = ids[at < 0 ? 0 : Math.min(ids.length - 1, Math.max(0, at + step))]
    if (next === undefined) return
    const search = (before: object) => before
    void navigate({ to, params: { id: next }, search, replace: openId !== undefined })
    focusRow(next)
  }
  const group = 'Lists'
  useCommands([
    { title: 'Next', keys: 'j', group, run: () => go(1), repeats: true },
    { title: 'Previous', keys: 'k', group, run: () => go(-1), repeats: true },
    { title: 'Next', keys: 'ArrowDown', group, run: () => go(1), repeats: true },
    { title: 'Previous', keys: 'ArrowUp', group, run: () => go(-1), repeats: true },
  ])
  return go
}

export function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus()
}
