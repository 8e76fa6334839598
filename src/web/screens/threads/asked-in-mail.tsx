// Questions to the person that came by mail: no work is blocked on them, but somebody waits all the same.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asking } from '../../api/queries.ts'
import { useCalled, within } from '../../shell/names.tsx'
import { Ago } from '../../ui/moment.tsx'
import { RowLines, rowCss } from '../../ui/row.tsx'
import css from './screen.module.css'

const MOST = 50

/** The rows beside those threads of work. Undefined until they are known. */
export function useAskedInMail(isWanted: boolean, work: readonly string[]) {
  const { data } = useQuery({
    ...asking('desk list', { needs_you: true, limit: MOST }),
    enabled: isWanted,
  })
  if (!isWanted) return []
  return data?.rows.filter(({ what, thread_id }) => what !== 'request' && !work.includes(thread_id))
}

type AskedRows = NonNullable<ReturnType<typeof useAskedInMail>>

export function AskedInMail({ rows }: { rows: AskedRows }) {
  const whole = useCalled()
  if (rows.length === 0) return null
  return (
    <>
      <h2 className={css.group} id="threads-mail">
        Asked by mail <span className={css.count}>{rows.length}</span>
      </h2>
      <ul aria-labelledby="threads-mail">
        {rows.map(({ thread_id, title, from, latest_from, preview, at }) => (
          <li key={thread_id} className={rowCss.item}>
            <Link
              className={rowCss.row}
              to="/inbox/$id"
              params={{ id: thread_id }}
              search={{}}
              data-sign="needs"
              data-strong
            >
              <RowLines name={from} title={title} sign="needs" time={<Ago at={at} />}>
                <span className={rowCss.about} dir="auto">
                  <b className={rowCss.who}>{within(whole(latest_from))}</b> {preview}
                </span>
              </RowLines>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
