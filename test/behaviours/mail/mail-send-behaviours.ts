// The sentences about sending mail and what becomes of it, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  CLI,
  type Entry,
  EVERY_LETTER,
  everywhere,
  FLAGS_ONLY,
  OWN_FORM,
  only,
  SHELL_FORM,
  STOP_BESIDE,
  WAITING,
  WHO_CALLS,
} from '../../entry.ts'

export const MAIL_SEND_ENTRIES = {
  'stop/heard': atDoors(
    STOP_BESIDE,
    'An agent that is told to stop gets the stop with its next answer, whatever it asked for.',
  ),
  'stop/until-read': atDoors(STOP_BESIDE, 'The stop comes with every answer until it is read.'),
  'stop/refused': atDoors(STOP_BESIDE, 'A refusal carries the stop too.'),
  'stop/only-its-own': everywhere('No other agent gets the stop.'),
  'stop/work': atDoors(
    STOP_BESIDE,
    'A worker whose thread is cancelled gets the stop with its next answer about that thread, and with no other.',
  ),
  'stop/work-waits': everywhere(
    'A cancelled thread ends the waits on it; other waits of its worker go on.',
  ),
  'stop/up': everywhere(
    'A stop never goes upward: not to a leader, the orchestrator or a person, through work or mail.',
  ),
  'stop/control': everywhere(
    'A control message is a message: it stops no one, and ends only a wait for it.',
  ),
  'stop/nameless': everywhere(
    'A wait without a name ends once when the holder is told to stop, and says so.',
  ),
  'stop/shown-type': everywhere(
    'In mail a control message is of type custom; only a message that stops an agent is of type cancel.',
  ),
  'stop/waits': atDoors(
    STOP_BESIDE,
    'An agent that is told to stop ends any wait, and the answer says so.',
  ),
  'stop/once': atDoors(
    STOP_BESIDE,
    'A stop that was presented ends no further wait; answers carry it until it is read.',
  ),
  'stop/both': everywhere('A presented stop does not hide one that was not presented yet.'),
  'stop/shell': only(
    CLI,
    SHELL_FORM,
    'Without --json the stop is printed on stderr, and the result is as usual.',
  ),

  'mail-send/fields': everywhere(
    'mail send answers with the message in all its fields, and with who got it.',
  ),
  'mail-send/defaults': everywhere(
    'By default a message is of type custom, and its subject is the first line of its body.',
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
    'Wrong input, recipients and rights are refused with the remedy, and nothing is stored.',
  ),
  'mail-send/body-file': only(
    CLI,
    FLAGS_ONLY,
    'The body of a message may come from a file or from standard input.',
  ),
  'mail-send/answer': everywhere(
    'An answer stays in the thread of the message it answers, and goes to its writer by default.',
  ),
  'mail-send/either-word': everywhere(
    'A message’s type can be given as a type of mail or a kind of work; each view shows its own.',
  ),
  'mail-send/directions': atDoors(
    OWN_FORM,
    'A dry run says when a type usually goes in another direction; a person is neither assigned nor cancelled.',
  ),
  'mail-send/answer-others': atDoors(
    WHO_CALLS,
    'An agent answers only what it sent or got, or what waits for its role; the orchestrator and people anything.',
  ),
  'mail-send/answer-work': everywhere('A message on a work thread is not answered by mail.'),
  'mail-send/key': everywhere('Repeating mail send with its key sends one message.'),
  'mail-send/dry-run': everywhere(
    'A dry run says who would get it and who would be woken, and changes no row of any table.',
  ),
  'mail-send/wait': atDoors(
    WAITING,
    'mail send waits until every recipient has reached the requested state.',
  ),
  'mail-send/wait-nobody': everywhere(
    'mail send that waits but has no recipients returns at once with exit 10.',
  ),
  'mail-send/numbers': atDoors(
    EVERY_LETTER,
    'A number that would be read as another whole number, or as zero, is refused; every other is kept.',
  ),
  'mail-send/wait-timeout': everywhere(
    'mail send that times out exits with 10 and returns the receipts so far.',
  ),
  'mail-send/wait-lost': atDoors(
    OWN_FORM,
    'mail send stops waiting once no recipient can still reach the state, and names those that failed.',
  ),
  'mail-send/hops': everywhere(
    'A message is one hop further than the mail that woke its sender; a person’s message has no hops.',
  ),
  'mail-send/cancel': everywhere(
    'A cancel reaches an agent and all it started, leaves first, and no one else.',
  ),
  'mail-send/cancel-rights': everywhere(
    'Only people, the orchestrator and the agents that started it, directly or not, may cancel an agent.',
  ),

  'address/agent': everywhere(
    'A bare name and agent:NAME are the same agent, which alone gets it.',
  ),
  'address/unknown': atDoors(
    OWN_FORM,
    'A message to a name or a role that no one has waits for it; its sender is told, with the nearest known.',
  ),
  'address/invented': everywhere(
    'Once ten thousand names are known that no agent ever used, a message adds no more.',
  ),
  'address/orchestrator': everywhere(
    'Mail to orchestrator goes to the agent with that role, under any name; until there is one, it waits.',
  ),
  'address/role': everywhere(
    'Mail to a role goes to its available members in turn, never to its sender.',
  ),
  'address/role-queue': everywhere(
    'Mail to a role without an available member waits for the first one, and is not lost.',
  ),
  'address/own-role': everywhere('Mail from an agent to its own role waits for another member.'),
  'address/broadcast': everywhere(
    'Mail to broadcast goes to every agent that is running or idle, but not to its sender.',
  ),
  'address/person': everywhere(
    'People, the orchestrator and agents with a grant may write to a person.',
  ),
  'address/person-work': everywhere(
    'The same holds for work, but a person who created the thread or wrote in it is answered there by anyone.',
  ),
  'address/instance': everywhere(
    'NAME@INSTANCE is one agent of a workflow, @INSTANCE all of them except the sender.',
  ),
  'address/work': everywhere(
    'An agent that writes on a work thread, or is written to there, is registered.',
  ),
  'address/holder': everywhere(
    'An agent that claims, asks for work, updates or watches is registered: listed, in broadcasts, and written to.',
  ),

  'receipts/steps': everywhere(
    'Receipts show for each recipient every step, with its time and how it is known.',
  ),
  'receipts/choice': atDoors(
    OWN_FORM,
    'Receipts are shown of one message, of one thread, or of the last ones sent, in their order.',
  ),
  'receipts/rights': everywhere(
    'An agent sees receipts of what it sent; people and the orchestrator see all.',
  ),
  'receipts/nothing': everywhere(
    'An agent that has sent nothing gets an empty list of receipts with exit 0.',
  ),
  'receipts/bounced': everywhere(
    'Mail unread by an agent that is turned off bounces, and its sender is told why.',
  ),
  'receipts/bounced-late': everywhere(
    'A message on a work thread to an agent that is off bounces at the next sweep, and its sender is told.',
  ),
  'receipts/expired': everywhere(
    'Unread mail past its deadline expires at the next sweep; mail read in time does not.',
  ),

  'overdue/look': atDoors(
    OWN_FORM,
    'Unread mail past its deadline is neither shown nor counted, and its receipt says so.',
  ),
  'overdue/tells': everywhere(
    'The sender of expired mail is told once for each thread and sweep, with the reason; notes get no notes.',
  ),
  'overdue/tells-marks': everywhere(
    'The note about expired mail comes after the read mark of the agent that was too late.',
  ),
  'overdue/wakes-nobody': everywhere('Mail past its deadline wakes no one.'),
  'overdue/queue': everywhere('Mail past its deadline is not taken from a role’s queue.'),
  'overdue/mark-read': everywhere('Marking mail past its deadline as read expires it instead.'),
} satisfies Record<string, Entry>
