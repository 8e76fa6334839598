// The sentences about mailbox files, part of the manifest in test/behaviours.ts.

import { atDoors, CLI, type Entry, everywhere, FILES, FLAGS_ONLY, only } from '../../entry.ts'

export const MAILBOX_ENTRIES = {
  'mailbox/shape': everywhere(
    'mail export writes every message in the mailbox format, without absent fields.',
  ),
  'mailbox/read': everywhere('A message is exported as read when no one has yet to read it.'),
  'mailbox/ended': everywhere(
    'Bounced or expired mail is exported as unread with its state, and importing it reaches no one.',
  ),
  'mailbox/formats': atDoors(
    FILES,
    'mail export writes work and mail, oldest first, as lines or as one list.',
  ),
  'mailbox/examples': everywhere('The example lines of the mailbox’s log are imported.'),
  'mailbox/recognised': atDoors(
    FILES,
    'import recognizes a log, a mailbox and an entries file by its lines, and says which it is.',
  ),
  'mailbox/round-trip': everywhere(
    'Exporting mail, importing and exporting it again gives the same file, in a healthy store.',
  ),
  'mailbox/again': everywhere('Importing the same mailbox twice adds nothing the second time.'),
  'mailbox/at-once': everywhere(
    'If several callers import the same mailbox at once, it is added once.',
  ),
  'mailbox/malformed': atDoors(
    FILES,
    'A line of a mailbox that cannot be used is reported, set aside and does not stop the rest.',
  ),
  'mailbox/unusable': everywhere(
    'A file without a line of mail is refused, and nothing is stored.',
  ),
  'mailbox/waits': everywhere(
    'Imported unread mail waits for its recipient, or for its role if no member is there.',
  ),
  'mailbox/follows': atDoors(
    FILES,
    'A followed mailbox export gets each message once, when it is sent, in log order.',
  ),
  'mailbox/file-goes-on': only(
    CLI,
    FLAGS_ONLY,
    'A mailbox file is continued where it ended; no other file is touched.',
  ),
  'mailbox/aside-once': only(
    CLI,
    FLAGS_ONLY,
    'Importing a file twice sets each unusable line aside once.',
  ),
} satisfies Record<string, Entry>
