// The sentences about agents and people, part of the manifest in test/behaviours.ts.

import {
  atDoors,
  type Entry,
  everywhere,
  FLAGS,
  LIBRARY,
  OWN_FORM,
  only,
  WAITING,
} from '../../entry.ts'

export const AGENT_ENTRIES = {
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
} satisfies Record<string, Entry>
