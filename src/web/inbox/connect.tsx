import { useQuery } from '@tanstack/react-query'
import { me } from '../api/queries.ts'
import css from './connect.module.css'

/** The first sight of an empty store: how to bring an agent in. The page notices when one has come. */
export function Connect() {
  const { data } = useQuery(me)
  if (data === undefined) return null
  const { agent, workspace } = data.connect
  return (
    <div className={css.connect}>
      <h2 className={css.title}>Nothing here yet</h2>
      <p>Agents put finished work, questions and files here. Connect one in its project folder:</p>
      <pre className={css.command}>{agent.join('\n')}</pre>
      <p>Or codex, cursor, gemini, opencode. To let it show you files too, from its folder:</p>
      <pre className={css.command}>{workspace.join('\n')}</pre>
      <p>Its first message shows up here by itself.</p>
    </div>
  )
}
