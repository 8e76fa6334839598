// A workflow's documents: the entry point first, each with who changed it last.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { asking } from '../../api/queries.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { TimeAgo } from '../../ui/moment.tsx'
import { LOOK_AGAIN_MS } from '../agent/agent-status.tsx'
import css from './around.module.css'

/** Agents also write files directly, without an event. */
export const LOOK_AT_FILES_MS = LOOK_AGAIN_MS

export function DocumentLinks({ instance, file }: { instance: string; file: string | undefined }) {
  const list = useQuery({
    ...asking('workflow context doc list', { instance }),
    refetchInterval: LOOK_AT_FILES_MS,
  })
  const { data: changes } = useQuery(asking('workflow context doc history', { instance }))
  const called = useDisplayName()
  const { documents, has_more: hasMore = false } = list.data ?? {}
  return (
    <>
      <h3 className={css.caption}>
        Documents{' '}
        <span>{documents === undefined ? '' : `${documents.length}${hasMore ? '+' : ''}`}</span>
      </h3>
      {list.error === null ? null : (
        <p
          className="quiet px-6"
          role="alert"
        >{`Couldn’t load the documents: ${list.error.message}.`}</p>
      )}
      {documents?.length === 0 ? <p className="quiet px-6">No documents yet.</p> : null}
      <ul className="px-4">
        {documents?.map(({ file: one, modified_at }) => {
          const last = changes?.revisions.find((revision) => revision.file === one)
          const by = called(last?.written_by ?? '').split('@')[0]
          return (
            <li key={one}>
              <Link
                className={css.document}
                to="/channels/$id/doc/$"
                params={{ id: instance, _splat: one }}
                search={{}}
                aria-current={one === file ? 'true' : undefined}
              >
                <FileText size={14} aria-hidden />
                <span className="truncate code grow" dir="auto">
                  {one}
                </span>
                <span className="rigid quiet small" dir="auto">
                  {by} <TimeAgo at={modified_at} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}
