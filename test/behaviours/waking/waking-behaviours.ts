// The sentences about waking agents, part of the manifest in test/behaviours.ts.

import { BY_PROGRAM, CLI, type Entry, everywhere, LIBRARY, only } from '../../entry.ts'

export const WAKING_ENTRIES = {
  'wake/starts': only(
    CLI,
    BY_PROGRAM,
    'A dormant agent with mail that wakes it is started once, with all its unread mail as input.',
  ),
  'wake/orchestrator': only(
    CLI,
    BY_PROGRAM,
    'task-done, review-result and question start a dormant orchestrator; status and the rest do not.',
  ),
  'wake/batch': only(
    CLI,
    BY_PROGRAM,
    'Mail that comes in a burst leads to one start, and the next start is given only what wakes anew.',
  ),
  'wake/in-hands': only(
    CLI,
    BY_PROGRAM,
    'An agent that takes its mail by itself is not started for it, nor for more while it may be working on it.',
  ),
  'wake/idle': only(
    CLI,
    BY_PROGRAM,
    'An agent that is idle, as declared or observed, is presumed to be running and is not started again.',
  ),
  'wake/call': everywhere(
    'An agent that can be woken counts as present for a minute after a call, or for as long as is set.',
  ),
  'wake/turn': everywhere(
    'An agent in a turn, as reported by its hooks, is present; after the turn its last call counts.',
  ),
  'wake/not-woken': everywhere(
    'mail send names recipients that may be asleep and are not woken by this type, and the types that would.',
  ),
  'wake/not-woken-work': everywhere(
    'A message on a work thread says the same about who may be asleep and is not woken; progress does not.',
  ),
  'wake/explain-all': everywhere(
    'wake explain lists the mail that wakes an agent, from anyone and from a person.',
  ),
  'wake/leaves': only(
    CLI,
    BY_PROGRAM,
    'An agent that registers itself and leaves as dormant is started at once, and again after each of its turns.',
  ),
  'wake/dry-run': everywhere('A dry run says of each start what wake explain says of it.'),
  'wake/role': only(CLI, BY_PROGRAM, 'Mail to a role starts the member whose turn it is.'),
  'wake/timer': only(
    CLI,
    BY_PROGRAM,
    'An agent with a timer is started when it is due, and once for all the times that were missed.',
  ),
  'wake/timer-fails': only(
    CLI,
    BY_PROGRAM,
    'A start by timer that failed is tried again after a pause, not only at the next time.',
  ),
  'wake/cron': only(CLI, BY_PROGRAM, 'A cron line starts an agent at the times it names.'),
  'wake/budget': only(
    CLI,
    BY_PROGRAM,
    'An agent is started no more often in an hour than its budget.',
  ),
  'wake/no-shell': only(
    CLI,
    BY_PROGRAM,
    'The arguments of a wake command reach the program unchanged.',
  ),
  'wake/explain': everywhere(
    'wake explain says whether an agent would be started now, and why or why not.',
  ),
  'wake/explain-limits': everywhere(
    'wake explain names quiet hours, a used-up budget, too many hops, and when that ends.',
  ),
  'wake/explain-unknown': everywhere('wake explain of an unknown agent is not found.'),
  'wake/log': everywhere('wake log lists starts, the latest first, and shows no token.'),
  'wake/library': only(
    LIBRARY,
    'the shell can',
    'wake run is a shell command; in the library it is not found.',
  ),
  'wake/internal': only(
    CLI,
    BY_PROGRAM,
    'wake exec without its token is refused and starts nothing.',
  ),
  'wake/bad-variables': only(
    CLI,
    BY_PROGRAM,
    'wake run refuses to pass on an invalid variable name.',
  ),
  'wake/variables': everywhere(
    'A woken program gets its broker’s variables, or with --wake-env those that are named.',
  ),
  'wake/bad-cron': everywhere('A cron line that names no time is refused, and nothing is stored.'),
} satisfies Record<string, Entry>
