// The sentences about reading mail and what that reveals about the reader, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  CLI,
  type Entry,
  everywhere,
  FLAGS,
  OWN_FORM,
  only,
  PRESENTED,
  WAITING,
  WHO_CALLS,
} from '../../entry.ts'

export const MAIL_READ_ENTRIES = {
  'mail-read/own': everywhere(
    'mail read lists the caller’s unread mail, oldest first, in the mailbox’s format.',
  ),
  'mail-read/work': everywhere('mail read shows messages to the caller on work threads too.'),
  'mail-read/presents': atDoors(
    PRESENTED,
    'Mail shown by mail read counts as presented, through that door, but not as read.',
  ),
  'mail-read/again': atDoors(PRESENTED, 'What was shown and not marked read is shown again.'),
  'mail-read/all': atDoors(OWN_FORM, 'mail read of all lists also what was read.'),
  'mail-read/limit': everywhere(
    'mail read shows at most its limit, 50 by default, and its cursor leads to the rest.',
  ),
  'mail-read/cursor': everywhere(
    'Reading from cursor to cursor gives each message once, even if many are of one millisecond.',
  ),
  'mail-read/time': everywhere(
    'Reading from time to time gives each message once, even if many are of one millisecond.',
  ),
  'mail-read/late': everywhere(
    'A message stored after a later one, though its time is earlier, is not missed by its time.',
  ),
  'mail-read/time-disorder': everywhere(
    'Continuing from the time of the last message gives each once, even if times and order disagree.',
  ),
  'mail-read/time-taken': everywhere(
    'Continuing from the time of a message out of a role’s queue repeats nothing.',
  ),
  'mail-read/bad-input': everywhere(
    'mail read with a wrong cursor, time, limit or address is refused.',
  ),
  'mail-read/anothers-wait': everywhere(
    'A wait in another agent’s inbox waits only for new mail, even if mail is unread there.',
  ),
  'mail-read/anothers': atDoors(
    WHO_CALLS,
    'An agent reads its own mail only; people and the orchestrator any, changing nothing.',
  ),
  'mail-read/registers': everywhere('An agent that reads mail is registered; a person is not.'),
  'mail-read/seen': everywhere('Reading is a sign of life, recorded at most every twenty seconds.'),
  'mail-read/takes': everywhere(
    'An agent that reads takes what is queued for its role, in order, even from before its cursor.',
  ),
  'mail-read/taken-once': everywhere(
    'If many members of a role read at once, each queued message goes to exactly one of them.',
  ),
  'mail-read/empty': everywhere('mail read that finds nothing exits with 10 without waiting.'),
  'mail-read/waits': atDoors(WAITING, 'mail read with a timeout blocks until mail comes.'),
  'mail-read/waits-new': atDoors(
    WAITING,
    'mail read waits for mail not shown yet; mail that was shown and not marked is listed with it, but ends no wait.',
  ),
  'mail-read/waits-in-vain': everywhere(
    'mail read that times out lists no mail that was shown before, and its cursor does not pass it.',
  ),
  'mail-read/waits-full': everywhere(
    'New mail behind a whole page of what was shown ends the wait, and is shown.',
  ),
  'mail-read/timeout': everywhere('mail read that times out exits with 10 and returns its cursor.'),
  'mail-read/waiting-at-once': atDoors(
    WAITING,
    'An agent counts as running as soon as it waits: broadcasts reach it.',
  ),
  'mail-read/waiting': everywhere(
    'An agent that waits for mail is running, and no longer once it is done.',
  ),
  'mail-read/killed': only(
    CLI,
    'a separate process is killed',
    'A reader killed between its answer and the record of it finds the mail unread again.',
  ),
  'mail-read/count': everywhere('unread counts all unread mail, however much that is.'),

  'mail-peek/same': everywhere('mail peek lists what mail read would.'),
  'mail-peek/newest': atDoors(
    FLAGS,
    'mail peek --newest lists the latest unread mail, newest first.',
  ),
  'mail-peek/changes-nothing': everywhere('mail peek changes no row of any table.'),

  'mark-read/some': everywhere(
    'mail mark-read marks the messages named, by one event for each thread.',
  ),
  'mark-read/all': atDoors(OWN_FORM, 'mail mark-read of all leaves nothing unread.'),
  'mark-read/upto': atDoors(
    OWN_FORM,
    'mail mark-read of all up to the cursor of a read leaves what came after it unread.',
  ),
  'mark-read/again': everywhere(
    'Marking a message that was already read is allowed and changes nothing.',
  ),
  'mark-read/refused': everywhere(
    'Marking someone else’s message or an unknown one is refused, and nothing is marked.',
  ),
  'mark-read/words': everywhere('mail mark-read takes either messages or all.'),
  'mark-read/read-mark': everywhere(
    'When nothing in a thread is left unread, its read mark moves to the end.',
  ),
  'mark-read/show': everywhere('show with mark_read reads the deliveries of that thread.'),
  'mark-read/wait-reply': atDoors(PRESENTED, 'A reply returned by wait-reply counts as read.'),
  'mark-read/wait-reply-only': atDoors(
    PRESENTED,
    'wait-reply reads the reply it hands over, by its door, and nothing from before it.',
  ),

  'acted/answer': everywhere(
    'An agent that answers has acted on that message and on what it was shown; the rest stays queued.',
  ),
  'acted/stop': everywhere(
    'An agent that answers an earlier message of the same thread still gets its stop.',
  ),
  'acted/claim': atDoors(
    PRESENTED,
    'claim acts on the message it hands over; later messages are still to be shown.',
  ),
  'acted/take-over': everywhere(
    'An agent that claims another’s thread gets the messages to that agent that were not shown.',
  ),
  'acted/take-over-role': everywhere(
    'An agent that claims work for a role gets the earlier messages to the role.',
  ),
  'acted/renew': everywhere(
    'Renewing acts on nothing; progress and results act on nothing that was not shown.',
  ),
  'acted/awaited': everywhere(
    'A sender that waits until its message is presented does not count an answer to another message.',
  ),
  'acted/question': everywhere(
    'An answer on a work thread acts on the question that was shown, or else on the latest.',
  ),
  'acted/old-log': everywhere('A log that does not say what its claims handed over is imported.'),

  'history/all': everywhere(
    'mail history lists the messages of work and mail, newest first, without bookkeeping.',
  ),
  'history/filters': atDoors(
    FLAGS,
    'mail history narrows by type, agent, thread and time, alone and together.',
  ),
  'history/sides': everywhere(
    'mail history narrows to what the caller got or sent, and refuses sides without a named caller.',
  ),
  'history/workspace': atDoors(
    FLAGS,
    'mail history narrows to the messages of one workspace’s pushes, replies included.',
  ),
  'history/message': atDoors(
    FLAGS,
    'mail history finds one message by its id, however old; the other filters still apply.',
  ),
  'history/text': atDoors(
    OWN_FORM,
    'mail history finds text in subject or body in either case, and takes % and _ literally.',
  ),
  'history/pages': atDoors(FLAGS, 'mail history continues before a cursor until there is no more.'),
  'history/cut': atDoors(
    { why: 'a command has its process to itself, and continues', doors: ['cli'] },
    'A search of mail history that was cut says so and gives the cursor to go on; a command goes on by itself.',
  ),
  'history/visible': everywhere(
    'An agent’s history is what it sent or got; people and the orchestrator see everything.',
  ),
  'history/changes-nothing': everywhere('mail history changes no row of any table.'),
  'history/bad-input': everywhere('mail history with a wrong type, time or address is refused.'),

  'count/types': everywhere(
    'mail count counts what mail history would list, by type, with the same filters and visibility.',
  ),
  'count/goes-on': everywhere(
    'A count that was cut goes on before its cursor, and the parts add up to the whole.',
  ),
  'count/bad-input': everywhere('mail count with a wrong time, address or cursor is refused.'),
} satisfies Record<string, Entry>
