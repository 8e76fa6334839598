// The sentences about the channels of workflows, part of the manifest in test/behaviours.ts.

import { atDoors, type Entry, everywhere, PRESENTED, WAITING } from '../../entry.ts'

export const CHANNEL_ENTRIES = {
  'channel/send': everywhere(
    'An agent writes in the channel of its workflow, and the agents it mentions find that in their inboxes.',
  ),
  'channel/unknown': everywhere(
    'An entry that mentions an unknown name gets a warning, with the nearest name.',
  ),
  'channel/strangers': everywhere(
    'For an outsider, a workflow has no channel, no team and no inbox.',
  ),
  'channel/people': everywhere(
    'People read and write in every channel, and @user reaches the person without a grant.',
  ),
  'channel/retry': everywhere('An entry or an acknowledgement that is sent again counts once.'),
  'channel/read': everywhere(
    'A channel is read from its end, after an entry or after a time, and that marks nothing.',
  ),
  'channel/ack-read': atDoors(
    PRESENTED,
    'Read with ack, the reader’s mentions among the entries shown count as read, and no others.',
  ),
  'channel/peek': everywhere('Peeking at a channel or at an inbox changes nothing.'),
  'channel/inbox': atDoors(
    PRESENTED,
    'Mentions and mail of an agent come in one inbox, with their priority, until it acknowledges them.',
  ),
  'channel/wait': atDoors(WAITING, 'A wait for mentions ends when one comes.'),
  'channel/ack': everywhere(
    'An agent acknowledges up to a message or a time, and nothing that it may not have been shown.',
  ),
  'channel/acted': everywhere(
    'Only an answer by name acts on a mention; other entries in the channel act on nothing.',
  ),
  'channel/bounce': everywhere(
    'A mention of an agent that is turned off bounces: the channel says so, and it is in its sender’s inbox.',
  ),
  'channel/new-run': everywhere(
    'A new run ends the channel; mentions that agents did not read expire, those of people stay.',
  ),
  'channel/prune': everywhere(
    'A channel and its instance go a month after their run, but not what a person has to read.',
  ),
  'channel/mail': everywhere(
    'Mail to @INSTANCE goes to the agents of its latest run, and mail to any other name of it to no one.',
  ),
  'channel/answer': everywhere(
    'Answering an entry in any other way is refused, with how to answer in the channel.',
  ),
  'channel/team': everywhere('An agent sees who takes part in its workflow, and their status.'),
  'channel/no-action': everywhere(
    'An agent may say that nothing needs doing, and nothing follows.',
  ),
  'channel/long': everywhere(
    'The rest of a text over 8,000 characters becomes a document; mentions in all of it count.',
  ),
  'document/read': everywhere(
    'A document is read as its file is now; an entry point that no one has written is empty.',
  ),
  'document/write': everywhere(
    'Writing replaces a document’s whole file and keeps who wrote it, the digest and the previous text.',
  ),
  'document/changed': everywhere(
    'A write that names a digest is refused once the document is no longer what was read.',
  ),
  'document/outside': everywhere(
    'A text that people wrote into the file becomes a revision without an author at the next change.',
  ),
  'document/append': everywhere(
    'Appending adds to the end of a document, and of many at once none is lost.',
  ),
  'document/list': everywhere(
    'The documents are listed with the entry point first, then the named ones, then all others.',
  ),
  'document/create': everywhere(
    'A new document is created with its folders; an existing one is left as it is.',
  ),
  'document/delete': everywhere(
    'A deleted document is gone, and its last text can still be read by its revision.',
  ),
  'document/history': everywhere(
    'The history of documents names who changed which one and when, the newest first.',
  ),
  'document/retry': everywhere('A change of a document that is sent again is made once.'),
  'document/bad-path': everywhere(
    'A path that leads out of the folder, is hidden, or is the channel’s own is refused and changes nothing.',
  ),
  'document/strangers': everywhere(
    'For an outsider, a workflow has no documents; a guest may not change them.',
  ),
  'document/mentions': everywhere('A mention in a document notifies no one.'),
  'document/forget': everywhere(
    'A document that is written all the time keeps its newest texts and forgets the older ones.',
  ),
} satisfies Record<string, Entry>
