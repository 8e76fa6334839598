import { useNavigate, useParams } from '@tanstack/react-router'
import { OpenRequest } from '../../items/request/request.tsx'
import { type ApprovalSearch, filtersIn, useApprovalSearch } from '../../items/request/search.ts'
import { focusRow } from '../../shell/movement.ts'
import { ListScreen } from '../../ui/list-screen.tsx'
import { ApprovalList } from './list.tsx'
import { nextWaiting, useApprovalRows } from './rows.ts'

export function ApprovalsScreen() {
  const { id } = useParams({ strict: false })
  const [search] = useApprovalSearch()
  const list = useApprovalRows(search)
  const navigate = useNavigate()
  const openNext = () => {
    const next = id === undefined ? undefined : nextWaiting(list.all, id)
    if (next === undefined) return
    void navigate({
      to: '/approvals/$id',
      params: { id: next },
      search: (before: ApprovalSearch) => filtersIn(before),
    })
    focusRow(next)
  }
  return (
    <ListScreen
      title="Approvals"
      titleId="approvals-title"
      width="narrow"
      list={<ApprovalList list={list} openId={id} />}
      opened={id === undefined ? null : <OpenRequest key={id} id={id} onDecided={openNext} />}
      label="Request"
      hint="Select a request."
    />
  )
}
