// The sentences about mail, agents and waking; test/behaviours.ts takes them in.

import {
  atDoors,
  BY_PROGRAM,
  CLI,
  type Entry,
  EVERY_LETTER,
  everywhere,
  FLAGS,
  FLAGS_ONLY,
  LIBRARY,
  OWN_FORM,
  only,
  PRESENTED,
  SHELL_FORM,
  STOP_BESIDE,
  WAITING,
  WHO_CALLS,
} from './entry.ts'

export const MAIL_ENTRIES = {
  'mail-read/own': everywhere(
    'mail read lists the caller’s unread mail, oldest first, in the mailbox’s words.',
  ),
  'mail-read/work': everywhere('mail read shows what was said to the caller on work threads too.'),
  'mail-read/presents': atDoors(
    PRESENTED,
    'What mail read has shown is presented, by the door it went through, and not yet read.',
  ),
  'mail-read/again': atDoors(PRESENTED, 'What was shown and not marked read is shown again.'),
  'mail-read/all': atDoors(OWN_FORM, 'mail read of all lists also what was read.'),
  'mail-read/limit': everywhere(
    'mail read shows no more than its limit, 50 unless told, and its cursor leads to the rest.',
  ),
  'mail-read/cursor': everywhere(
    'Reading from cursor to cursor gives each message once, many of one millisecond too.',
  ),
  'mail-read/time': everywhere(
    'Reading from time to time gives each message once, many of one millisecond too.',
  ),
  'mail-read/late': everywhere(
    'A message stored after a later one, though its time is earlier, is not missed by its time.',
  ),
  'mail-read/time-disorder': everywhere(
    'Going on from the time of the last message gives each once, though times and order disagree.',
  ),
  'mail-read/time-taken': everywhere(
    'Going on from the time of a message out of a role’s queue repeats nothing.',
  ),
  'mail-read/bad-input': everywhere(
    'mail read with a wrong cursor, time, limit or address is refused.',
  ),
  'mail-read/anothers-wait': everywhere(
    'A wait in another’s inbox is for what comes from now on, whatever is unread there.',
  ),
  'mail-read/anothers': atDoors(
    WHO_CALLS,
    'An agent reads its own mail only; people and the orchestrator any, changing nothing.',
  ),
  'mail-read/registers': everywhere('Whoever reads mail is known from then on; a person is not.'),
  'mail-read/seen': everywhere('Reading is a sign of life, noted at most every twenty seconds.'),
  'mail-read/takes': everywhere(
    'Who reads takes what is queued for its role, in order, past its cursor too.',
  ),
  'mail-read/taken-once': everywhere(
    'However many of a role read at once, each message of its queue goes to one of them.',
  ),
  'mail-read/empty': everywhere('mail read that finds nothing is exit 10 and does not wait.'),
  'mail-read/waits': atDoors(WAITING, 'mail read with a timeout blocks until mail comes.'),
  'mail-read/waits-new': atDoors(
    WAITING,
    'mail read waits for what was not shown yet; what was shown and not marked is listed with it, and ends nothing.',
  ),
  'mail-read/waits-in-vain': everywhere(
    'mail read that waits in vain lists nothing of what was shown, and its cursor does not pass that.',
  ),
  'mail-read/waits-full': everywhere(
    'New mail behind a whole page of what was shown ends the wait, and is shown.',
  ),
  'mail-read/timeout': everywhere('mail read that waits in vain is exit 10 with its cursor.'),
  'mail-read/waiting-at-once': atDoors(
    WAITING,
    'Whoever begins to wait is there at once: mail for all who are there reaches it.',
  ),
  'mail-read/waiting': everywhere('Who waits for mail is running, and no longer once it is done.'),
  'mail-read/killed': only(
    CLI,
    'a process of its own is killed',
    'A reader killed between its answer and the note of it finds the mail unread again.',
  ),

  'mail-read/count': everywhere('unread is all that is unread, however much that is.'),

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
  'mark-read/again': everywhere('Marking what was read already is no mistake and changes nothing.'),
  'mark-read/refused': everywhere(
    'Marking another’s message or an unknown one is refused, and nothing is marked.',
  ),
  'mark-read/words': everywhere('mail mark-read takes either messages or all.'),
  'mark-read/read-mark': everywhere(
    'A thread of which nothing is left unread gets its read mark moved to its end.',
  ),
  'mark-read/show': everywhere('show with mark_read reads the deliveries of that thread.'),
  'mark-read/wait-reply': atDoors(
    PRESENTED,
    'A reply that wait-reply handed over is a delivery read.',
  ),
  'mark-read/wait-reply-only': atDoors(
    PRESENTED,
    'wait-reply reads the reply it hands over, by its door, and nothing that was said before it.',
  ),

  'acted/answer': everywhere(
    'Who answers has acted on that message and on what it was shown; the rest stays queued.',
  ),
  'acted/stop': everywhere(
    'A word to stop is heard by who answers an earlier message of the same thread.',
  ),
  'acted/claim': atDoors(
    PRESENTED,
    'claim acts on the message it hands over; what was said after that is still to be shown.',
  ),
  'acted/take-over': everywhere(
    'Who claims another’s thread gets what was said to that one and not shown.',
  ),
  'acted/take-over-role': everywhere(
    'Who claims work for a role gets what was said to the role before.',
  ),
  'acted/renew': everywhere(
    'Renewing acts on nothing; progress and results act on nothing that was not shown.',
  ),
  'acted/awaited': everywhere(
    'Who waits until a message is presented is not told so by an answer to another.',
  ),
  'acted/question': everywhere(
    'An answer on a work thread acts on the question that was shown, or else on the latest.',
  ),
  'acted/old-log': everywhere('A log that does not say what its claims handed over is imported.'),

  'history/all': everywhere(
    'mail history lists what was said in work and mail, newest first, without bookkeeping.',
  ),
  'history/filters': atDoors(
    FLAGS,
    'mail history narrows by type, agent, thread and time, alone and together.',
  ),
  'history/sides': everywhere(
    'mail history narrows to what the one who looks got or sent, and refuses sides without a looker.',
  ),
  'history/workspace': atDoors(
    FLAGS,
    'mail history narrows to what was said in the pushes of one workspace, replies included.',
  ),
  'history/message': atDoors(
    FLAGS,
    'mail history finds one message by its id, however old; the other filters hold for it too.',
  ),
  'count/types': everywhere(
    'mail count counts what mail history would list, by type, with the same filters and sight.',
  ),
  'count/goes-on': everywhere(
    'A count that was cut goes on before its cursor, and the parts add up to the whole.',
  ),
  'count/bad-input': everywhere('mail count with a wrong time, address or cursor is refused.'),
  'history/text': atDoors(
    OWN_FORM,
    'mail history finds words in subject or body in either case, and takes % and _ as they are.',
  ),
  'history/pages': atDoors(FLAGS, 'mail history goes on before a cursor until there is no more.'),
  'history/cut': atDoors(
    { why: 'a command has its process to itself, and goes on', doors: ['cli'] },
    'A search of mail history that was cut says so and gives the cursor to go on; a command goes on by itself.',
  ),
  'history/visible': everywhere(
    'An agent’s history is what it sent or got; people and the orchestrator see everything.',
  ),
  'history/changes-nothing': everywhere('mail history changes no row of any table.'),
  'history/bad-input': everywhere('mail history with a wrong type, time or address is refused.'),

  'stop/heard': atDoors(
    STOP_BESIDE,
    'Who is told to stop hears it with its next answer, whatever it asked for.',
  ),
  'stop/until-read': atDoors(
    STOP_BESIDE,
    'The word to stop comes with every answer until it is read.',
  ),
  'stop/refused': atDoors(STOP_BESIDE, 'A refusal carries the word to stop too.'),
  'stop/only-its-own': everywhere('Nobody else hears a word to stop.'),
  'stop/work': atDoors(
    STOP_BESIDE,
    'A worker whose thread is cancelled hears it with its next answer about that thread, and with no other.',
  ),
  'stop/work-waits': everywhere(
    'A cancelled thread ends the waits on it; other waits of its worker go on.',
  ),
  'stop/up': everywhere(
    'No word to stop goes up: not to a leader, the orchestrator or a person, by work or by mail.',
  ),
  'stop/control': everywhere(
    'A control message is a message: it stops nobody, and ends only a wait for it.',
  ),
  'stop/nameless': everywhere(
    'A wait without a name ends once when the holder is told to stop, and says so.',
  ),
  'stop/shown-type': everywhere(
    'In mail a control message is of type custom; only what stops somebody is of type cancel.',
  ),
  'stop/waits': atDoors(
    STOP_BESIDE,
    'Who waits, for whatever it is, waits no longer when it is told to stop, and the answer says so.',
  ),
  'stop/once': atDoors(
    STOP_BESIDE,
    'A word to stop that was presented ends no wait any more; answers say it until it is read.',
  ),
  'stop/both': everywhere('A word to stop that was heard hides none that was not.'),
  'stop/shell': only(
    CLI,
    SHELL_FORM,
    'Without --json the word to stop is said on stderr, and the result is as ever.',
  ),

  'mail-send/fields': everywhere(
    'mail send answers with the message in all its fields, and with who got it.',
  ),
  'mail-send/defaults': everywhere(
    'A message is custom, and its subject the first line of its body, unless told.',
  ),
  'mail-send/types': everywhere('A message may be of each of the nine types and of no other.'),
  'mail-send/metadata': atDoors(
    EVERY_LETTER,
    'Metadata comes out as it went in when it has the form of its type.',
  ),
  'mail-send/bad-metadata': everywhere(
    'Metadata of the wrong form is refused, with what is wrong, and nothing is stored.',
  ),
  'mail-send/bad-input': everywhere(
    'Wrong words, addressees and rights are refused with the remedy, and nothing is stored.',
  ),
  'mail-send/body-file': only(
    CLI,
    FLAGS_ONLY,
    'The body of a message may come from a file or from standard input.',
  ),
  'mail-send/answer': everywhere(
    'An answer stays in the thread of what it answers, and goes to who wrote that unless told.',
  ),
  'mail-send/either-word': everywhere(
    'What a message is can be said in the words of mail or of work; each view shows its own.',
  ),
  'mail-send/directions': atDoors(
    OWN_FORM,
    'A dry run says when a type usually goes another way; a person is neither assigned nor cancelled.',
  ),
  'mail-send/answer-others': atDoors(
    WHO_CALLS,
    'An agent answers only what it sent or got, or what waits for its role; the orchestrator and people anything.',
  ),
  'mail-send/answer-work': everywhere('A message on a work thread is not answered by mail.'),
  'mail-send/key': everywhere('mail send repeated under its key is one message.'),
  'mail-send/dry-run': everywhere(
    'A dry run says who would get it and who would be woken, and changes no row of any table.',
  ),
  'mail-send/wait': atDoors(
    WAITING,
    'mail send waits until everybody has come as far as was asked.',
  ),
  'mail-send/wait-nobody': everywhere(
    'mail send that waits for nobody is over at once, and nothing was reached: exit 10.',
  ),
  'mail-send/numbers': atDoors(
    EVERY_LETTER,
    'A number that would be read as another whole number, or as zero, is refused; every other is kept.',
  ),
  'mail-send/wait-timeout': everywhere(
    'mail send that waits in vain is exit 10 with what became of it so far.',
  ),
  'mail-send/wait-lost': atDoors(
    OWN_FORM,
    'mail send waits no longer once nobody is left who could come so far, and names the lost.',
  ),
  'mail-send/hops': everywhere(
    'A message is one hop further than what its sender was woken for; a person’s is none.',
  ),
  'mail-send/cancel': everywhere(
    'A cancel reaches an agent and all it started, leaves first, and nobody else.',
  ),
  'mail-send/cancel-rights': everywhere(
    'Only people, the orchestrator and who started it, directly or not, may cancel an agent.',
  ),

  'address/agent': everywhere(
    'A bare name and agent:NAME are the same agent, which alone gets it.',
  ),
  'address/unknown': atDoors(
    OWN_FORM,
    'A message to a name or a role that nobody has waits for it; its sender is told, with the nearest known.',
  ),
  'address/invented': everywhere(
    'Where ten thousand names are known that no agent ever used, a message makes no other known.',
  ),
  'address/orchestrator': everywhere(
    'Mail to orchestrator goes to who has that role, by whatever name; before it is there it waits.',
  ),
  'address/role': everywhere(
    'Mail to a role goes to its available members in turn, never to its sender.',
  ),
  'address/role-queue': everywhere(
    'Mail to a role nobody of which is available waits for the first who comes, and is not lost.',
  ),
  'address/own-role': everywhere('What an agent wrote to its own role waits for another of it.'),
  'address/broadcast': everywhere(
    'Mail to broadcast goes to every agent that is running or idle, but not to its sender.',
  ),
  'address/person': everywhere(
    'Mail to a person is for people, the orchestrator and agents that were granted it.',
  ),
  'address/person-work': everywhere(
    'On work too; but who made the thread or wrote in it is answered there by anyone.',
  ),
  'address/instance': everywhere(
    'NAME@INSTANCE is one agent of a workflow, @INSTANCE all of it but the sender.',
  ),
  'address/work': everywhere(
    'Whoever writes on a work thread, and whoever is written to there, is known from then on.',
  ),

  'address/holder': everywhere(
    'Whoever claims, asks for work, updates or watches is known from then on: listed, in broadcasts, and written to.',
  ),

  'receipts/steps': everywhere(
    'Receipts show for each recipient every step with its time and by what it is known.',
  ),
  'receipts/choice': atDoors(
    OWN_FORM,
    'Receipts are shown of one message, of one thread, or of the last ones sent, in their order.',
  ),
  'receipts/rights': everywhere(
    'An agent sees receipts of what it sent; people and the orchestrator see all.',
  ),
  'receipts/nothing': everywhere('Receipts of who has sent nothing are an empty list and exit 0.'),
  'receipts/bounced': everywhere(
    'What an agent that is turned off has not read bounces, and its sender is told why.',
  ),
  'receipts/bounced-late': everywhere(
    'What was said in a thread of work to an agent that is off bounces at the next sweep, and its sender is told.',
  ),
  'overdue/look': atDoors(
    OWN_FORM,
    'Unread mail whose time has passed is shown to nobody and counted nowhere, and its receipt says so.',
  ),
  'overdue/tells': everywhere(
    'Who sent what expired is told once for each thread and sweep, with the reason; of notes there are no notes.',
  ),
  'overdue/tells-marks': everywhere(
    'The note of what expired comes after the read mark of who was too late.',
  ),
  'overdue/wakes-nobody': everywhere('Mail whose time has passed wakes nobody.'),
  'overdue/queue': everywhere('Mail whose time has passed is not taken out of a role’s queue.'),
  'overdue/mark-read': everywhere('Marking mail whose time has passed expires it instead.'),
  'receipts/expired': everywhere(
    'Unread mail whose time has passed expires at the next sweep; what was read in time does not.',
  ),

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
    'Who takes its mail by itself is not started for it, nor for more while it may be at it.',
  ),
  'wake/idle': only(
    CLI,
    BY_PROGRAM,
    'Who is idle, by its word or by what was seen, is thought to be there and not started a second time.',
  ),
  'wake/call': everywhere(
    'A call shows for a minute, or as long as was set, that an agent is there that can be woken.',
  ),
  'wake/turn': everywhere(
    'An agent in a turn, as the hooks say it, is there; after the turn its last call counts.',
  ),
  'wake/not-woken': everywhere(
    'mail send says who may be asleep and is not woken by this type, and which types would.',
  ),
  'wake/not-woken-work': everywhere(
    'Words on a work thread say likewise who may be asleep and is not woken; progress says nothing of it.',
  ),
  'wake/explain-all': everywhere(
    'wake explain lists the mail that wakes an agent, whoever writes, and when a person does.',
  ),
  'wake/leaves': only(
    CLI,
    BY_PROGRAM,
    'Who registers itself and leaves as dormant is started at once, and again after each of its turns.',
  ),
  'wake/dry-run': everywhere('A dry run says of each start what wake explain says of it.'),
  'wake/role': only(CLI, BY_PROGRAM, 'Mail to a role starts the one whose turn it is.'),
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
    'wake run is a command of the shell, and at the library not found.',
  ),
  'wake/internal': only(
    CLI,
    BY_PROGRAM,
    'wake exec without its token is refused and starts nothing.',
  ),
  'wake/bad-variables': only(
    CLI,
    BY_PROGRAM,
    'wake run refuses to pass on what is not the name of a variable.',
  ),
  'wake/variables': everywhere(
    'A woken program gets its broker’s variables, or with --wake-env those that are named.',
  ),
  'wake/bad-cron': everywhere('A cron line that names no time is refused, and nothing is stored.'),

  'agent/register': atDoors(
    FLAGS,
    'Registering makes an agent known; doing it again changes what is given and keeps the rest.',
  ),
  'agent/instance': everywhere('An agent NAME@INSTANCE belongs to that instance.'),
  'agent/one-orchestrator': everywhere(
    'At most one agent is the orchestrator; the refusal names it. Who is called so has the role from the start.',
  ),
  'agent/orchestrator-retires': everywhere(
    'Who is called orchestrator gives the role up by taking another; then another agent may have it.',
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
  'agent/wake-settings': atDoors(
    FLAGS,
    'How an agent is woken is set by words that are checked, each by itself.',
  ),
  'agent/wake-taken-back': atDoors(
    FLAGS,
    'Each setting of how an agent is woken can be taken back, and the others stay.',
  ),
  'agent/evidence': everywhere(
    'A lease or a recent call shows what an agent is; words count while they are fresh.',
  ),
  'agent/work-is-life': everywhere(
    'Whoever sends, claims (even nothing), renews, updates, replies, completes or fails was seen.',
  ),
  'agent/waits-at-work': atDoors(WAITING, 'Who is in watch or wait-reply waits, and says so.'),
  'agent/off': everywhere('Who is declared off is off, whatever can be seen of it.'),
  'agent/waiting': everywhere('Who waits for mail is running, whatever was declared.'),
  'agent/by-another': only(
    LIBRARY,
    'a test names an agent to the program by --agent, which says who calls',
    'Registering oneself is a sign of life; another’s word is not, nor that of nobody.',
  ),
  'agent/list': atDoors(
    OWN_FORM,
    'agent list shows role, status and unread mail, and filters by them.',
  ),
  'agent/self': everywhere(
    'An agent makes its own role known in its own name; a role that is no name is refused.',
  ),
  'agent/others': everywhere(
    'An agent lists the agents by role; a role nobody has is an empty list, an unknown status refused.',
  ),
  'agent/said': everywhere('The latest status message of an agent is shown with it.'),
  'agent/takes': everywhere(
    'Who registers or becomes available takes what is queued for its role.',
  ),
  'agent/orchestrator-takes': everywhere(
    'Who becomes known as the orchestrator by sending or reading takes its queue; by being written to, nobody does.',
  ),
  'agent/off-work': everywhere('A new thread of work for an agent that is off is refused.'),
  'agent/off-bounces': everywhere(
    'Of an agent that is off, unread mail goes back to its senders, and no more is taken.',
  ),

  'person/add': everywhere('A person is added once and is known by user:NAME.'),

  'retention/age': atDoors(FLAGS, 'prune removes mail that was quiet for a week, whole.'),
  'retention/number': atDoors(
    FLAGS,
    'Of more mail than may stay, prune removes the oldest, down to the limit.',
  ),
  'retention/read-first': everywhere(
    'Over the limit, mail dealt with a day ago goes before mail dealt with today.',
  ),
  'retention/unread': everywhere(
    'Unread mail stays, however old and however much; prune says which limit that exceeds.',
  ),
  'retention/thread': everywhere('A thread of mail goes as a whole, when its last word is old.'),
  'retention/conversation': everywhere(
    'Work stays while a note in it is unread, though its result was; who has read all of it lets it go.',
  ),
  'retention/awaited': everywhere('Mail stays while somebody who wrote in it waits.'),
  'retention/unanswered': everywhere(
    'Mail stays while a question in it was read and not answered, and prune says so.',
  ),
  'retention/imported': everywhere('Imported mail is as old as it says, not as its import.'),
  'retention/receipt-awaited': everywhere('Mail stays while its sender waits for its receipts.'),
  'retention/says-kept': everywhere(
    'prune says which finished work and which pushes it kept, and why.',
  ),
  'retention/dry-run': everywhere('A dry run says of work and of mail what would go.'),
  'retention/limit': everywhere('prune that stops at its limit says that there may be more.'),
  'retention/wakes': everywhere(
    'prune removes wakes that ended a month ago, but for an agent’s last; what is left replays.',
  ),
  'retention/cursor': everywhere(
    'A cursor before what was pruned is cursor_expired for mail read, peek, history and a mailbox file.',
  ),
  'retention/stays': everywhere('Agents and people are not pruned, and what is left round-trips.'),
} satisfies Record<string, Entry>
