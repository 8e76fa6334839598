// The sentences about requests; test/behaviours.ts takes them in.

import { atDoors, type Entry, everywhere, WAITING } from './entry.ts'

export const REQUEST_ENTRIES = {
  'request/created': everywhere(
    'A request is pending at revision 1, unread for every person, and no work: nothing that asks for work sees it.',
  ),
  'request/bad-input': everywhere(
    'A request to somebody who is no person, with a payload that is no object, or with deciders that its policy does not name, is refused.',
  ),
  'request/digest': everywhere(
    'The digest of a payload is that of its canonical text: the order of keys and the spaces do not matter.',
  ),
  'request/key': everywhere('What is done to a request under a key is done once.'),
  'request/approve': everywhere(
    'An approval ends the request, is mail to the agent that asked, and leaves nothing for other people to look at.',
  ),
  'request/reject': everywhere('A rejection ends the request and tells the agent why.'),
  'request/revise': everywhere(
    'Where a revision is asked for, the agent gets the notes, submits again, and the next revision is pending; all revisions stay as they were.',
  ),
  'request/types': everywhere(
    'request types lists every type whose payload is known; a payload of such a type that has another form is refused, in a request and in its next revision.',
  ),
  'request/edited': everywhere(
    'Whoever approves an editable request may change its payload, and the digest is of what was approved; of any other request the payload stays.',
  ),
  'request/question': everywhere(
    'A question is answered in words, by one of its options, or by its form, and any other answer is refused.',
  ),
  'request/changes': everywhere(
    'request get shows the changes between the latest two revisions, or any two.',
  ),
  'request/stale': everywhere(
    'A decision that names another revision than the present one is refused with revision_conflict, and nothing is decided.',
  ),
  'request/decided': everywhere(
    'A request that was decided is not decided again: the refusal says who decided, and when.',
  ),
  'request/agents-never': everywhere('No agent decides, not even its own request.'),
  'request/policy': everywhere(
    'Where the policy names people, only they decide; under not_requester whoever asked does not.',
  ),
  'request/cancel': everywhere(
    'Whoever asked, or a person, cancels a request that is not resolved; another agent finds no such request.',
  ),
  'request/comment': everywhere(
    'A comment goes to whoever asked, or from it to the people, at any time, and decides nothing.',
  ),
  'request/wait': atDoors(
    WAITING,
    'request wait sleeps until the request is decided and answers with the decision; one that came before is not lost.',
  ),
  'request/wait-timeout': atDoors(
    WAITING,
    'request wait that runs out is exit 10, and the request still pending.',
  ),
  'request/visible': everywhere(
    'People and the orchestrator see every request; an agent sees its own, and another agent’s does not exist for it.',
  ),
  'request/list': everywhere(
    'request list shows pending or resolved requests, newest first, by type, title and entity, with the counts of both.',
  ),
  'request/activity': everywhere(
    'request get tells what happened: who, when, from which status to which, at which revision, with what notes.',
  ),
  'request/replay': everywhere(
    'A log with requests replays to its tables, and is exported, imported and exported again the same.',
  ),
} satisfies Record<string, Entry>
