// What Mailroom does, as sentences. Each is proved in every world it names: a store (SQLite,
// PostgreSQL) behind a door (the library, the built program). A sentence without a test, a test
// without a sentence, or fewer tests run than there are here, fails the test command.

import {
  CLI,
  type Entry,
  everywhere,
  FLAGS_ONLY,
  LIBRARY,
  only,
  POSTGRES,
  SAME_DECISION,
  SHELL_FORM,
  SQLITE,
} from './entry.ts'
import { IDENTITY_ENTRIES } from './identity-behaviours.ts'
import { MAIL_ENTRIES } from './mail-behaviours.ts'
import { PUSH_ENTRIES } from './push-behaviours.ts'

export type { Entry } from './entry.ts'

const ENTRIES = {
  'init/repeatable': everywhere(
    'init says where the store is, and a second init changes nothing.',
    [113],
  ),
  'init/first-use': everywhere(
    'An operation that needs a store makes it where there is none; sign-in, and what connects agents, does not.',
    [113],
  ),
  'init/announced': only(
    CLI,
    'the library says it through onCreate',
    'A store that is made is announced on stderr, once, with its place and without its password.',
  ),

  'json/success': only(
    CLI,
    SHELL_FORM,
    'With --json an answer is one object with ok, command and the result beside them.',
    [110, 111, 167, 168],
  ),
  'json/refusal': only(
    CLI,
    SHELL_FORM,
    'With --json a refusal goes to stdout as ok false and an error with code and message.',
    [167, 169],
  ),
  'json/without': only(
    CLI,
    SHELL_FORM,
    'Without --json results go to stdout as text, refusals to stderr as one line.',
    [167],
  ),
  'json/exits': only(
    CLI,
    SHELL_FORM,
    'The exit code tells success, nothing, conflict, bad words, not found and a bad store apart.',
    [109, 171, 172, 173, 174, 175, 176],
  ),

  'send/new-thread': everywhere(
    'send makes a pending thread whose first message is what was said.',
    [59, 60, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 95, 114],
  ),
  'send/defaults': everywhere(
    'A new thread is a task of normal priority, without run, task, body or payload, unless told.',
    [88, 118, 119, 126, 183],
  ),
  'send/subject-and-summary': everywhere(
    'Subject and summary stand in for each other when one is missing.',
    [117, 121],
  ),
  'send/from-falls-back': everywhere(
    'Who writes is who calls, unless from says otherwise.',
    [112, 115],
  ),
  'send/append': everywhere(
    'send with a thread adds a progress message for the other party and leaves the status.',
    [89, 114, 122],
  ),
  'send/append-answer': everywhere('An answer sent into a blocked thread unblocks it.', [91]),
  'send/append-fixed': everywhere(
    'Subject, run, task and priority belong to a new thread and are refused on an old one.',
  ),
  'send/append-finished': everywhere('Nothing can be added to a finished thread.', [174]),
  'send/append-unknown': everywhere('Adding to a thread that does not exist is not found.', [175]),
  'send/kinds': everywhere(
    'A message may be of each of the seven kinds and of no other.',
    [88, 89, 90, 91, 92, 93, 94, 120],
  ),
  'send/priorities': everywhere(
    'A thread may be of high, normal or low priority; another is refused and nothing is stored.',
    [126],
  ),
  'send/artifacts': everywhere(
    'Artifacts are kept with their message, in order, each with its own kind and metadata.',
    [62, 127, 128, 129, 158, 180],
  ),
  'send/artifact-defaults': everywhere(
    'An artifact is a file without metadata unless told.',
    [127],
  ),
  'send/artifact-pairing': only(
    CLI,
    FLAGS_ONLY,
    'Artifact kinds and metadata that do not pair with artifacts are refused and store nothing.',
    [128, 129],
  ),
  'send/bad-metadata': everywhere(
    'Artifact metadata that is not JSON is refused, nothing stored.',
    [129],
  ),
  'send/payload': everywhere(
    'A payload is kept word for word and comes out as the value it holds.',
    [86, 125],
  ),
  'send/bad-payload': everywhere(
    'A payload that is not JSON is refused and nothing is stored.',
    [125, 174],
  ),
  'send/body': everywhere('A body comes back as it was given, to the last character.', [85, 123]),
  'send/body-file': only(
    CLI,
    FLAGS_ONLY,
    'A body may come from a file or from standard input.',
    [124],
  ),
  'send/body-file-refused': only(
    CLI,
    FLAGS_ONLY,
    'A body file that cannot be read, is not UTF-8, or stands beside a body is refused.',
    [124],
  ),
  'send/missing-words': everywhere(
    'A new thread without a recipient, a writer or any words is refused and nothing is stored.',
    [174],
  ),
  'send/names': everywhere(
    'A name is letters, digits, _ and -, and no reserved word; NAME@INSTANCE is an agent, user:NAME a person.',
  ),
  'send/unstorable': only(
    LIBRARY,
    'a command line can hold neither NUL nor half a character',
    'NUL characters and half surrogate pairs are refused in every text and store nothing.',
  ),
  'send/cursor': everywhere(
    'Every write answers with the id of its event, and ids only grow.',
    [63, 182],
  ),

  'fetch/own-pending': everywhere('fetch lists the pending threads assigned to the agent.', [130]),
  'fetch/order': everywhere('fetch lists high priority first, then the oldest.', [130]),
  'fetch/lapsed': everywhere('fetch lists a thread again whose lease has lapsed.', [130]),
  'fetch/changes-nothing': everywhere('fetch changes no row of any table.', [103, 189]),
  'fetch/grants-nothing': everywhere(
    'Who fetched a thread cannot write under a lease.',
    [103, 104, 194],
  ),
  'fetch/status': everywhere(
    'fetch with statuses lists exactly those, each marked claimable or not.',
    [131],
  ),
  'fetch/unread': everywhere(
    'fetch of unread lists threads with messages of others after the read mark.',
    [64, 133, 181],
  ),
  'fetch/limit': everywhere('fetch lists no more than its limit, the best ones.', [132]),
  'fetch/empty': everywhere('fetch that finds nothing is an empty list and exit 10.', [172]),
  'fetch/bad-input': everywhere(
    'fetch without an agent or with an unknown status is refused.',
    [130, 131, 174],
  ),

  'role-work/fetch': everywhere(
    'Work sent to a role is pending for the role: every member sees it, and nobody else.',
  ),
  'role-work/claim': everywhere(
    'The first of the role to claim it becomes its assignee; then it is nobody else’s.',
  ),
  'role-work/order': everywhere(
    'claim without a thread takes the best of what is for the agent and what is for its role.',
  ),
  'role-work/turns': everywhere(
    'Of work for a role the member whose turn it is hears; when it is claimed, nobody else has it unread.',
  ),
  'role-work/queue': everywhere(
    'Work for a role of which nobody is there waits, and is taken, claimed or cancelled for all of it.',
  ),
  'role-work/lapse': everywhere('Work for a role whose lease has lapsed is the role’s again.'),
  'role-work/log': everywhere(
    'Work for roles is in the log: it replays, and comes back by import.',
  ),
  'role-work/refused': everywhere(
    'Work is for one: everybody, an instance, and a role on an old thread are refused.',
  ),
  'role-work/at-once': everywhere(
    'Of many who claim work for their role at once, each gets another.',
  ),
  'claim/by-id': everywhere(
    'claim makes the thread claimed, the agent its assignee, and answers with the lease.',
    [61, 96, 104, 134, 135, 179],
  ),
  'claim/says-so': everywhere('claim adds an event message to the thread.', [94]),
  'claim/asks': everywhere('claim answers with the message that asks for the work.'),
  'claim/any-agent': everywhere(
    'Any agent that has the id may claim a thread meant for another.',
    [135],
  ),
  'claim/next': everywhere(
    'claim without a thread takes the best of the agent: high priority first, then oldest.',
    [134, 188],
  ),
  'claim/next-lapsed': everywhere(
    'claim without a thread takes back a thread the agent let lapse, in its turn.',
  ),
  'claim/next-not-anothers': everywhere(
    'claim without a thread takes nothing that is another’s or held.',
  ),
  'claim/next-nothing': everywhere(
    'claim that finds nothing to take is exit 10 and no lease.',
    [172],
  ),
  'claim/conflict': everywhere(
    'claim of a held thread is refused and names the holder.',
    [105, 173],
  ),
  'claim/lapsed-is-free': everywhere(
    'A lease whose time has passed can be taken by anyone.',
    [105],
  ),
  'claim/edge': everywhere('A lease is live until the very moment it expires, and not at it.'),
  'claim/holder-without-token': everywhere(
    'claim by the holder without its token is refused like anyone’s.',
  ),
  'claim/holder-with-token': everywhere(
    'claim by the holder with its token answers with the lease it has and changes nothing.',
  ),
  'claim/several': everywhere('One agent may hold several leases.', [68]),
  'claim/finished': everywhere('A finished thread cannot be claimed.', [174]),
  'claim/unknown': everywhere('claim of a thread that does not exist is not found.', [175]),
  'claim/seconds': everywhere(
    'A lease lasts 900 seconds, or as long as was asked, between a second and a week.',
    [136],
  ),

  'lease/renew': everywhere(
    'renew extends the lease from now, leaves the status and adds an event message.',
    [137],
  ),
  'lease/renew-by-another': everywhere(
    'renew by who does not hold the thread is a conflict.',
    [137],
  ),
  'lease/renew-unheld': everywhere(
    'renew of a thread nobody ever held is an invalid state.',
    [137],
  ),
  'lease/token-is-proof': everywhere(
    'With a token, the token decides and not the name; a wrong one is a conflict.',
  ),
  'lease/name-is-enough': everywhere('Without a token the holder’s name decides.'),
  'lease/zombie': everywhere(
    'Who lost its lease to another can no longer write, and is told who holds the thread.',
    [105, 194],
  ),
  'lease/late': everywhere(
    'Who let its lease lapse can no longer write, though nobody has taken the thread.',
    [194],
  ),
  'lease/old-token': everywhere('An agent that claims again cannot write with its earlier token.'),
  'lease/never-held': everywhere(
    'Who never held a free thread gets invalid_state, who lost it lease_conflict.',
    [194],
  ),
  'lease/generation': everywhere(
    'The generation grows with every change of holder, the sweep included, and with nothing else.',
  ),

  'update/in-progress': everywhere(
    'update to in_progress adds a progress message for the creator.',
    [89, 97, 102, 138, 139, 140],
  ),
  'update/blocked': everywhere(
    'update to blocked adds a question for the creator and keeps its payload.',
    [90, 98, 102, 106, 138, 142],
  ),
  'update/both-ways': everywhere('The holder may go from blocked to in_progress and back.', [138]),
  'update/artifacts': everywhere('update takes a body and artifacts.', [141, 143]),
  'update/words': everywhere('update needs a status it knows and a summary.', [106, 138, 140]),
  'update/unknown': everywhere('update of a thread that does not exist is not found.', [175]),

  'reply/answer': everywhere(
    'An answer puts a blocked thread back to in_progress.',
    [91, 102, 144, 145],
  ),
  'reply/other-kinds': everywhere(
    'A reply of another kind leaves a blocked thread blocked.',
    [145],
  ),
  'reply/elsewhere': everywhere('An answer on a thread that is not blocked leaves its status.'),
  'reply/recipient': everywhere(
    'A reply goes to the other party: the creator’s to the worker, others’ to the creator.',
    [144],
  ),
  'reply/kinds': everywhere(
    'A reply is an answer unless told; task, result and event are no replies.',
    [145],
  ),
  'reply/words': everywhere('reply takes a body, a payload and artifacts.', [146, 147]),
  'reply/finished': everywhere('A finished thread takes no reply.', [174]),
  'reply/unknown': everywhere('reply to a thread that does not exist is not found.', [175]),

  'done/result': everywhere(
    'done finishes the thread with a result message for the creator and ends the lease.',
    [92, 99, 102, 107, 148],
  ),
  'done/from-blocked': everywhere('A blocked thread can be finished by its holder.'),
  'done/not-claimed': everywhere(
    'done on a thread nobody ever held is an invalid state.',
    [104, 174],
  ),
  'done/anothers': everywhere('done on a thread another holds is a conflict.', [173]),
  'done/lost': everywhere('done by who lost the lease is a conflict.', [173]),
  'done/finished': everywhere('A second done, or a fail after it, is an invalid state.', [174]),
  'done/repeated': everywhere(
    'done repeated with the finishing token answers with the first result and changes nothing.',
  ),
  'done/words': everywhere('done and fail need a summary.', [107]),
  'done/unknown': everywhere('done on a thread that does not exist is not found.', [175]),

  'fail/result': everywhere(
    'fail ends the thread as failed with a result message for the creator and ends the lease.',
    [100, 102, 107, 149],
  ),
  'fail/refused': everywhere('fail needs the lease exactly as done does.', [149]),
  'fail/repeated': everywhere(
    'fail repeated with the finishing token answers with the first result; done is refused.',
  ),

  'cancel/unfinished': everywhere(
    'cancel stops a thread in any status that is not finished.',
    [67, 101, 150],
  ),
  'cancel/says-why': everywhere(
    'cancel adds a control message for the other party with the reason as summary and body.',
    [93, 150],
  ),
  'cancel/ends-lease': everywhere(
    'cancel ends the lease, and the worker’s next call is refused.',
    [150],
  ),
  'cancel/finished': everywhere('A finished thread cannot be cancelled.', [174]),
  'cancel/unknown': everywhere('cancel of a thread that does not exist is not found.', [175]),
  'cancel/artifacts': everywhere('cancel takes artifacts.', [150]),

  'list/order': everywhere('list shows the most recently active thread first.', [151]),
  'list/agent': everywhere(
    'list of an agent is what it created and what is assigned to it.',
    [151],
  ),
  'list/filters': everywhere(
    'list narrows by status, creator and assignee, alone and together.',
    [152, 153, 154],
  ),
  'list/limit': everywhere('list shows no more than its limit.', [155]),
  'list/pages': everywhere(
    'A list that is longer than its limit says so and how to go on; nothing is left out or comes twice.',
  ),
  'list/empty': everywhere('list that finds nothing is an empty list and exit 0.', [171]),
  'list/not-who-calls': everywhere('list is not narrowed by who calls.'),

  'show/history': everywhere(
    'show lists all messages of a thread in the order they were said.',
    [67, 156, 158],
  ),
  'show/unknown': everywhere('show of a thread that does not exist is not found.', [156, 175]),
  'show/lease': everywhere('show tells who holds the thread and until when, and never the token.'),
  'show/changes-nothing': everywhere('show changes no row unless it is asked to mark.'),
  'show/mark-read': everywhere(
    'show with mark_read moves the agent’s read mark to the last message, and never back.',
    [64, 157, 181],
  ),
  'show/mail-of-others': everywhere(
    'An agent is shown mail it sent or got; the orchestrator, people and the nameless are shown any.',
  ),
  'show/mark-needs-agent': everywhere('mark_read without an agent is refused.', [157]),

  'status/counts': everywhere('status counts threads by status, messages and events.'),
  'status/attention': everywhere(
    'status names the oldest pending thread, open questions and the leases next to lapse.',
  ),

  'watch/no-replay': everywhere(
    'watch without a cursor starts now and replays nothing.',
    [159, 190],
  ),
  'watch/resumes': everywhere(
    'watch after an event answers with what came after it, in order.',
    [159, 190],
  ),
  'watch/wakes': everywhere(
    'watch sleeps until something happens, for ever with timeout 0.',
    [159, 190],
  ),
  'watch/timeout': everywhere('watch that runs out is exit 10 with its cursor.', [159, 172]),
  'watch/agent': everywhere('watch of an agent sees its threads and not its own doings.', [159]),
  'watch/status': everywhere(
    'watch of statuses sees only what leaves a thread in one of them.',
    [159],
  ),
  'watch/quiet': everywhere('Renewals and read marks wake nobody.'),
  'watch/lapse': everywhere('A watcher brings about the lapse of a lease and is told of it.'),
  'watch/expired': everywhere('A cursor before what was pruned is cursor_expired, never a skip.'),
  'watch/beyond': everywhere('A cursor beyond the log is refused.'),
  'watch/exactly-once': everywhere('Following the cursor shows every event once, in order.', [190]),

  'wait-reply/early': everywhere('An answer that came before the wait is not lost.', [166]),
  'wait-reply/wakes': everywhere(
    'wait-reply sleeps until the answer and returns it with the cursor to go on from.',
    [102, 108, 160, 165, 190],
  ),
  'wait-reply/later': everywhere(
    'An answer from before the waiter’s own last words is not taken.',
    [166],
  ),
  'wait-reply/own': everywhere('The waiter’s own messages are no reply.', [166]),
  'wait-reply/after-message': everywhere(
    'wait-reply after a message takes only what came after it; an unknown one is not found.',
    [161],
  ),
  'wait-reply/after-event': everywhere(
    'wait-reply after an event takes only what came after it.',
    [162],
  ),
  'wait-reply/one-cursor': everywhere(
    'Two cursors, or neither cursor nor agent, are refused.',
    [161, 162],
  ),
  'wait-reply/kinds': everywhere(
    'wait-reply takes answers, controls and results unless told which kinds.',
    [163],
  ),
  'wait-reply/control': everywhere('A cancellation reaches the worker that waits.', [93, 163]),
  'wait-reply/result': everywhere(
    'A leader that waits gets the result, also when it came early.',
    [163],
  ),
  'wait-reply/keeps-lease': everywhere('A wait keeps the waiter’s lease alive.'),
  'wait-reply/keeps-only-own': everywhere('A wait renews no lease but the waiter’s.'),
  'wait-reply/read-mark': everywhere(
    'A reply for the waiter counts as read by it; one for another does not.',
  ),
  'wait-reply/finished': everywhere('A wait for what can no longer come is refused.', [174]),
  'wait-reply/timeout': everywhere(
    'wait-reply that runs out is exit 10 with its cursor.',
    [164, 170, 172],
  ),
  'wait-reply/unknown': everywhere(
    'wait-reply in a thread that does not exist is not found.',
    [175],
  ),

  'sweep/pending': everywhere('sweep returns a thread whose lease lapsed to pending.'),
  'sweep/live': everywhere('sweep leaves live leases and finished threads alone.'),
  'sweep/limit': everywhere('sweep takes no more than its limit, the longest lapsed first.'),

  'key/send': everywhere('send repeated under its key is the first answer and one thread.'),
  'key/append': everywhere('send into a thread repeated under its key is one message.'),
  'key/claim': everywhere('claim repeated under its key is the first lease.'),
  'key/renew': everywhere('renew repeated under its key is the first answer.'),
  'key/update': everywhere('update repeated under its key is one message.'),
  'key/reply': everywhere('reply repeated under its key is one message.'),
  'key/done': everywhere('done repeated under its key is the first answer.'),
  'key/fail': everywhere('fail repeated under its key is the first answer.'),
  'key/cancel': everywhere('cancel repeated under its key is the first answer.'),
  'key/sweep': everywhere('sweep repeated under its key is the first answer.'),
  'key/prune': everywhere('prune repeated under its key is the first answer.'),
  'key/other-request': everywhere('A key used for another request is refused and does nothing.'),
  'key/per-agent': everywhere('Two agents may use the same key without meeting.'),
  'key/not-for-refusals': everywhere('A refusal is not kept: its key can be used again.'),
  'key/not-for-nothing': everywhere('Coming back empty-handed is not kept under a key.'),

  'prune/old': everywhere('prune removes finished threads that are old, whole, and nothing else.'),
  'prune/unread': everywhere('prune keeps what its addressee has neither read nor answered.'),
  'prune/dry-run': everywhere('A dry run names what would go and removes nothing.'),
  'prune/floor': everywhere('What prune leaves replays, and the log’s end does not move back.'),
  'prune/keys': everywhere('prune forgets idempotency keys of more than thirty days ago.'),

  'export/round-trip': everywhere('Exporting, importing and exporting again gives the same file.'),
  'export/after-prune': everywhere('A pruned log round-trips too, and its floor goes with it.'),
  'export/follows': everywhere(
    'Export that follows writes what happens, in log order, until it is ended.',
  ),
  'export/after-event': everywhere('Export after an event writes only what came after it.'),

  'import/goes-on': everywhere('An imported store goes on with ids beyond every imported one.'),
  'import/malformed': everywhere(
    'A line that cannot be used is reported, set aside and does not stop the rest.',
  ),
  'import/poisoned': everywhere(
    'Of a log with every kind of wrong line, import keeps the right ones and is healthy.',
  ),
  'import/no-log': everywhere('A file with no usable line is refused, and nothing is stored.'),
  'import/bad-header': everywhere('A header that is wrong refuses the whole file.'),
  'import/pruned-empty': everywhere('A log pruned to nothing is imported with its end.'),
  'import/says-so': everywhere(
    'What came from a file says who brought it in, wherever it is shown.',
  ),
  'import/sets-nothing-off': everywhere(
    'Mail from a file wakes nobody, stops nobody and holds nobody; it is there to be read.',
  ),
  'import/log-sets-nothing-off': everywhere(
    'A store filled from a log stops nobody and starts nothing until that is approved.',
  ),
  'import/not-empty': everywhere('A store that has a log takes no import.'),

  'doctor/healthy': everywhere('doctor finds a store in use healthy, and its log agrees.'),
  'doctor/tampered': everywhere('doctor finds every table that was changed without the log.'),
  'doctor/lapsed': everywhere('doctor names lapsed leases nobody has taken back.'),
  'doctor/standing-mail': everywhere('doctor names who is there and has not looked at its mail.'),
  'doctor/queues': everywhere('doctor names the roles whose mail nobody takes.'),
  'doctor/wakes': everywhere('doctor names wakes that began and never ended.'),
  'doctor/half-import': everywhere('doctor tells an import that did not finish.'),

  'backup/under-load': only(
    SQLITE,
    'PostgreSQL has tools of its own',
    'A backup made while others write opens, holds what was acknowledged, and is healthy.',
  ),
  'backup/exists': only(
    SQLITE,
    'PostgreSQL has tools of its own',
    'A backup never overwrites a file.',
  ),
  'backup/postgres': only(
    POSTGRES,
    'SQLite has backup',
    'Backup of a PostgreSQL store is refused and names the tool to use.',
  ),

  'state/total': only(LIBRARY, SAME_DECISION, 'The state table has a cell for every case.'),
  'state/pending': only(LIBRARY, SAME_DECISION, 'What may happen to a pending thread.', [95]),
  'state/claimed': only(LIBRARY, SAME_DECISION, 'What may happen to a claimed thread.', [96]),
  'state/in_progress': only(LIBRARY, SAME_DECISION, 'What may happen to one in progress.', [97]),
  'state/blocked': only(LIBRARY, SAME_DECISION, 'What may happen to a blocked thread.', [98]),
  'state/lapsed': only(LIBRARY, SAME_DECISION, 'What may happen when the lease has lapsed.'),
  'state/done': only(LIBRARY, SAME_DECISION, 'What may happen to a done thread.', [99]),
  'state/failed': only(LIBRARY, SAME_DECISION, 'What may happen to a failed thread.', [100]),
  'state/cancelled': only(LIBRARY, SAME_DECISION, 'What may happen to a cancelled thread.', [101]),

  ...MAIL_ENTRIES,
  ...PUSH_ENTRIES,
  ...IDENTITY_ENTRIES,
} satisfies Record<string, Entry>

export type BehaviourId = keyof typeof ENTRIES

export const behaviours: Record<BehaviourId, Entry> = ENTRIES
