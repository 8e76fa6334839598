// What Mailroom does, as sentences. Each is proved in every world it names: a store (SQLite,
// PostgreSQL) behind a door (the library, the built program). A sentence without a test, a test
// without a sentence, or fewer tests run than there are here, fails the test command.

import { WORLDS, type WorldName } from './worlds/world.ts'

export type Entry = {
  says: string
  worlds: readonly WorldName[]
  /** Numbers of the requirements it answers. */
  items?: readonly number[]
  /** Why not every world. */
  why?: string
  /** Why it does not hold yet. Its test must then fail. */
  fails?: string
}

const CLI: readonly WorldName[] = ['sqlite/cli', 'postgres/cli']
const LIBRARY: readonly WorldName[] = ['sqlite/library', 'postgres/library']
const SQLITE: readonly WorldName[] = ['sqlite/library', 'sqlite/cli']
const POSTGRES: readonly WorldName[] = ['postgres/library', 'postgres/cli']

function everywhere(says: string, items: readonly number[] = []): Entry {
  return { says, worlds: WORLDS, items }
}

function only(
  worlds: readonly WorldName[],
  why: string,
  says: string,
  items: readonly number[] = [],
): Entry {
  return { says, worlds, why, items }
}

const FLAGS_ONLY = 'flags and files are the shell’s; the library takes values'
const SHELL_FORM = 'it is the form of the shell’s own answers'
const BY_PROGRAM = 'a broker starts programs, which the library does not'
const SAME_DECISION = 'the table is about decisions, which no door makes'

const ENTRIES = {
  'init/repeatable': everywhere(
    'init says where the store is, and a second init changes nothing.',
    [113],
  ),
  'init/first-use': everywhere('Any operation makes a store that is not there yet.', [113]),
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
    'A name is letters, digits, _ and -, beginning with a letter, and no reserved word.',
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

  'mail-read/own': everywhere(
    'mail read lists the caller’s unread mail, oldest first, in the mailbox’s words.',
    [204, 236, 238, 240],
  ),
  'mail-read/work': everywhere('mail read shows what was said to the caller on work threads too.'),
  'mail-read/presents': everywhere(
    'What mail read has shown is presented, by the door it went through, and not yet read.',
  ),
  'mail-read/again': everywhere('What was shown and not marked read is shown again.'),
  'mail-read/all': everywhere('mail read of all lists also what was read.', [238]),
  'mail-read/limit': everywhere(
    'mail read shows no more than its limit, 50 unless told, and its cursor leads to the rest.',
    [239],
  ),
  'mail-read/cursor': everywhere(
    'Reading from cursor to cursor gives each message once, many of one millisecond too.',
    [237],
  ),
  'mail-read/time': everywhere(
    'Reading from time to time gives each message once, many of one millisecond too.',
    [237],
  ),
  'mail-read/late': everywhere(
    'A message stored after a later one, though its time is earlier, is not missed by its time.',
    [237],
  ),
  'mail-read/bad-input': everywhere(
    'mail read with a wrong cursor, time, limit or address is refused.',
  ),
  'mail-read/anothers': everywhere(
    'An agent reads its own mail only; people and the orchestrator any, changing nothing.',
    [236],
  ),
  'mail-read/registers': everywhere('Whoever reads mail is known from then on; a person is not.'),
  'mail-read/seen': everywhere('Reading is a sign of life, noted at most once a minute.'),
  'mail-read/takes': everywhere(
    'Who reads takes what is queued for its role, in order, past its cursor too.',
    [219],
  ),
  'mail-read/taken-once': everywhere(
    'However many of a role read at once, each message of its queue goes to one of them.',
  ),
  'mail-read/empty': everywhere('mail read that finds nothing is exit 10 and does not wait.'),
  'mail-read/waits': everywhere('mail read with a timeout blocks until mail comes.', [230]),
  'mail-read/timeout': everywhere('mail read that waits in vain is exit 10 with its cursor.'),
  'mail-read/waiting': everywhere('Who waits for mail is running, and no longer once it is done.'),
  'mail-read/killed': only(
    CLI,
    'a process of its own is killed',
    'A reader killed between its answer and the note of it finds the mail unread again.',
  ),
  'mail-peek/same': everywhere('mail peek lists what mail read would.'),
  'mail-peek/changes-nothing': everywhere('mail peek changes no row of any table.'),

  'mark-read/some': everywhere(
    'mail mark-read marks the messages named, by one event for each thread.',
    [242],
  ),
  'mark-read/all': everywhere('mail mark-read of all leaves nothing unread.', [243]),
  'mark-read/again': everywhere('Marking what was read already is no mistake and changes nothing.'),
  'mark-read/refused': everywhere(
    'Marking another’s message or an unknown one is refused, and nothing is marked.',
    [242],
  ),
  'mark-read/words': everywhere('mail mark-read takes either messages or all.', [242, 243]),
  'mark-read/read-mark': everywhere(
    'A thread of which nothing is left unread gets its read mark moved to its end.',
  ),
  'mark-read/show': everywhere('show with mark_read reads the deliveries of that thread.'),
  'mark-read/wait-reply': everywhere('A reply that wait-reply handed over is a delivery read.'),

  'history/all': everywhere(
    'mail history lists what was said in work and mail, newest first, without bookkeeping.',
    [244],
  ),
  'history/filters': everywhere(
    'mail history narrows by type, agent, thread and time, alone and together.',
    [244],
  ),
  'history/text': everywhere(
    'mail history finds words in subject or body in either case, and takes % and _ as they are.',
  ),
  'history/pages': everywhere('mail history goes on before a cursor until there is no more.'),
  'history/visible': everywhere(
    'An agent’s history is what it sent or got; people and the orchestrator see everything.',
  ),
  'history/changes-nothing': everywhere('mail history changes no row of any table.'),
  'history/bad-input': everywhere('mail history with a wrong type, time or address is refused.'),

  'stop/heard': everywhere(
    'Who is told to stop hears it with its next answer, whatever it asked for.',
    [212],
  ),
  'stop/until-read': everywhere(
    'The word to stop comes with every answer until it is read.',
    [212],
  ),
  'stop/refused': everywhere('A refusal carries the word to stop too.', [212]),
  'stop/only-its-own': everywhere('Nobody else hears a word to stop.'),
  'stop/work': everywhere(
    'A worker whose thread is cancelled hears it with its next answer.',
    [150],
  ),
  'stop/shell': only(
    CLI,
    SHELL_FORM,
    'Without --json the word to stop is said on stderr, and the result is as ever.',
    [212],
  ),

  'mail-send/fields': everywhere(
    'mail send answers with the message in all its fields, and with who got it.',
    [195, 196, 197, 198, 199, 200, 201, 202, 203, 205],
  ),
  'mail-send/defaults': everywhere(
    'A message is custom, and its subject the first line of its body, unless told.',
    [199, 215],
  ),
  'mail-send/types': everywhere(
    'A message may be of each of the nine types and of no other.',
    [196, 206, 207, 208, 209, 210, 211, 212, 213, 215],
  ),
  'mail-send/metadata': everywhere(
    'Metadata comes out as it went in when it has the form of its type.',
    [201, 206, 207, 208, 209],
  ),
  'mail-send/bad-metadata': everywhere(
    'Metadata of the wrong form is refused, with what is wrong, and nothing is stored.',
    [207, 208, 209],
  ),
  'mail-send/bad-input': everywhere(
    'Wrong words, addressees and rights are refused with the remedy, and nothing is stored.',
    [216, 222],
  ),
  'mail-send/body-file': only(
    CLI,
    FLAGS_ONLY,
    'The body of a message may come from a file or from standard input.',
  ),
  'mail-send/answer': everywhere(
    'An answer stays in the thread of what it answers, and goes to who wrote that unless told.',
    [211],
  ),
  'mail-send/answer-work': everywhere('A message on a work thread is not answered by mail.'),
  'mail-send/key': everywhere('mail send repeated under its key is one message.'),
  'mail-send/dry-run': everywhere(
    'A dry run says who would get it and who would be woken, and changes no row of any table.',
  ),
  'mail-send/wait': everywhere('mail send waits until everybody has come as far as was asked.'),
  'mail-send/wait-timeout': everywhere(
    'mail send that waits in vain is exit 10 with what became of it so far.',
  ),
  'mail-send/wait-lost': everywhere(
    'mail send waits no longer once nobody is left who could come so far, and names the lost.',
  ),
  'mail-send/hops': everywhere(
    'A message is one hop further than what its sender was woken for; a person’s is none.',
  ),
  'mail-send/cancel': everywhere(
    'A cancel reaches an agent and all it started, leaves first, and nobody else.',
    [212],
  ),
  'mail-send/cancel-rights': everywhere(
    'Only people, the orchestrator and who started it, directly or not, may cancel an agent.',
    [212, 216],
  ),

  'address/agent': everywhere(
    'A bare name and agent:NAME are the same agent, which alone gets it.',
    [217],
  ),
  'address/orchestrator': everywhere(
    'Mail to orchestrator goes to who has that role, by whatever name; before it is there it waits.',
    [218],
  ),
  'address/role': everywhere(
    'Mail to a role goes to its available members in turn, never to its sender.',
    [219],
  ),
  'address/role-queue': everywhere(
    'Mail to a role nobody of which is available waits for the first who comes, and is not lost.',
    [219],
  ),
  'address/broadcast': everywhere(
    'Mail to broadcast goes to every agent that is running or idle, but not to its sender.',
    [220],
  ),
  'address/person': everywhere(
    'Mail to a person is for people, the orchestrator and agents that were granted it.',
    [221, 222],
  ),
  'address/instance': everywhere(
    'NAME@INSTANCE is one agent of a workflow, @INSTANCE all of it but the sender.',
  ),
  'address/work': everywhere(
    'Whoever writes on a work thread, and whoever is written to there, is known from then on.',
  ),

  'receipts/steps': everywhere(
    'Receipts show for each recipient every step with its time and by what it is known.',
  ),
  'receipts/choice': everywhere(
    'Receipts are shown of one message, of one thread, or of the last ones sent, in their order.',
  ),
  'receipts/rights': everywhere(
    'An agent sees receipts of what it sent; people and the orchestrator see all.',
  ),
  'receipts/nothing': everywhere('Receipts of who has sent nothing are an empty list and exit 10.'),
  'receipts/bounced': everywhere(
    'What an agent that is turned off has not read bounces, and its sender is told why.',
  ),
  'receipts/expired': everywhere(
    'Unread mail whose time has passed expires at the next sweep; what was read in time does not.',
  ),

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
  'import/not-empty': everywhere('A store that has a log takes no import.'),

  'doctor/healthy': everywhere('doctor finds a store in use healthy, and its log agrees.'),
  'doctor/tampered': everywhere('doctor finds every table that was changed without the log.'),
  'doctor/lapsed': everywhere('doctor names lapsed leases nobody has taken back.'),
  'doctor/standing-mail': everywhere('doctor names who is there and has not looked at its mail.'),
  'doctor/queues': everywhere('doctor names the roles whose mail nobody takes.'),
  'doctor/wakes': everywhere('doctor names wakes that began and never ended.'),
  'doctor/half-import': everywhere('doctor tells an import that did not finish.'),

  'wake/starts': only(
    CLI,
    BY_PROGRAM,
    'A dormant agent with mail that wakes it is started once, with all its unread mail as input.',
    [240],
  ),
  'wake/orchestrator': only(
    CLI,
    BY_PROGRAM,
    'task-done, review-result and question start a dormant orchestrator; status and the rest do not.',
    [213, 218, 232, 233, 234],
  ),
  'wake/batch': only(
    CLI,
    BY_PROGRAM,
    'Mail that comes in a burst leads to one start, and the next start is given only what wakes anew.',
  ),
  'wake/role': only(CLI, BY_PROGRAM, 'Mail to a role starts the one whose turn it is.'),
  'wake/timer': only(
    CLI,
    BY_PROGRAM,
    'An agent with a timer is started when it is due, and once for all the times that were missed.',
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
    'The words of a wake command reach the program as they are.',
  ),
  'wake/explain': everywhere(
    'wake explain says whether an agent would be started now, and why or why not.',
  ),
  'wake/explain-limits': everywhere(
    'wake explain names quiet hours, a used-up budget, too many hops, and when that ends.',
  ),
  'wake/explain-unknown': everywhere('wake explain of an agent nobody knows is not found.'),
  'wake/log': everywhere('wake log lists starts, the latest first, and shows no token.'),
  'wake/library': only(
    LIBRARY,
    'the shell can',
    'wake run at the library is refused: it starts programs.',
  ),
  'wake/internal': everywhere('wake exec without its token is refused and starts nothing.'),
  'wake/bad-cron': everywhere('A cron line that names no time is refused, and nothing is stored.'),

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

  'agent/register': everywhere(
    'Registering makes an agent known; doing it again changes what is given and keeps the rest.',
  ),
  'agent/instance': everywhere('An agent NAME@INSTANCE belongs to that instance.'),
  'agent/one-orchestrator': everywhere(
    'At most one agent is the orchestrator; the refusal names it. That name always has the role.',
    [218],
  ),
  'agent/one-at-once': everywhere('Of many who become the orchestrator at once, one does.'),
  'agent/names': everywhere(
    'Names of people and reserved words are no agents; who is not known has no status.',
  ),
  'agent/parents': everywhere('A parent must be known, and nobody is below itself.'),
  'agent/depth': only(
    LIBRARY,
    'sixty-four programs say the same',
    'Agents start agents at most 64 levels deep.',
  ),
  'agent/wake-settings': everywhere(
    'How an agent is woken is set by words that are checked, each by itself.',
  ),
  'agent/evidence': everywhere(
    'A lease or a recent call shows what an agent is; words count while they are fresh.',
  ),
  'agent/off': everywhere('Who is declared off is off, whatever can be seen of it.'),
  'agent/waiting': everywhere('Who waits for mail is running, whatever was declared.'),
  'agent/by-another': only(
    LIBRARY,
    'a test names an agent to the program by --agent, which says who calls',
    'Registering oneself is a sign of life; another’s word is not.',
  ),
  'agent/list': everywhere('agent list shows role, status and unread mail, and filters by them.'),
  'agent/said': everywhere('The latest status message of an agent is shown with it.', [214]),
  'agent/takes': everywhere(
    'Who registers or becomes available takes what is queued for its role.',
    [219],
  ),
  'agent/off-bounces': everywhere(
    'Of an agent that is off, unread mail goes back to its senders, and no more is taken.',
  ),
  'person/add': everywhere('A person is added once and is known by user:NAME.', [221]),

  'mailbox/shape': everywhere(
    'mail export writes every message in the mailbox’s shape, what is absent left out.',
    [195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205],
  ),
  'mailbox/read': everywhere(
    'A message is exported as read when nobody has yet to read it.',
    [204],
  ),
  'mailbox/formats': everywhere(
    'mail export writes work and mail, oldest first, as lines or as one list.',
    [223, 245],
  ),
  'mailbox/examples': everywhere('The example lines of the mailbox’s log are imported.', [225]),
  'mailbox/round-trip': everywhere(
    'Exporting mail, importing and exporting it again gives the same file, in a healthy store.',
    [225, 245],
  ),
  'mailbox/again': everywhere('Importing the same mailbox twice adds nothing the second time.'),
  'mailbox/malformed': everywhere(
    'A line of a mailbox that cannot be used is reported, set aside and does not stop the rest.',
  ),
  'mailbox/unusable': everywhere(
    'A file without a line of mail is refused, and nothing is stored.',
  ),
  'mailbox/waits': everywhere(
    'Imported mail that is unread waits for whom it is for; nobody there, for a role.',
  ),
  'mailbox/follows': everywhere(
    'A mailbox that follows gets each message when it is sent, once, in log order.',
    [223],
  ),
  'mailbox/file-goes-on': only(
    CLI,
    FLAGS_ONLY,
    'A mailbox file goes on where it ended; no other file is touched.',
    [223, 224],
  ),

  'retention/age': everywhere('prune removes mail that was quiet for a week, whole.', [226, 229]),
  'retention/number': everywhere(
    'Of more mail than may stay, prune removes the oldest, down to the limit.',
    [226, 229],
  ),
  'retention/read-first': everywhere(
    'Over the limit, mail dealt with a day ago goes before mail dealt with today.',
    [227],
  ),
  'retention/unread': everywhere(
    'Unread mail stays, however old and however much; prune says which limit that exceeds.',
    [228],
  ),
  'retention/thread': everywhere('A thread of mail goes as a whole, when its last word is old.'),
  'retention/awaited': everywhere('Mail stays while somebody who wrote in it waits.'),
  'retention/dry-run': everywhere('A dry run says of work and of mail what would go.'),
  'retention/limit': everywhere('prune that stops at its limit says that there may be more.'),
  'retention/wakes': everywhere(
    'prune removes wakes that ended a month ago, but for an agent’s last; what is left replays.',
  ),
  'retention/stays': everywhere('Agents and people are not pruned, and what is left round-trips.'),

  'state/total': only(LIBRARY, SAME_DECISION, 'The state table has a cell for every case.'),
  'state/pending': only(LIBRARY, SAME_DECISION, 'What may happen to a pending thread.', [95]),
  'state/claimed': only(LIBRARY, SAME_DECISION, 'What may happen to a claimed thread.', [96]),
  'state/in_progress': only(LIBRARY, SAME_DECISION, 'What may happen to one in progress.', [97]),
  'state/blocked': only(LIBRARY, SAME_DECISION, 'What may happen to a blocked thread.', [98]),
  'state/lapsed': only(LIBRARY, SAME_DECISION, 'What may happen when the lease has lapsed.'),
  'state/done': only(LIBRARY, SAME_DECISION, 'What may happen to a done thread.', [99]),
  'state/failed': only(LIBRARY, SAME_DECISION, 'What may happen to a failed thread.', [100]),
  'state/cancelled': only(LIBRARY, SAME_DECISION, 'What may happen to a cancelled thread.', [101]),
} satisfies Record<string, Entry>

export type BehaviourId = keyof typeof ENTRIES

export const behaviours: Record<BehaviourId, Entry> = ENTRIES
