// The sentences about prune, export, import, doctor, clocks and backup, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  type Entry,
  everywhere,
  FILES,
  FLAGS,
  only,
  POSTGRES,
  SQLITE,
} from '../../entry.ts'

export const KEEPING_ENTRIES = {
  'prune/old': everywhere('prune removes old finished threads completely, and nothing else.'),
  'prune/unread': everywhere('prune keeps what its addressee has neither read nor answered.'),
  'prune/dry-run': atDoors(FLAGS, 'A dry run names what would go and removes nothing.'),
  'prune/floor': everywhere('The pruned log still replays, and its end does not move back.'),
  'prune/keys': everywhere('prune removes idempotency keys older than thirty days.'),

  'retention/age': atDoors(
    FLAGS,
    'prune removes whole threads of mail that have been quiet for a week.',
  ),
  'retention/number': atDoors(
    FLAGS,
    'If there is more mail than the limit, prune removes the oldest down to the limit.',
  ),
  'retention/read-first': everywhere(
    'Over the limit, mail dealt with a day ago goes before mail dealt with today.',
  ),
  'retention/unread': everywhere(
    'Unread mail stays, however old and however much; prune says which limit that exceeds.',
  ),
  'retention/thread': everywhere('A thread of mail goes as a whole, when its last message is old.'),
  'retention/conversation': everywhere(
    'Work stays while a note in it is unread, even if its result was read; once all of it is read, it goes.',
  ),
  'retention/awaited': everywhere('Mail stays while someone who wrote in it waits.'),
  'retention/unanswered': everywhere(
    'Mail stays while a question in it was read and not answered, and prune says so.',
  ),
  'retention/imported': everywhere('Imported mail is as old as it says, not as its import.'),
  'retention/receipt-awaited': everywhere('Mail stays while its sender waits for its receipts.'),
  'retention/says-kept': everywhere(
    'prune says which finished work and which pushes it kept, and why.',
  ),
  'retention/dry-run': everywhere('A dry run reports which work and mail it would remove.'),
  'retention/limit': everywhere('prune that stops at its limit says that there may be more.'),
  'retention/wakes': everywhere(
    'prune removes wakes that ended a month ago, except an agent’s last; what is left replays.',
  ),
  'retention/cursor': everywhere(
    'A cursor before what was pruned is cursor_expired for mail read, peek, history and a mailbox file.',
  ),
  'retention/stays': everywhere('Agents and people are not pruned, and what is left round-trips.'),

  'export/round-trip': atDoors(
    FILES,
    'Exporting, importing and exporting again gives the same file.',
  ),
  'export/after-prune': everywhere('A pruned log round-trips too, and its floor goes with it.'),
  'export/follows': atDoors(
    FILES,
    'Export that follows writes what happens, in log order, until it is ended.',
  ),
  'export/after-event': everywhere('Export after an event writes only what came after it.'),

  'import/goes-on': everywhere('An imported store continues with ids beyond every imported one.'),
  'import/malformed': atDoors(
    FILES,
    'A line that cannot be used is reported, set aside and does not stop the rest.',
  ),
  'import/poisoned': atDoors(
    FILES,
    'From a log with every kind of invalid line, import keeps the valid ones, and the store is healthy.',
  ),
  'import/no-log': everywhere('A file with no usable line is refused, and nothing is stored.'),
  'import/bad-header': everywhere('A file with an invalid header is refused.'),
  'import/pruned-empty': everywhere('A log pruned to nothing is imported with its end.'),
  'import/says-so': everywhere('Every view of an imported message says who imported it.'),
  'import/sets-nothing-off': everywhere(
    'Imported mail wakes, stops and holds no one; it can only be read.',
  ),
  'import/log-sets-nothing-off': everywhere(
    'A store filled from a log stops no one and starts no command until it is allowed.',
  ),
  'import/unfinished': everywhere(
    'A store with an unfinished import takes no writes, and says what to do; it can still be read.',
  ),
  'import/not-empty': everywhere('A store that has a log takes no import.'),

  'doctor/healthy': everywhere('doctor finds a store in use healthy, and its log agrees.'),
  'doctor/tampered': everywhere('doctor finds every table that was changed without the log.'),
  'doctor/lapsed': everywhere('doctor names lapsed leases no one has taken back.'),
  'doctor/standing-mail': everywhere(
    'doctor names running agents that have not looked at their mail.',
  ),
  'doctor/queues': everywhere('doctor names the roles whose mail no one takes.'),
  'doctor/wakes': everywhere('doctor names wakes that began and never ended.'),
  'doctor/clock': everywhere(
    'doctor names the first event that was written while the clock was ahead, and how far.',
  ),
  'doctor/half-import': everywhere('doctor reports an import that did not finish.'),

  'time/order': everywhere(
    'After a write with a clock that was ahead, times in the log stay in order, and --since misses nothing.',
  ),
  'time/leases': everywhere(
    'After a write with a clock that was ahead, a lease lapses when its seconds have passed.',
  ),
  'time/granted-ahead': everywhere(
    'A lease taken while the clock was ahead lasts until the time it says; it may be renewed from now, or cancelled.',
  ),
  'time/expiry': everywhere(
    'After a write with a clock that was ahead, mail expires when its seconds have passed.',
  ),
  'time/presence': everywhere(
    'After a write with a clock that was ahead, an agent counts as present for as long as usual, and no longer.',
  ),
  'time/wakes': everywhere(
    'After a wake with a clock that was ahead, new mail starts one turn, and a timer is due when it would have been.',
  ),
  'time/asleep': everywhere(
    'An agent that was seen while the clock was ahead is woken once it is declared dormant, and seen again by a call.',
  ),
  'time/replay': everywhere(
    'A log in which the clock was ahead replays, and comes through export and import as it was.',
  ),

  'backup/under-load': only(
    SQLITE,
    'PostgreSQL has its own tools',
    'A backup made while others write opens, holds what was acknowledged, and is healthy.',
  ),
  'backup/exists': only(
    SQLITE,
    'PostgreSQL has its own tools',
    'A backup never overwrites a file.',
  ),
  'backup/postgres': only(
    POSTGRES,
    'SQLite has backup',
    'Backup of a PostgreSQL store is refused and names the tool to use.',
  ),
} satisfies Record<string, Entry>
