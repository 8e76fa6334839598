import { useQuery } from '@tanstack/react-query'
import { structuredPatch } from 'diff'
import { useMemo } from 'react'
import { asking } from '../../api/queries.ts'
import { Skeleton } from '../../shell/skeleton.tsx'
import { amountOf } from '../../ui/amounts.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../documents/document.tsx'

type Props = { instance: string; file: string; since: number; text: string }

/** Very different versions take a long time to compare, and the diff wouldn't help anyone. */
const MOST_MS = 1000

export function CompareRevisions({ instance, file, since, text }: Props) {
  const { data, error, refetch } = useQuery(
    asking('workflow context doc read', { instance, file, rev: since }),
  )
  const before = data?.content
  const patch = useMemo(
    () => (before === undefined ? undefined : patchOf(before, text)),
    [before, text],
  )
  if (error !== null) {
    return (
      <div className="grid gap-4 start red" role="alert">
        <p>{`Couldn’t load revision ${since}: ${error.message}.`}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  }
  if (patch === undefined) return <Skeleton />
  if (patch === null) {
    return <p className="quiet">These revisions differ too much to compare line by line.</p>
  }
  const { added, removed, lines } = patch
  if (lines === '') return <p className="quiet">{`No changes since revision ${since}.`}</p>
  return (
    <>
      <p className="quiet">
        {`Since revision ${since}: ${amountOf(added, 'line')} added, ${removed} removed.`}
      </p>
      <Code text={lines} language="diff" />
    </>
  )
}

function patchOf(before: string, after: string) {
  const limits = { context: 3, timeout: MOST_MS }
  const patch = structuredPatch('', '', before, after, '', '', limits)
  if (patch === undefined) return null
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...own,
  ])
  const count = (sign: string) =>
    patch.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((one) => one[0] === sign).length, 0)
  return { added: count('+'), removed: count('-'), lines: lines.join('\n') }
}
