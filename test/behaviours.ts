// The behaviours of Mailroom, as sentences. Each is proved in every world it names: a store (SQLite,
// PostgreSQL) behind a door (the library, the built program). A sentence without a test, a test without a
// sentence, or fewer tests run than there are here, fails the test command.

import { AGENT_RUN_ENTRIES } from './agent-run-behaviours.ts'
import { BACKEND_ENTRIES } from './backend-behaviours.ts'
import { CHANNEL_ENTRIES } from './channel-behaviours.ts'
import { CHANNEL_VIEW_ENTRIES } from './channel-view-behaviours.ts'
import { CLIENT_ENTRIES } from './client-behaviours.ts'
import { CONTEXT_SERVER_ENTRIES } from './context-server-behaviours.ts'
import { DESK_ENTRIES } from './desk-behaviours.ts'
import {
  atDoors,
  CLI,
  type Entry,
  EVERY_LETTER,
  everywhere,
  FILES,
  FIRST_USE,
  FLAGS,
  FLAGS_ONLY,
  LIBRARY,
  OWN_FORM,
  only,
  POSTGRES,
  SAME_DECISION,
  SHELL_FORM,
  SQLITE,
  WAITING,
  WHO_CALLS,
} from './entry.ts'
import { IDENTITY_ENTRIES } from './identity-behaviours.ts'
import { MAIL_ENTRIES } from './mail-behaviours.ts'
import { MAILBOX_ENTRIES } from './mailbox-behaviours.ts'
import { PUSH_ENTRIES } from './push-behaviours.ts'
import { REQUEST_ENTRIES } from './request-behaviours.ts'
import { RUNNER_ENTRIES } from './runner-behaviours.ts'
import { SETTINGS_ENTRIES } from './settings-behaviours.ts'
import { SHELL_ENTRIES } from './shell-behaviours.ts'
import { WORKFLOW_FILE_ENTRIES } from './workflow-file-behaviours.ts'
import { WORKFLOW_RUNNING_ENTRIES } from './workflow-running-behaviours.ts'

export type { Entry } from './entry.ts'

const ENTRIES = {
  'init/repeatable': everywhere('init says where the store is, and a second init changes nothing.'),
  'init/first-use': atDoors(
    FIRST_USE,
    'An operation that needs a store makes it where there is none; sign-in, and what connects agents, does not.',
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
  ),
  'json/refusal': only(
    CLI,
    SHELL_FORM,
    'With --json a refusal goes to stdout as ok false and an error with code and message.',
  ),
  'json/without': only(
    CLI,
    SHELL_FORM,
    'Without --json results go to stdout as text, refusals to stderr as one line.',
  ),
  'json/exits': only(
    CLI,
    SHELL_FORM,
    'The exit code tells success, nothing, conflict, bad words, not found and a bad store apart.',
  ),

  'words/unknown': everywhere(
    'Every operation refuses a field it does not have, and does nothing.',
  ),
  'words/limits': everywhere(
    'status, sweep, prune and the lists of wakes, tokens and requests refuse a limit out of bounds.',
  ),
  'serve/others': only(
    CLI,
    'only the shell serves',
    'serve at an address that other machines reach is refused, unless callers need tokens.',
  ),
  'serve/demo': only(
    CLI,
    'only the shell serves',
    'serve --demo has a store of its own: one that was named is refused, and not touched.',
  ),

  'send/new-thread': everywhere(
    'send makes a pending thread whose first message is what was said.',
  ),
  'send/defaults': everywhere(
    'A new thread is a task of normal priority, without run, task, body or payload, unless told.',
  ),
  'send/subject-and-summary': everywhere(
    'Subject and summary stand in for each other when one is missing.',
  ),
  'send/first-line': atDoors(
    OWN_FORM,
    'A body’s first line serves as summary, and as subject, in send, reply, update, done and fail.',
  ),
  'send/from-falls-back': atDoors(
    WHO_CALLS,
    'Who writes is who calls, unless from says otherwise.',
  ),
  'send/append': atDoors(
    OWN_FORM,
    'send with a thread adds a progress message for the other party and leaves the status.',
  ),
  'send/append-answer': everywhere('An answer sent into a blocked thread unblocks it.'),
  'send/append-fixed': everywhere(
    'Subject, run, task and priority belong to a new thread and are refused on an old one.',
  ),
  'send/append-finished': everywhere('Nothing can be added to a finished thread.'),
  'send/append-unknown': everywhere('Adding to a thread that does not exist is not found.'),
  'send/kinds': everywhere('A message may be of each of the seven kinds and of no other.'),
  'send/priorities': everywhere(
    'A thread may be of high, normal or low priority; another is refused and nothing is stored.',
  ),
  'send/artifacts': atDoors(
    EVERY_LETTER,
    'Artifacts are kept with their message, in order, each with its own kind and metadata.',
  ),
  'send/artifact-defaults': atDoors(
    OWN_FORM,
    'An artifact is a file without metadata unless told.',
  ),
  'send/artifact-pairing': only(
    CLI,
    FLAGS_ONLY,
    'Artifact kinds and metadata that do not pair with artifacts are refused and store nothing.',
  ),
  'send/bad-metadata': everywhere('Artifact metadata that is not JSON is refused, nothing stored.'),
  'send/payload': atDoors(
    EVERY_LETTER,
    'A payload is kept word for word and comes out as the value it holds.',
  ),
  'send/bad-payload': everywhere('A payload that is not JSON is refused and nothing is stored.'),
  'send/body': atDoors(EVERY_LETTER, 'A body comes back as it was given, to the last character.'),
  'send/body-file': only(CLI, FLAGS_ONLY, 'A body may come from a file or from standard input.'),
  'send/body-file-refused': only(
    CLI,
    FLAGS_ONLY,
    'A body file that cannot be read, is not UTF-8, or stands beside a body is refused.',
  ),
  'send/missing-words': everywhere(
    'A new thread without a recipient, a writer or any words is refused and nothing is stored.',
  ),
  'send/names': everywhere(
    'A name is letters, digits, _ and -, and no reserved word; NAME@INSTANCE is an agent, user:NAME a person.',
  ),
  'send/unstorable': only(
    LIBRARY,
    'a command line can hold neither NUL nor half a character',
    'NUL characters and half surrogate pairs are refused in every text and store nothing.',
  ),
  'send/cursor': everywhere('Every write answers with the id of its event, and ids only grow.'),

  'fetch/own-pending': everywhere('fetch lists the pending threads assigned to the agent.'),
  'fetch/order': everywhere('fetch lists high priority first, then the oldest.'),
  'fetch/lapsed': everywhere('fetch lists a thread again whose lease has lapsed.'),
  'fetch/changes-nothing': everywhere('fetch changes no row of any table.'),
  'fetch/grants-nothing': everywhere('Who fetched a thread cannot write under a lease.'),
  'fetch/status': atDoors(
    OWN_FORM,
    'fetch with statuses lists exactly those, each marked claimable or not.',
  ),
  'fetch/unread': everywhere(
    'fetch of unread lists threads with messages of others after the read mark.',
  ),
  'fetch/limit': everywhere('fetch lists no more than its limit, the best ones.'),
  'fetch/empty': everywhere('fetch that finds nothing is an empty list and exit 10.'),
  'fetch/then-watch': everywhere(
    'fetch that finds nothing gives the cursor from which watch misses no work.',
  ),
  'fetch/bad-input': everywhere('fetch without an agent or with an unknown status is refused.'),

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
  'role-work/watch': atDoors(
    WAITING,
    'watch wakes for work of the agent’s role, also if it got the role while it waited.',
  ),
  'role-work/at-once': everywhere(
    'Of many who claim work for their role at once, each gets another.',
  ),
  'claim/by-id': everywhere(
    'claim makes the thread claimed, the agent its assignee, and answers with the lease.',
  ),
  'claim/says-so': everywhere('claim adds an event message to the thread.'),
  'claim/asks': everywhere('claim answers with the message that asks for the work.'),
  'claim/any-agent': everywhere('Any agent that has the id may claim a thread meant for another.'),
  'claim/next': everywhere(
    'claim without a thread takes the best of the agent: high priority first, then oldest.',
  ),
  'claim/next-lapsed': everywhere(
    'claim without a thread takes back a thread the agent let lapse, in its turn.',
  ),
  'claim/next-not-anothers': everywhere(
    'claim without a thread takes nothing that is another’s or held.',
  ),
  'claim/next-nothing': everywhere('claim that finds nothing to take is exit 10 and no lease.'),
  'claim/then-watch': everywhere(
    'A worker that claims, and watches from the answer’s cursor when there is nothing, misses no work.',
  ),
  'claim/conflict': everywhere('claim of a held thread is refused and names the holder.'),
  'claim/lapsed-is-free': everywhere('A lease whose time has passed can be taken by anyone.'),
  'claim/edge': everywhere('A lease is live until the very moment it expires, and not at it.'),
  'claim/holder-without-token': everywhere(
    'claim by the holder without its token is refused like anyone’s.',
  ),
  'claim/holder-with-token': atDoors(
    OWN_FORM,
    'claim by the holder with its token answers with the lease it has and changes nothing.',
  ),
  'claim/several': atDoors(OWN_FORM, 'One agent may hold several leases.'),
  'claim/finished': everywhere('A finished thread cannot be claimed.'),
  'claim/unknown': everywhere('claim of a thread that does not exist is not found.'),
  'claim/seconds': everywhere(
    'A lease lasts 900 seconds, or as long as was asked, between a second and a week.',
  ),

  'lease/renew': everywhere(
    'renew extends the lease from now, leaves the status and adds an event message.',
  ),
  'lease/renew-by-another': everywhere('renew by who does not hold the thread is a conflict.'),
  'lease/renew-unheld': everywhere('renew of a thread nobody ever held is an invalid state.'),
  'lease/token-is-proof': atDoors(
    WHO_CALLS,
    'With a token, the token decides and not the name; a wrong one is a conflict.',
  ),
  'lease/name-is-enough': atDoors(WHO_CALLS, 'Without a token the holder’s name decides.'),
  'lease/zombie': everywhere(
    'Who lost its lease to another can no longer write, and is told who holds the thread.',
  ),
  'lease/late': everywhere(
    'Who let its lease lapse can no longer write, though nobody has taken the thread.',
  ),
  'lease/old-token': everywhere('An agent that claims again cannot write with its earlier token.'),
  'lease/never-held': everywhere(
    'Who never held a free thread gets invalid_state, who lost it lease_conflict.',
  ),
  'lease/generation': everywhere(
    'The generation grows with every change of holder, the sweep included, and with nothing else.',
  ),

  'update/in-progress': everywhere(
    'update to in_progress adds a progress message for the creator.',
  ),
  'update/blocked': everywhere(
    'update to blocked adds a question for the creator and keeps its payload.',
  ),
  'update/lease': everywhere('update extends the lease by its length, counted from now.'),
  'update/old-log': everywhere('A log whose updates extended no lease is imported as it was.'),
  'update/both-ways': everywhere('The holder may go from blocked to in_progress and back.'),
  'update/artifacts': atDoors(OWN_FORM, 'update takes a body and artifacts.'),
  'update/words': everywhere('update needs a status it knows, and a summary or a body.'),
  'update/unknown': everywhere('update of a thread that does not exist is not found.'),

  'reply/answer': everywhere('An answer puts a blocked thread back to in_progress.'),
  'reply/other-kinds': everywhere('A reply of another kind leaves a blocked thread blocked.'),
  'reply/elsewhere': everywhere('An answer on a thread that is not blocked leaves its status.'),
  'reply/recipient': everywhere(
    'A reply that answers nothing goes to the other party: the creator’s to the worker, others’ to the creator.',
  ),
  'reply/asker': everywhere(
    'An answer goes to whoever asked the open question, whoever gives it, names it, and is in the asker’s mail.',
  ),
  'reply/in-reply-to': everywhere(
    'A reply may name the message it answers, and goes to who wrote it; one of another thread is not found.',
  ),
  'reply/own-question': everywhere(
    'The asker’s own answer, and an answer to somebody else’s question, leave a blocked thread blocked.',
  ),
  'reply/taken-over': everywhere(
    'An answer to who no longer has the work goes to whoever has it now.',
  ),
  'reply/kinds': everywhere(
    'A reply is an answer unless told; task, result and event are no replies.',
  ),
  'reply/words': atDoors(OWN_FORM, 'reply takes a body, a payload and artifacts.'),
  'reply/finished': everywhere('A finished thread takes no reply.'),
  'reply/unknown': everywhere('reply to a thread that does not exist is not found.'),

  'done/result': everywhere(
    'done finishes the thread with a result message for the creator and ends the lease.',
  ),
  'done/from-blocked': everywhere('A blocked thread can be finished by its holder.'),
  'done/not-claimed': everywhere('done on a thread nobody ever held is an invalid state.'),
  'done/anothers': everywhere('done on a thread another holds is a conflict.'),
  'done/lost': everywhere('done by who lost the lease is a conflict.'),
  'done/finished': everywhere('A second done, or a fail after it, is an invalid state.'),
  'done/repeated': everywhere(
    'done repeated with the finishing token answers with the first result and changes nothing.',
  ),
  'done/words': everywhere('done and fail need a summary or a body.'),
  'done/unknown': everywhere('done on a thread that does not exist is not found.'),

  'fail/result': everywhere(
    'fail ends the thread as failed with a result message for the creator and ends the lease.',
  ),
  'fail/refused': everywhere('fail needs the lease exactly as done does.'),
  'fail/repeated': atDoors(
    OWN_FORM,
    'fail repeated with the finishing token answers with the first result; done is refused.',
  ),

  'cancel/unfinished': everywhere('cancel stops a thread in any status that is not finished.'),
  'cancel/says-why': everywhere(
    'cancel adds a control message for the other party with the reason as summary and body.',
  ),
  'cancel/ends-lease': everywhere('cancel ends the lease, and the worker’s next call is refused.'),
  'cancel/finished': everywhere('A finished thread cannot be cancelled.'),
  'cancel/unknown': everywhere('cancel of a thread that does not exist is not found.'),
  'cancel/artifacts': atDoors(OWN_FORM, 'cancel takes artifacts.'),

  'list/order': everywhere('list shows the most recently active thread first.'),
  'list/agent': everywhere('list of an agent is what it created and what is assigned to it.'),
  'list/filters': atDoors(
    FLAGS,
    'list narrows by status, creator and assignee, alone and together.',
  ),
  'list/limit': everywhere('list shows no more than its limit.'),
  'list/pages': atDoors(
    OWN_FORM,
    'A list that is longer than its limit says so and how to go on; nothing is left out or comes twice.',
  ),
  'list/empty': everywhere('list that finds nothing is an empty list and exit 0.'),
  'list/bad-input': everywhere('list with an unknown status or a limit out of bounds is refused.'),
  'list/text': atDoors(
    OWN_FORM,
    'list finds a text in subjects and names, in either case of a to z, and goes on where it stopped.',
  ),
  'list/blocked-on': atDoors(
    OWN_FORM,
    'list shows what is blocked on one answerer, the longest waiting first if asked.',
  ),
  'list/standing': atDoors(
    OWN_FORM,
    'list with standing tells each holder, each open question, and how many there are of a status.',
  ),
  'list/not-who-calls': everywhere('list is not narrowed by who calls.'),

  'show/history': everywhere('show lists all messages of a thread in the order they were said.'),
  'show/unknown': everywhere('show of a thread that does not exist is not found.'),
  'show/lease': everywhere(
    'show tells who holds the thread, since when and until when, and never the token.',
  ),
  'show/changes-nothing': everywhere('show changes no row unless it is asked to mark.'),
  'show/mark-read': atDoors(
    OWN_FORM,
    'show with mark_read moves the agent’s read mark to the last message, and never back.',
  ),
  'show/mail-of-others': atDoors(
    WHO_CALLS,
    'An agent is shown mail it sent or got; the orchestrator, people and the nameless are shown any.',
  ),
  'show/mark-needs-agent': everywhere('mark_read without an agent is refused.'),

  'status/counts': everywhere('status counts threads by status, messages and events.'),
  'status/attention': atDoors(
    FLAGS,
    'status names the oldest pending thread, open questions and the leases next to lapse.',
  ),

  'watch/no-replay': everywhere('watch without a cursor starts now and replays nothing.'),
  'watch/resumes': everywhere('watch after an event answers with what came after it, in order.'),
  'watch/wakes': atDoors(WAITING, 'watch sleeps until something happens, forever with timeout 0.'),
  'watch/timeout': everywhere('watch that runs out is exit 10 with its cursor.'),
  'watch/agent': everywhere('watch of an agent sees its threads and not its own doings.'),
  'watch/status': everywhere('watch of statuses sees only what leaves a thread in one of them.'),
  'watch/quiet': everywhere('Renewals and read marks wake nobody.'),
  'watch/lapse': atDoors(WAITING, 'A watcher brings about the lapse of a lease and is told of it.'),
  'watch/expired': everywhere('A cursor before what was pruned is cursor_expired, never a skip.'),
  'watch/beyond': everywhere('A cursor beyond the log is refused.'),
  'watch/exactly-once': everywhere('Following the cursor shows every event once, in order.'),

  'wait-reply/early': everywhere('An answer that came before the wait is not lost.'),
  'wait-reply/wakes': atDoors(
    WAITING,
    'wait-reply sleeps until the answer and returns it with the cursor to go on from.',
  ),
  'wait-reply/later': everywhere('An answer from before the waiter’s own last words is not taken.'),
  'wait-reply/own': everywhere('The waiter’s own messages are no reply.'),
  'wait-reply/after-message': atDoors(
    OWN_FORM,
    'wait-reply after a message takes only what came after it; an unknown one is not found.',
  ),
  'wait-reply/after-event': atDoors(
    OWN_FORM,
    'wait-reply after an event takes only what came after it.',
  ),
  'wait-reply/one-cursor': everywhere('Two cursors, or a wait in no thread, are refused.'),
  'wait-reply/holder': everywhere(
    'A wait without a name is the holder’s: from its last words on, and the answer is read by it.',
  ),
  'wait-reply/holder-lease': atDoors(
    WAITING,
    'A wait without a name keeps the holder’s lease alive, with a cursor and without.',
  ),
  'wait-reply/no-holder': everywhere(
    'A wait without a name in a thread that nobody holds starts now.',
  ),
  'wait-reply/kinds': everywhere(
    'wait-reply takes answers, controls and results unless told which kinds.',
  ),
  'wait-reply/control': atDoors(WAITING, 'A cancellation reaches the worker that waits.'),
  'wait-reply/result': everywhere('A leader that waits gets the result, also when it came early.'),
  'wait-reply/keeps-lease': atDoors(WAITING, 'A wait keeps the waiter’s lease alive.'),
  'wait-reply/keeps-only-own': everywhere('A wait renews no lease but the waiter’s.'),
  'wait-reply/read-mark': atDoors(
    OWN_FORM,
    'A reply for the waiter counts as read by it; one for another does not.',
  ),
  'wait-reply/finished': everywhere('A wait for what can no longer come is refused.'),
  'wait-reply/cancelled': everywhere(
    'A cancelled thread ends its worker’s wait once; a further wait in it is refused.',
  ),
  'wait-reply/timeout': everywhere('wait-reply that runs out is exit 10 with its cursor.'),
  'wait-reply/unknown': everywhere('wait-reply in a thread that does not exist is not found.'),

  'sweep/pending': everywhere('sweep returns a thread whose lease lapsed to pending.'),
  'sweep/live': everywhere('sweep leaves live leases and finished threads alone.'),
  'sweep/limit': atDoors(FLAGS, 'sweep takes no more than its limit, the longest lapsed first.'),

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
  'key/mail': everywhere(
    'mail send and mail mark-read repeated under their key are the first answer.',
  ),
  'key/agents': everywhere(
    'agent register, agent status and person add repeated under their key are the first answer.',
  ),
  'key/other-request': everywhere('A key used for another request is refused and does nothing.'),
  'key/per-agent': atDoors(WHO_CALLS, 'Two agents may use the same key without meeting.'),
  'key/not-for-refusals': everywhere('A refusal is not kept: its key can be used again.'),
  'key/not-for-nothing': everywhere('Coming back empty-handed is not kept under a key.'),

  'prune/old': everywhere('prune removes finished threads that are old, whole, and nothing else.'),
  'prune/unread': everywhere('prune keeps what its addressee has neither read nor answered.'),
  'prune/dry-run': atDoors(FLAGS, 'A dry run names what would go and removes nothing.'),
  'prune/floor': everywhere('What prune leaves replays, and the log’s end does not move back.'),
  'prune/keys': everywhere('prune forgets idempotency keys of more than thirty days ago.'),

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

  'import/goes-on': everywhere('An imported store goes on with ids beyond every imported one.'),
  'import/malformed': atDoors(
    FILES,
    'A line that cannot be used is reported, set aside and does not stop the rest.',
  ),
  'import/poisoned': atDoors(
    FILES,
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
    'A store filled from a log stops nobody and starts no command until it is allowed.',
  ),
  'import/unfinished': everywhere(
    'A store into which an import has not finished takes no write, and says what to do; one can look into it.',
  ),
  'import/not-empty': everywhere('A store that has a log takes no import.'),

  'doctor/healthy': everywhere('doctor finds a store in use healthy, and its log agrees.'),
  'doctor/tampered': everywhere('doctor finds every table that was changed without the log.'),
  'doctor/lapsed': everywhere('doctor names lapsed leases nobody has taken back.'),
  'doctor/standing-mail': everywhere('doctor names who is there and has not looked at its mail.'),
  'doctor/queues': everywhere('doctor names the roles whose mail nobody takes.'),
  'doctor/wakes': everywhere('doctor names wakes that began and never ended.'),
  'doctor/clock': everywhere(
    'doctor names the first event that was written while the clock was ahead, and how far.',
  ),
  'doctor/half-import': everywhere('doctor tells an import that did not finish.'),

  'time/order': everywhere(
    'After a write with a clock that was ahead, times in the log stay in order, and --since misses nothing.',
  ),
  'time/leases': everywhere(
    'After a write with a clock that was ahead, a lease lapses when its seconds have passed.',
  ),
  'time/granted-ahead': everywhere(
    'A lease taken while the clock was ahead holds until its moment; it may be renewed from now, or cancelled.',
  ),
  'time/expiry': everywhere(
    'After a write with a clock that was ahead, mail expires when its seconds have passed.',
  ),
  'time/presence': everywhere(
    'After a write with a clock that was ahead, an agent is believed for as long as ever, and no longer.',
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
  'state/pending': only(LIBRARY, SAME_DECISION, 'What may happen to a pending thread.'),
  'state/claimed': only(LIBRARY, SAME_DECISION, 'What may happen to a claimed thread.'),
  'state/in_progress': only(LIBRARY, SAME_DECISION, 'What may happen to one in progress.'),
  'state/blocked': only(LIBRARY, SAME_DECISION, 'What may happen to a blocked thread.'),
  'state/lapsed': only(LIBRARY, SAME_DECISION, 'What may happen when the lease has lapsed.'),
  'state/done': only(LIBRARY, SAME_DECISION, 'What may happen to a done thread.'),
  'state/failed': only(LIBRARY, SAME_DECISION, 'What may happen to a failed thread.'),
  'state/cancelled': only(LIBRARY, SAME_DECISION, 'What may happen to a cancelled thread.'),

  ...MAIL_ENTRIES,
  ...MAILBOX_ENTRIES,
  ...CHANNEL_VIEW_ENTRIES,
  ...CLIENT_ENTRIES,
  ...PUSH_ENTRIES,
  ...REQUEST_ENTRIES,
  ...AGENT_RUN_ENTRIES,
  ...CHANNEL_ENTRIES,
  ...CONTEXT_SERVER_ENTRIES,
  ...DESK_ENTRIES,
  ...RUNNER_ENTRIES,
  ...SETTINGS_ENTRIES,
  ...IDENTITY_ENTRIES,
  ...SHELL_ENTRIES,
  ...BACKEND_ENTRIES,
  ...WORKFLOW_FILE_ENTRIES,
  ...WORKFLOW_RUNNING_ENTRIES,
} satisfies Record<string, Entry>

export type BehaviourId = keyof typeof ENTRIES

export const behaviours: Record<BehaviourId, Entry> = ENTRIES
