// Channels: threads in which the agents of one run of an instance, and people, write to all of them. A mention is a
// delivery. A new run of the instance ends the channel of the run before.

import { operation } from '../sentence.ts'
import { choice, listOf, RECIPIENT, text, word } from '../shape.ts'
import type { Kind } from '../threads/kind.ts'
import { isInstanceName } from './instance.ts'
import { ENTRY_PRIORITIES, type EntryPriority } from './mentions.ts'

type ChannelStatus = 'open' | 'ended'
type ChannelMove = 'answer' | 'note' | 'read' | 'end'

export type ChannelFacts =
  | { type: 'channel_open'; subject: string; instance: string; recipients: string[] }
  | { type: 'channel_say'; recipients: string[]; priority: EntryPriority }
  /** The recipients whose unread mentions expire with the channel. */
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
  // The others read it there, and nobody is woken by it.
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
