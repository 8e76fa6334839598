// The screen of approvals: the queue, the open request, its details.

import { useParams } from '@tanstack/react-router'
import { LazyRequest } from '../../items/request/lazy-request.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { Queue } from './queue.tsx'

export function ApprovalsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <ListScreen
      title="Approvals"
      titleId="approvals-title"
      width="narrow"
      list={<Queue openId={id} />}
      opened={id === undefined ? null : <LazyRequest key={id} id={id} />}
      label="Request"
      hint="Select a request."
    />
  )
}
