// The sentences about requests, part of the manifest in test/behaviours.ts.

import { atDoors, type Entry, everywhere, only, SQLITE, WAITING } from '../../entry.ts'

export const REQUEST_ENTRIES = {
  'request/created': everywhere(
    'A request is pending at revision 1, unread for every person, and isn’t work: nothing that asks for work sees it.',
  ),
  'request/bad-input': everywhere(
    'A request to no person, with a payload that is not an object, stray deciders or a forged line is refused.',
  ),
  'request/digest': everywhere(
    'The digest of a payload is that of its canonical text: the order of keys and the spaces do not matter.',
  ),
  'request/key': everywhere('A change to a request happens once per key.'),
  'request/approve': everywhere(
    'An approval ends the request, is mail to the agent that asked, and leaves nothing for other people to look at.',
  ),
  'request/reject': everywhere('A rejection ends the request and tells the agent why.'),
  'request/revise': everywhere(
    'When a revision is requested, the agent gets the notes and submits the next one; earlier ones stay.',
  ),
  'request/blank': everywhere(
    'Notes for a revision, a comment or a title of only spaces are refused, and nothing changes.',
  ),
  'request/types': everywhere(
    'request types lists the types whose payload is known; such a payload in another form is refused.',
  ),
  'request/edited': everywhere(
    'The person who approves may change the payload of an editable request; the digest is of what was approved.',
  ),
  'request/question': everywhere(
    'A question is answered with text, one of its options, or its form, and any other answer is refused.',
  ),
  'request/changes': everywhere(
    'request get shows the changes between the latest two revisions, or any two.',
  ),
  'request/stale': everywhere(
    'A decision on any but the current revision is a revision_conflict, and nothing is decided.',
  ),
  'request/decided': everywhere(
    'A request that was decided is not decided again: the refusal says who decided, and when.',
  ),
  'request/agents-never': everywhere('An agent cannot decide any request, not even its own.'),
  'request/policy': everywhere(
    'If the policy names people, only they decide; under not_requester the requester does not.',
  ),
  'request/cancel': everywhere(
    'The requester, or a person, cancels a request that is not resolved; another agent finds no such request.',
  ),
  'request/grace': everywhere(
    'A decision with a grace changes nothing until the grace ends; then the next look finds it made, with its notes.',
  ),
  'request/held': everywhere(
    'While a decision is held, others, resubmit and cancel are refused, naming who decided and until when.',
  ),
  'request/undo': everywhere(
    'Only the person who decided can undo a held decision, and the request is as it was before.',
  ),
  'request/hold-key': everywhere('A decision is held or undone once under one key.'),
  'request/hold-settles': everywhere(
    'A held decision is applied once, by a sweep or the next call about the request.',
  ),
  'request/hold-wait': atDoors(
    WAITING,
    'request wait applies a held decision when its grace is over, and returns it.',
  ),
  'request/hold-imported': everywhere(
    'A held decision in an imported log is not applied: the request is pending again, and no one hears of it.',
  ),
  'request/expiry-keep': everywhere(
    'A request that is kept when its time is up stays decidable, and every look shows that it is overdue.',
  ),
  'request/expiry-reject': everywhere(
    'A request that no one decides in time expires, if it says so: its agent is told, and no one decides it later.',
  ),
  'request/expiry-approve': everywhere(
    'Only a person who could approve a request can create one that is approved by time, in the name of the system.',
  ),
  'request/expiry-revised': everywhere(
    'A request that was ever sent back for a revision, or was imported, is not approved by time: it expires.',
  ),
  'request/escalate': everywhere(
    'A request is escalated once, to a person or to all people, who are told and may decide.',
  ),
  'request/remind': everywhere(
    'The people who can decide are reminded of a request once, unless it is decided before.',
  ),
  'request/expiry-bad': everywhere(
    'An expiry without a time, an escalation to no one, or a reminder that comes too late is refused.',
  ),
  'request/expiry-wait': atDoors(WAITING, 'request wait returns when the request expires.'),
  'request/waiting': everywhere(
    'doctor and status name the requests that have waited for a week; to an agent, status names its own.',
  ),
  'request/prune': everywhere(
    'prune leaves every request, unless it is asked for those that were resolved so many days ago and are read.',
  ),
  'request/expiry-log': everywhere(
    'A log with expiries, escalations and reminders replays, and is exported and imported the same.',
  ),
  'request/comment': everywhere(
    'A comment goes to the requester, or from it to the people, at any time, and decides nothing.',
  ),
  'request/reply': everywhere(
    'A reply in the thread of a request is a comment; callers who cannot see the request cannot reply there.',
  ),
  'request/bulk': everywhere(
    'request decide decides several requests, each by itself; one that is refused leaves the others as they are.',
  ),
  'request/bulk-refused': everywhere(
    'request decide is refused as a whole when it is by an agent, names no revision, or names a request twice.',
  ),
  'request/bulk-key': everywhere(
    'request decide under the same key decides nothing twice, and tries again what was refused.',
  ),
  'request/bulk-grace': everywhere(
    'request decide with a grace holds each decision by itself, and each may be taken back until then.',
  ),
  'request/link': everywhere(
    'request get shows the threads that belong to a request to those who may see them, until they are unlinked.',
  ),
  'request/link-refused': everywhere(
    'Only the requester and people link threads, and only threads that they may see.',
  ),
  'request/wait': atDoors(
    WAITING,
    'request wait sleeps until the request is decided, and an early decision is not lost.',
  ),
  'request/wait-timeout': atDoors(
    WAITING,
    'request wait that times out exits with 10, and the request stays pending.',
  ),
  'request/ask': atDoors(
    WAITING,
    'request ask puts a question to people and returns with the answer, and under its key asks once.',
  ),
  'request/ask-timeout': atDoors(
    WAITING,
    'request ask that times out exits with 10, and its question stays pending; request wait gets a late answer.',
  ),
  'request/ask-bad': everywhere(
    'request ask with one option, with options and a form, or to anyone but people is refused.',
  ),
  'request/visible': everywhere(
    'People and the orchestrator see every request; an agent sees its own, and another agent’s does not exist for it.',
  ),
  'request/list': everywhere(
    'request list shows pending or resolved requests by status, type, title and entity, and counts both alike.',
  ),
  'request/soonest': everywhere(
    'request list can show what expires soonest first, then the oldest, in a search too.',
  ),
  'request/narrowed': everywhere(
    'request list narrows by risk, and to the requests to which a thread belongs.',
  ),
  'request/activity': everywhere(
    'request get says what happened: who, when, from which status to which, at which revision, with what notes.',
  ),
  'request/warrant': everywhere(
    'An approval comes with a warrant that the store has signed, and that others can check with its public key.',
  ),
  'request/warrant-backup': only(
    SQLITE,
    'SQLite has backup',
    'A backup signs and verifies warrants like the store it was made from.',
  ),
  'request/verify': everywhere(
    'request verify says yes to exactly the payload that was approved, named by its request or its warrant.',
  ),
  'request/verify-no': everywhere(
    'Another payload, an earlier revision, another decision or none: request verify refuses, and says why.',
  ),
  'request/forged': everywhere(
    'A warrant that was changed, or signed by another store, is refused.',
  ),
  'request/use': everywhere(
    'An approval is used once: a second use is refused, and says by whom it was used.',
  ),
  'request/one-reading': everywhere(
    'A payload that two programs could read differently, or that no store can keep, is refused.',
  ),
  'request/decided-elsewhere': everywhere(
    'A decision that came with an imported log has no warrant, and request verify does not vouch for it.',
  ),
  'policy/require': everywhere(
    'agent policy adds what an agent or a role must ask for, and removes it again; agent policies lists all.',
  ),
  'policy/bad-input': everywhere(
    'agent policy for a person, with an invalid requirement, or releasing what is not required, is refused.',
  ),
  'policy/people': everywhere('Only people set what agents must ask for.'),
  'policy/told': everywhere(
    'request types tells an agent what it must ask for, by its name, its role or the name it began with.',
  ),
  'policy/key': everywhere('Setting a policy happens once per key.'),
  'policy/replay': everywhere(
    'A log with requirements replays to its tables, and is exported, imported and exported again the same.',
  ),
  'request/effect-set': everywhere(
    'request effect sets what approvals of a type start, and takes it back; request effects lists it.',
  ),
  'request/effect-refused': everywhere(
    'An invalid command, a relative folder, and an agent that sets an effect are refused.',
  ),
  'request/effect-queued': everywhere(
    'An approval of a type with a command queues its effect in the same commit; nothing else queues one.',
  ),
  'request/effect-input': everywhere(
    'The program of an effect gets the payload that was approved and its warrant, and the request says how it ended.',
  ),
  'request/effect-retry': everywhere(
    'A failed effect is retried only if a person asks for it, and a finished one never.',
  ),
  'request/effect-lost': everywhere(
    'An effect that no process watches is shown as unknown even without a server, and a person can retry it.',
  ),
  'request/effect-imported': everywhere(
    'An effect that came with an imported log never starts, and its request says so.',
  ),
  'request/replay': everywhere(
    'A log with requests replays to its tables, and is exported, imported and exported again the same.',
  ),
  'request/tampered': everywhere(
    'doctor names a payload, a digest, a decision or a link that was changed without the log.',
  ),
  'request/named-asked': everywhere(
    'Only the people that a policy names get its request to look at; --to names one of them.',
  ),
  'request/later-person': everywhere(
    'A person who is added later finds what is pending in request list, decides it, and gets what comes afterwards.',
  ),
  'request/requester-off': everywhere(
    'A request whose agent was turned off is decided all the same, and the agent finds the answer when it is back.',
  ),
  'request/bad-lines': everywhere(
    'A line of the log that no request could have caused is set aside: a decision by an agent, a link from nowhere.',
  ),
} satisfies Record<string, Entry>
