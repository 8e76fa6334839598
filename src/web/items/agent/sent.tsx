// How far the person's latest messages to an agent have come.

import { useQuery } from '@tanstack/react-query'
import { asking } from '../../api/queries.ts'
import { Ladder } from '../thread/ladder.tsx'
import css from './agent.module.css'
import { Part } from './part.tsx'

const LOOKED_AT = 50
const SHOWN = 3

export function Sent({ to }: { to: string }) {
  const { data } = useQuery(asking('mail receipts', { limit: LOOKED_AT }))
  const sent = (data?.messages ?? [])
    .flatMap(({ id, subject, receipts }) => {
      const receipt = receipts.find(({ recipient }) => recipient === to)
      return receipt === undefined ? [] : [{ id, subject, receipt }]
    })
    .slice(-SHOWN)
    .reverse()
  if (sent.length === 0) return null
  return (
    <Part title="What you sent">
      <ul className={css.sent}>
        {sent.map(({ id, subject, receipt }) => (
          <li key={id}>
            <p className={css.subject} dir="auto">
              {subject}
            </p>
            <Ladder receipt={receipt} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
