// A thread opened from the inbox. Mail is rendered right away. Work and channels have their own views, which are loaded
// when first needed.

import { lazy, Suspense } from 'react'
import { useReadAfterDwell } from '../../items/thread/read-after-dwell.ts'
import { isChannel, MailThread, useThreadPages } from '../../items/thread/thread.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Skeleton } from '../../shell/skeleton.tsx'

const Work = lazy(async () => ({ default: (await import('../../items/work/work.tsx')).OpenWork }))

const Channel = lazy(async () => ({
  default: (await import('../../items/channel/channel.tsx')).OpenChannel,
}))

export function OpenThread({ id }: { id: string }) {
  const { whole, error, after, readOn } = useThreadPages(id)
  // A channel's own view marks it as read.
  useReadAfterDwell(id, isChannel(whole) ? undefined : whole?.messages.length, after)
  if (whole === undefined) {
    const gone = 'This thread doesn’t exist.'
    return <NotFound label="Message" backTo="/inbox" error={error} gone={gone} />
  }
  if (whole.thread.kind === 'work') {
    return (
      <Suspense fallback={<Skeleton label="Thread" />}>
        <Work id={id} backTo="/inbox" />
      </Suspense>
    )
  }
  if (isChannel(whole)) {
    return (
      <Suspense fallback={<Skeleton label="Channel" />}>
        <Channel id={whole.thread.run_id ?? ''} backTo="/inbox" />
      </Suspense>
    )
  }
  return <MailThread whole={whole} readOn={readOn} />
}
