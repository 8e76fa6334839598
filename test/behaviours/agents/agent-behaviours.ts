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
    'Registering adds an agent; registering it again changes only the given fields.',
  ),
  'agent/instance': everywhere('An agent NAME@INSTANCE belongs to that instance.'),
  'agent/one-orchestrator': everywhere(
    'At most one agent is the orchestrator; the refusal names it. One called orchestrator has it from the start.',
  ),
  'agent/orchestrator-retires': everywhere(
    'An agent called orchestrator gives the role up by taking another; then another agent may have it.',
  ),
  'agent/one-at-once': everywhere(
    'If many agents try to become the orchestrator at once, exactly one does.',
  ),
  'agent/names': everywhere(
    'Names of people and reserved words are not agents; an unknown agent has no status.',
  ),
  'agent/parents': everywhere('A parent must be known, and no agent is below itself.'),
  'agent/depth': only(
    LIBRARY,
    'starting sixty-four programs would show the same',
    'Agents start agents at most 64 levels deep.',
  ),
  'agent/wake-settings': atDoors(FLAGS, 'The settings for waking an agent are checked one by one.'),
  'agent/wake-taken-back': atDoors(
    FLAGS,
    'Each setting for waking an agent can be removed, and the others stay.',
  ),
  'agent/evidence': everywhere(
    'A lease or a recent call shows an agent’s status; a declared status counts while it is fresh.',
  ),
  'agent/work-is-life': everywhere(
    'An agent that sends, claims (even nothing), renews, updates, replies, completes or fails was seen.',
  ),
  'agent/waits-at-work': atDoors(WAITING, 'An agent in watch or wait-reply is shown as waiting.'),
  'agent/off': everywhere('An agent that is declared off is off, whatever it does.'),
  'agent/waiting': everywhere('An agent that waits for mail is running, whatever was declared.'),
  'agent/by-another': only(
    LIBRARY,
    'a test names an agent to the program by --agent, which says who calls',
    'Registering oneself is a sign of life; being registered by another or an unnamed caller is not.',
  ),
  'agent/list': atDoors(
    OWN_FORM,
    'agent list shows role, status and unread mail, and filters by them.',
  ),
  'agent/self': everywhere(
    'An agent sets its own role in its own name; a role that is not a valid name is refused.',
  ),
  'agent/others': everywhere(
    'An agent lists the agents by role; a role no one has is an empty list, and an unknown status is refused.',
  ),
  'agent/said': everywhere('The latest status message of an agent is shown with it.'),
  'agent/takes': everywhere(
    'An agent that registers or becomes available takes what is queued for its role.',
  ),
  'agent/orchestrator-takes': everywhere(
    'An agent that becomes the orchestrator by sending or reading takes its queue; being written to takes nothing.',
  ),
  'agent/off-work': everywhere('A new thread of work for an agent that is off is refused.'),
  'agent/off-bounces': everywhere(
    'Unread mail of an agent that is off goes back to its senders, and no more is accepted.',
  ),

  'person/add': everywhere('A person is added once and is known by user:NAME.'),
} satisfies Record<string, Entry>
