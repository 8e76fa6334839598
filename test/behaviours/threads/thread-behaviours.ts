// The sentences about threads of work, from start to end, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  CLI,
  type Entry,
  EVERY_LETTER,
  everywhere,
  FLAGS,
  FLAGS_ONLY,
  LIBRARY,
  OWN_FORM,
  only,
  SAME_DECISION,
  WAITING,
  WHO_CALLS,
} from '../../entry.ts'

export const THREAD_ENTRIES = {
  'send/new-thread': everywhere(
    'send makes a pending thread whose first message is what was said.',
  ),
  'send/defaults': everywhere(
    'By default a new thread is a task of normal priority, without run, task, body or payload.',
  ),
  'send/subject-and-summary': everywhere(
    'Subject and summary replace each other when one is missing.',
  ),
  'send/first-line': atDoors(
    OWN_FORM,
    'A body’s first line serves as summary, and as subject, in send, reply, update, done and fail.',
  ),
  'send/from-falls-back': atDoors(
    WHO_CALLS,
    'The writer is the caller, unless from says otherwise.',
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
  'send/artifact-defaults': atDoors(OWN_FORM, 'By default an artifact is a file without metadata.'),
  'send/artifact-pairing': only(
    CLI,
    FLAGS_ONLY,
    'Artifact kinds and metadata that do not pair with artifacts are refused and store nothing.',
  ),
  'send/bad-metadata': everywhere('Artifact metadata that is not JSON is refused, nothing stored.'),
  'send/payload': atDoors(
    EVERY_LETTER,
    'A payload is kept exactly as written and comes out as the value it holds.',
  ),
  'send/bad-payload': everywhere('A payload that is not JSON is refused and nothing is stored.'),
  'send/body': atDoors(EVERY_LETTER, 'A body comes back as it was given, to the last character.'),
  'send/body-file': only(CLI, FLAGS_ONLY, 'A body may come from a file or from standard input.'),
  'send/body-file-refused': only(
    CLI,
    FLAGS_ONLY,
    'A body file that cannot be read, is not UTF-8, or comes with a body is refused.',
  ),
  'send/missing-words': everywhere(
    'A new thread without a recipient, a writer or any text is refused and nothing is stored.',
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
  'fetch/grants-nothing': everywhere('fetch gives no right to write under a lease.'),
  'fetch/status': atDoors(
    OWN_FORM,
    'fetch with statuses lists exactly those, each marked claimable or not.',
  ),
  'fetch/unread': everywhere(
    'fetch of unread lists threads with messages of others after the read mark.',
  ),
  'fetch/limit': everywhere('fetch lists no more than its limit, the best ones.'),
  'fetch/empty': everywhere('fetch that finds nothing returns an empty list with exit 10.'),
  'fetch/then-watch': everywhere(
    'fetch that finds nothing gives the cursor from which watch misses no work.',
  ),
  'fetch/bad-input': everywhere('fetch without an agent or with an unknown status is refused.'),

  'role-work/fetch': everywhere(
    'Work sent to a role is pending for the role: every member sees it, and no one else.',
  ),
  'role-work/claim': everywhere(
    'The first of the role to claim it becomes its assignee; then it is no one else’s.',
  ),
  'role-work/order': everywhere(
    'claim without a thread takes the best of what is for the agent and what is for its role.',
  ),
  'role-work/turns': everywhere(
    'The member whose turn it is hears of work for a role; once it is claimed, no one else has it unread.',
  ),
  'role-work/queue': everywhere(
    'Work for a role waits while no member is there, and can be taken, claimed or cancelled for all of them.',
  ),
  'role-work/lapse': everywhere('Work for a role whose lease has lapsed is the role’s again.'),
  'role-work/log': everywhere(
    'Work for roles is in the log: it replays, and comes back by import.',
  ),
  'role-work/refused': everywhere(
    'Work is for one agent or role: broadcast, an instance, and a role on an old thread are refused.',
  ),
  'role-work/watch': atDoors(
    WAITING,
    'watch wakes for work of the agent’s role, also if it got the role while it waited.',
  ),
  'role-work/at-once': everywhere(
    'If many members claim work for their role at once, each gets a different thread.',
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
    'claim without a thread takes nothing that belongs to another agent or is held.',
  ),
  'claim/next-nothing': everywhere('claim that finds nothing exits with 10 and grants no lease.'),
  'claim/then-watch': everywhere(
    'A worker that claims, and watches from the answer’s cursor when there is nothing, misses no work.',
  ),
  'claim/conflict': everywhere('claim of a held thread is refused and names the holder.'),
  'claim/lapsed-is-free': everywhere('A thread whose lease has expired can be claimed by anyone.'),
  'claim/edge': everywhere('A lease is live until, but not at, the moment it expires.'),
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
  'lease/renew-by-another': everywhere(
    'renew by an agent that does not hold the thread is a conflict.',
  ),
  'lease/renew-unheld': everywhere('renew of a thread no one ever held is an invalid state.'),
  'lease/token-is-proof': atDoors(
    WHO_CALLS,
    'If a token is given, it decides instead of the name; a wrong token is a conflict.',
  ),
  'lease/name-is-enough': atDoors(WHO_CALLS, 'Without a token the holder’s name decides.'),
  'lease/zombie': everywhere(
    'An agent that lost its lease to another can no longer write, and is told who holds the thread.',
  ),
  'lease/late': everywhere(
    'An agent that let its lease lapse can no longer write, even if no one has taken the thread.',
  ),
  'lease/old-token': everywhere('An agent that claims again cannot write with its earlier token.'),
  'lease/never-held': everywhere(
    'An agent that never held a free thread gets invalid_state, one that lost it lease_conflict.',
  ),
  'lease/generation': everywhere(
    'The generation grows only when the holder changes, including by a sweep.',
  ),

  'sweep/pending': everywhere('sweep returns a thread whose lease lapsed to pending.'),
  'sweep/live': everywhere('sweep leaves live leases and finished threads alone.'),
  'sweep/limit': atDoors(FLAGS, 'sweep takes no more than its limit, the longest lapsed first.'),

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
    'An answer from anyone goes to the agent that asked the open question, names it, and is in that agent’s mail.',
  ),
  'reply/in-reply-to': everywhere(
    'A reply may name the message it answers, and goes to its writer; one of another thread is not found.',
  ),
  'reply/own-question': everywhere(
    'The asker’s own answer, and an answer to someone else’s question, leave a blocked thread blocked.',
  ),
  'reply/taken-over': everywhere(
    'An answer to an agent that no longer has the work goes to the one that has it now.',
  ),
  'reply/kinds': everywhere(
    'A reply is an answer by default; task, result and event are not allowed.',
  ),
  'reply/words': atDoors(OWN_FORM, 'reply takes a body, a payload and artifacts.'),
  'reply/finished': everywhere('A finished thread takes no reply.'),
  'reply/unknown': everywhere('reply to a thread that does not exist is not found.'),

  'done/result': everywhere(
    'done finishes the thread with a result message for the creator and ends the lease.',
  ),
  'done/from-blocked': everywhere('A blocked thread can be finished by its holder.'),
  'done/not-claimed': everywhere('done on a thread no one ever held is an invalid state.'),
  'done/anothers': everywhere('done on a thread another holds is a conflict.'),
  'done/lost': everywhere('done by an agent that lost the lease is a conflict.'),
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

  'state/total': only(LIBRARY, SAME_DECISION, 'The state table has a cell for every case.'),
  'state/pending': only(LIBRARY, SAME_DECISION, 'What may happen to a pending thread.'),
  'state/claimed': only(LIBRARY, SAME_DECISION, 'What may happen to a claimed thread.'),
  'state/in_progress': only(LIBRARY, SAME_DECISION, 'What may happen to one in progress.'),
  'state/blocked': only(LIBRARY, SAME_DECISION, 'What may happen to a blocked thread.'),
  'state/lapsed': only(LIBRARY, SAME_DECISION, 'What may happen when the lease has lapsed.'),
  'state/done': only(LIBRARY, SAME_DECISION, 'What may happen to a done thread.'),
  'state/failed': only(LIBRARY, SAME_DECISION, 'What may happen to a failed thread.'),
  'state/cancelled': only(LIBRARY, SAME_DECISION, 'What may happen to a cancelled thread.'),
} satisfies Record<string, Entry>
