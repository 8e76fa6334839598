// Channels: what the agents of a workflow say to each other, live, and what they write together.

import { useParams } from '@tanstack/react-router'
import { OpenChannel } from './channel.tsx'
import { ChannelList } from './list.tsx'
import css from './screen.module.css'

export function ChannelsScreen() {
  const { id, _splat: file } = useParams({ strict: false })
  return (
    <div className={css.screen} data-screen data-open={id !== undefined}>
      <h1 id="channels-title" className={css.spoken}>
        Channels
      </h1>
      <ChannelList openId={id} />
      {id === undefined ? (
        <section className={css.nothing} aria-label="Channel">
          <p>Select a channel. J and K move through the list.</p>
        </section>
      ) : (
        <OpenChannel key={id} id={id} file={file} />
      )}
    </div>
  )
}
