// A thread opened from the inbox. Work and channels have their own views.

import { OpenChannel } from '../../items/channel/channel.tsx'
import { useReadAfterDwell } from '../../items/thread/read-after-dwell.ts'
import { isChannel, MailThread, useThreadPages } from '../../items/thread/thread.tsx'
import { OpenWork } from '../../items/work/work.tsx'
import { NotFound } from '../../shell/not-found.tsx'

export function OpenThread({ id }: { id: string }) {
  const { whole, error, after, readOn } = useThreadPages(id)
  // A channel's own view marks it as read.
  useReadAfterDwell(id, isChannel(whole) ? undefined : whole?.messages.length, after)
  if (whole === undefined) {
    const gone = 'This thread doesn’t exist.'
    return <NotFound label="Message" backTo="/inbox" error={error} gone={gone} />
  }
  if (whole.thread.kind === 'work') return <OpenWork id={id} backTo="/inbox" />
  if (isChannel(whole)) return <OpenChannel id={whole.thread.run_id ?? ''} backTo="/inbox" />
  return <MailThread whole={whole} readOn={readOn} />
}
