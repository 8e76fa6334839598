// The sentences about pushes, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  CLI,
  type Entry,
  everywhere,
  FILES,
  FLAGS,
  FLAGS_ONLY,
  LIBRARY,
  only,
  SHELL_FORM,
} from '../../entry.ts'

export const PUSH_ENTRIES = {
  'push/comments': everywhere(
    'A push of a comment is an unread entry for the person, with a UUID and the time in milliseconds.',
  ),
  'push/docs': everywhere(
    'A push of documents names them relative to their workspace, with their digest then.',
  ),
  'push/nothing': everywhere('A push without documents and without a comment is refused.'),
  'push/same-key': everywhere('A push repeated with its key is one push.'),
  'push/workspace-agent': atDoors(
    FLAGS,
    'Without a name a push comes from its workspace’s own agent; without a workspace it is refused.',
  ),
  'push/around': only(
    CLI,
    'the library has no working folder',
    'In a shell the workspace of a push is the innermost one that contains the working folder.',
  ),
  'push/standing': only(
    CLI,
    'the library has no working folder',
    'In a shell inside the workspace, a document is named from there.',
  ),
  'push/no-document': everywhere(
    'A document that is missing, not a file, too large, or outside the workspace cannot be pushed.',
  ),
  'push/traversal': everywhere(
    'A path out of the workspace is refused in every spelling, pushed or read.',
  ),
  'push/origin': only(
    CLI,
    'the library has no process of its own to be named by',
    'The program, session and folder a push came from are what its process says; an invalid one is left out.',
  ),
  'push/people': everywhere('Pushes are unread for each person separately.'),
  'push-history/order': everywhere(
    'push history is newest first, in the order of the log where times are equal.',
  ),
  'push-history/pages': atDoors(
    FLAGS,
    'push history continues before an entry, at most 500 at a time; an unknown one gives nothing.',
  ),
  'push-history/workspace': atDoors(FLAGS, 'push history lists the pushes of one workspace.'),
  'push-history/label': everywhere(
    'An entry shows its workspace’s current label, or the last one if the workspace is gone.',
  ),
  'push-history/trash': everywhere(
    'push history says how many of the pushes that the reader can see are in the trash.',
  ),
  'push-history/agents': everywhere('An agent sees only what it pushed itself.'),
  'push-show/live': everywhere(
    'A document is shown as it is now, and whether it changed since it was pushed.',
  ),
  'push-show/presents': everywhere('A shown push counts as presented, but not as read.'),
  'push-file/text': everywhere('A text comes with its language.'),
  'push-file/other': atDoors(
    FLAGS,
    'An image comes as base64; PDFs, binaries and files over a mebibyte come without content.',
  ),
  'push-file/absent': everywhere(
    'A missing file, workspace or folder is a state in the answer, not a refusal.',
  ),
  'push-file/links': everywhere(
    'A link inside the workspace is followed, one that leads out is refused, pipes and folders are no files.',
  ),
  'push-file/turned': everywhere(
    'A folder that a link replaced, itself or above it, counts as gone, and nothing is read through the link.',
  ),
  'push-file/swapped': only(
    LIBRARY,
    'the race is in opening a file, which no door does by itself',
    'A path may be swapped while it is read: nothing from outside the workspace comes out.',
  ),
  'push-file/people': everywhere('Agents read no documents of pushes.'),
  'push-watch/changes': everywhere(
    'push watch blocks until the document changes, appears or disappears.',
  ),
  'push-watch/all': everywhere(
    'push watch without a path watches every document of the push in one wait.',
  ),
  'push-watch/words': everywhere(
    'push watch refuses digests that are of no document of the push, and a push without documents.',
  ),
  'push-watch/timeout': everywhere('push watch that times out exits with 10.'),
  'push-read/marks': everywhere('Marking a push as read also marks all its messages.'),
  'push-unread/keeps': atDoors(
    FLAGS,
    'A push marked unread is unread until it is read again, and its delivery does not go back.',
  ),
  'push-unread/mailbox': everywhere(
    'What is kept unread is unread in the mailbox too, and counted alike; marked read in either, it is read in both.',
  ),
  'push-trash/mailbox': everywhere(
    'A trashed push is unread nowhere, and comes back unread; the agent’s own mail stays.',
  ),
  'push-trash/restore': everywhere(
    'A push that was trashed is in the trash only, and comes back as it was.',
  ),
  'push-trash/brought-back': everywhere('Writing in a trashed push restores it.'),
  'push-delete/scrubs': everywhere(
    'No text of a deleted push is left in the store, its exports or its lists.',
  ),
  'push-delete/kept-replies': everywhere(
    'A reply that its agent was not shown outlives the push: the agent gets it as mail of its own.',
  ),
  'push-delete/tombstone': everywhere(
    'A deleted push leaves an event and a log that replays; nothing can be done with it.',
  ),
  'push-handling/unknown': everywhere(
    'Only a push can be handled as one, and agents cannot handle pushes.',
  ),
  'push-handling/key': everywhere(
    'A change to a push happens once per key; a retry returns the first answer.',
  ),
  'push-reply/delivered': everywhere(
    'A reply is delivered to the agent that pushed, as an answer in that thread.',
  ),
  'push-reply/unreachable': everywhere(
    'A reply to an agent that cannot be reached says why, and is kept, by a sweep too.',
  ),
  'push-reply/gone': everywhere(
    'A reply to an agent that shows no sign of running does not say that it is read.',
  ),
  'agent-reach/says': everywhere(
    'agent reach says before a message is written what push reply says after it.',
  ),
  'push-reply/conversation': everywhere(
    'The agent waits for the reply, answers it in the thread, and the person has it unread.',
  ),
  'push-reply/wakes': everywhere('A reply is mail that wakes the agent.'),
  'push-reply/from-a-file': everywhere(
    'A reply to an imported push goes to the agent of its workspace; if that is unknown, the reply is kept.',
  ),
  'push-resume/commands': everywhere(
    'push resume gives the command of the program that pushed, in its folder.',
  ),
  'open/shows': only(CLI, SHELL_FORM, 'open shows the command that resumes the session.'),
  'open/terminal': only(
    CLI,
    'only the shell starts a terminal',
    'open starts the configured terminal with the command, in the folder.',
  ),
  'notify/deprecated': everywhere(
    'notify makes a notification with its own list, says that it is deprecated, and takes a reply.',
  ),
  'entries/shape': everywhere(
    'A line of entries has id, ts, workspaceId, workspaceLabel, docs and comments, then what else is known.',
  ),
  'entries/example': everywhere(
    'An entries file of another program is imported, with the fields only that program knows.',
  ),
  'entries/numbers': everywhere('Numbers in unknown fields are exported as they were written.'),
  'entries/round-trip': atDoors(
    FILES,
    'Entries exported, imported and exported again are the same.',
  ),
  'entries/again': everywhere(
    'Importing the same entries twice adds nothing, and deleted ones stay deleted.',
  ),
  'entries/malformed': atDoors(
    FILES,
    'A malformed line of entries is reported, kept aside, and does not stop the rest.',
  ),
  'entries/follows': atDoors(
    FILES,
    'A followed entries export gets each push once, and loses deleted ones.',
  ),
  'entries/file-goes-on': only(
    CLI,
    FLAGS_ONLY,
    'An entries file is continued where it ended; unreadable parts stay, byte for byte.',
  ),
  'push/retention': everywhere(
    'prune removes pushes that were trashed a month ago and read, and no others.',
  ),
  'push/log-poisoned': everywhere('A log with impossible events of pushes is not admitted.'),
  'push/tampered': everywhere('doctor finds pushes that were changed without the log.'),
  'push/log': everywhere('A log with pushes is exported, imported and exported again as it was.'),
} satisfies Record<string, Entry>
