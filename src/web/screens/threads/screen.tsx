// Work: what is blocked on an answer first, then what is under way, what nobody has taken, and what is over.

import { useParams } from '@tanstack/react-router'
import { OpenWork } from '../../items/work/work.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { ThreadList } from './list.tsx'

export function ThreadsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <ListScreen
      title="Threads"
      titleId="threads-title"
      list={<ThreadList openId={id} />}
      opened={id === undefined ? null : <OpenWork key={id} id={id} />}
      label="Thread"
      hint="Select a thread."
    />
  )
}
