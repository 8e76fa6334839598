// A channel is a thread in which people and an instance's agents write to all its members. A mention is a delivery.
// Starting the instance again ends its previous channel.

import { operation } from '../error.ts'
import { choice, listOf, RECIPIENT, text, word } from '../shape.ts'
import type { Kind } from '../threads/kind.ts'
import { isInstanceName } from './instance.ts'
import { ENTRY_PRIORITIES, type EntryPriority } from './mentions.ts'

type ChannelStatus = 'open' | 'ended'
type ChannelMove = 'answer' | 'note' | 'read' | 'end'

export type ChannelFacts =
  | { type: 'channel_open'; subject: string; instance: string; recipients: string[] }
  | { type: 'channel_say'; recipients: string[]; priority: EntryPriority }
  /** The recipients whose unread mentions expire when the channel ends. */
  | { type: 'channel_end'; settles: string[] }

export const CHANNEL: Kind<ChannelStatus, ChannelMove, ChannelFacts> = {
  moves: {
    open: { answer: 'open', note: 'open', read: 'open', end: 'ended' },
    ended: { read: 'ended' },
  },
  first: 'open',
  leased: false,
  set: 'workflow',
  sight: { person: 'all', system: 'all', service: 'party', orchestrator: 'all', agent: 'member' },
  ofWorkspaces: false,
  answerWith: () => operation('workflow context send', { reply_to: 'MESSAGE' }),
  bounces: true,
  // Other members can read the report of a bounced message in the channel, but it doesn't wake them.
  tellsAll: true,
  retention: 'left',
  events: {
    channel_open: {
      begins: 'channel',
      says: 'anything',
      by: 'anyone',
      facts: {
        subject: text({ max: 200 }),
        instance: word('the name of an instance', isInstanceName),
        recipients: listOf(RECIPIENT, 0),
      },
    },
    channel_say: {
      says: 'anything',
      by: 'anyone',
      facts: { recipients: listOf(RECIPIENT, 0), priority: choice(ENTRY_PRIORITIES) },
    },
    channel_end: { move: 'end', by: 'anyone', facts: { settles: listOf(RECIPIENT, 0) } },
  },
}
