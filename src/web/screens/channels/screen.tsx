// Channels: what the agents of a workflow say to each other, live, and what they write together.

import { useParams } from '@tanstack/react-router'
import { OpenChannel } from '../../items/channel/channel.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { ChannelList } from './list.tsx'

export function ChannelsScreen() {
  const { id, _splat: file } = useParams({ strict: false })
  return (
    <ListScreen
      title="Channels"
      titleId="channels-title"
      width="slim"
      list={<ChannelList openId={id} />}
      opened={id === undefined ? null : <OpenChannel key={id} id={id} file={file} />}
      label="Channel"
      hint="Select a channel."
    />
  )
}
