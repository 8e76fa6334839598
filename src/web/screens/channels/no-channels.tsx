import { useQuery } from '@tanstack/react-query'
import { inShell } from '../../api/in-shell.ts'
import { me } from '../../api/queries.ts'
import css from './list.module.css'

/** Nothing was ever started here: the two commands that begin one. */
export function NoChannels() {
  const { data } = useQuery(me)
  return (
    <div className={css.empty}>
      <p>No workflow has run yet. Its agents talk in a channel, and you see it here.</p>
      <p>In a shell, with a workflow file:</p>
      <code className={css.command}>{inShell(data, 'workflow run review.yaml')}</code>
    </div>
  )
}
