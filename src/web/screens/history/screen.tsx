import { useParams } from '@tanstack/react-router'
import { ArrowUp, Download } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useMovement } from '../../shell/movement.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { ListEmpty, ListHeader, ListPane, LoadError, NoMatch } from '../../ui/list-pane.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { ExactObject } from './exact-object.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Filters } from './filters.tsx'
import { useHistoryPages } from './pages.ts'
import { Rows } from './rows.tsx'
import css from './screen.module.css'
import { isFiltered, useHistorySearch } from './search.ts'

export function HistoryScreen() {
  const { id } = useParams({ strict: false })
  const [search] = useHistorySearch()
  const { list, rows, counts, total, newer, showNewer, input } = useHistoryPages(search)
  const ids = useMemo(() => rows.map((row) => row.id), [rows])
  useMovement(ids, id, '/history/$id')
  const [isExporting, setExporting] = useState(false)
  const exportIt = () => setExporting(true)
  const group = 'History'
  const commands = [
    { title: 'Export', keys: 'e', group, icon: Download, run: exportIt },
    { title: 'Show newer', keys: '.', group, icon: ArrowUp, run: showNewer },
  ]
  useCommands(newer > 0 ? commands : commands.slice(0, 1))
  const { hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage, error } = list
  const onEnd = useCallback(() => {
    // After an error the person retries with the button.
    if (!isFetchingNextPage && !isPlaceholderData && error === null) void fetchNextPage()
  }, [isFetchingNextPage, isPlaceholderData, fetchNextPage, error])
  const isEmpty = rows.length === 0
  return (
    <>
      <ListScreen
        title="History"
        titleId="history-title"
        width="full"
        opened={id === undefined ? null : <ExactObject id={id} />}
        list={
          <ListPane
            className={css.list}
            titleId="history-title"
            what="history"
            header={
              <ListHeader
                title="History"
                count={<span role="status">{total === undefined ? '' : messagesIn(total)}</span>}
                tools={
                  <Button icon={Download} hint="e" onClick={exportIt}>
                    Export
                  </Button>
                }
              />
            }
            filters={<Filters counts={counts} />}
            queries={[list]}
            isEmpty={isEmpty}
            empty={<Empty hasFilters={isFiltered(search)} hasMore={hasNextPage} />}
            isWindowed
          >
            <div className={css.body}>
              {newer === 0 ? null : (
                <div className={css.newer}>
                  <Button icon={ArrowUp} hint="." onClick={showNewer}>
                    {`${newer} new`}
                  </Button>
                </div>
              )}
              {error === null || isEmpty ? null : (
                <LoadError what="history" error={error} retry={() => void fetchNextPage()} />
              )}
              <Rows
                rows={rows}
                openId={id}
                total={total}
                hasMore={hasNextPage}
                onEnd={onEnd}
                listKey={`${JSON.stringify(input)} ${list.data?.pages[0]?.next_event_id}`}
              />
            </div>
          </ListPane>
        }
      />
      <ExportDialog
        isOpen={isExporting}
        input={input}
        days={search}
        total={total}
        onClose={() => setExporting(false)}
      />
    </>
  )
}

function messagesIn(total: number): string {
  return total === 1 ? '1 message' : `${total.toLocaleString()} messages`
}

/** A search reads only part of the log at a time, so there may be matches after an empty page. */
function Empty({ hasFilters, hasMore }: { hasFilters: boolean; hasMore: boolean }) {
  if (!hasFilters) return <ListEmpty>No messages yet.</ListEmpty>
  return <NoMatch>{hasMore ? 'Searching older messages…' : 'No messages match.'}</NoMatch>
}
