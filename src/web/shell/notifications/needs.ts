// The rows that need the person just now, the most pressing first, and the way to each.

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CircleArrowRight } from 'lucide-react'
import { useCallback, useEffect, useMemo } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { asking, queries } from '../../api/queries.ts'
import type { KeyCommand } from '../../ui/commands.ts'
import { showToast } from '../../ui/toasts.tsx'

export type NeedRow = OperationAnswer<'desk list'>['rows'][number]

/** Nobody has so many; it is the longest page. */
const MOST = 500

const NEEDS = asking('desk list', { needs_you: true, limit: MOST })

const MINUTE_MS = 60_000

export function useNeeds(): readonly NeedRow[] | undefined {
  // A snooze ends by the clock, without an event: the rows and their count are asked for each minute,
  // in a tab that nobody looks at too, whose title says it.
  useEffect(() => {
    const timer = setInterval(() => {
      for (const { queryKey } of [NEEDS, asking('desk', {})]) {
        void queries.invalidateQueries({ queryKey })
      }
    }, MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return useQuery(NEEDS).data?.rows
}

/**
 * The rows are another answer than the count in the title, and may come after it: then they are waited for. A server that
 * is away is not.
 */
async function latestNeeds(): Promise<readonly NeedRow[] | undefined> {
  const { queryKey } = NEEDS
  const query = queries.getQueryCache().find({ queryKey })
  while (query?.state.fetchStatus === 'fetching' && query.state.fetchFailureCount === 0) {
    await query.promise?.catch(() => {})
  }
  return queries.getQueryData(queryKey)?.rows
}

/** Opens what needs the person: a request where requests are decided, unless the inbox is open. */
export function useOpen(): (need: NeedRow) => void {
  const router = useRouter()
  return useCallback(
    ({ thread_id: id, what }) => {
      const isInInbox = router.state.location.pathname.startsWith('/inbox')
      const to = what === 'request' && !isInInbox ? '/approvals/$id' : '/inbox/$id'
      void router.navigate({ to, params: { id }, search: {} })
    },
    [router],
  )
}

/** The next after the one that is open; after the last comes the first. */
export function nextOf(needs: readonly NeedRow[], pathname: string): NeedRow | undefined {
  const open = needs.findIndex(({ thread_id }) => isOpen(thread_id, pathname))
  return needs[(open + 1) % Math.max(1, needs.length)]
}

export function isOpen(threadId: string, pathname: string): boolean {
  return pathname.split('/')[2] === threadId
}

/** Whether the screen that is open shows the row by itself, so that nothing need be said of it. */
export function isInSight({ what }: Pick<NeedRow, 'what'>, pathname: string): boolean {
  const screen = pathname.split('/')[1]
  return screen === 'inbox' || (screen === 'approvals' && what === 'request')
}

export function useNextCommand(): readonly KeyCommand[] {
  const router = useRouter()
  const open = useOpen()
  return useMemo(() => {
    const show = (needs: readonly NeedRow[] | undefined) => {
      const next = nextOf(needs ?? [], router.state.location.pathname)
      if (next !== undefined) open(next)
      else if (needs !== undefined) showToast({ id: 'needs-you', text: 'Nothing needs you.' })
    }
    const run = () => void latestNeeds().then(show)
    return [
      { title: 'Next that needs you', keys: 'N', group: 'Everywhere', icon: CircleArrowRight, run },
    ]
  }, [router, open])
}
