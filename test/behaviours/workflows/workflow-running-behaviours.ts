// The sentences about running workflows (how people list them, write to them and stop them), part of the manifest in
// test/behaviours.ts.

import { type Entry, everywhere, only } from '../../entry.ts'

export const WORKFLOW_RUNNING_ENTRIES = {
  'workflow-list/running': everywhere(
    'workflow list names each agent that runs, its file and its status; a sleeping one is shown as idle.',
  ),
  'workflow-list/none': everywhere('workflow list answers with an empty list where nothing runs.'),
  'workflow-list/all': everywhere(
    'workflow list of all also names what has ended and how, and what lost its runner.',
  ),
  'workflow-stop/whole': everywhere(
    'workflow stop of an instance ends once its runner has ended it, and says what has stopped.',
  ),
  'workflow-stop/one': everywhere(
    'workflow stop of one agent stops only that, and list no longer names it; if there is no other, everything stops.',
  ),
  'workflow-stop/only': everywhere(
    'workflow stop without a target stops the only one that runs, and names them where several do.',
  ),
  'workflow-stop/all': everywhere('workflow stop of all stops everything that runs.'),
  'workflow-stop/late': everywhere('workflow stop that times out says what had not stopped.'),
  'workflow-stop/lost': everywhere(
    'workflow stop ends at once a run whose runner is no longer heard from.',
  ),
  'workflow-stop/unwatched': only(
    ['sqlite/library'],
    'time passes alike at every door and on both engines',
    'workflow stop ends a turn without a supervisor as lost once its lease lapses.',
  ),
  'workflow-stop/again': everywhere('workflow stop under the same key asks once.'),
  'workflow-send/agent': everywhere(
    'workflow send puts an entry into the channel, for the agent that it is sent to.',
  ),
  'workflow-send/whole': everywhere(
    'workflow send to a workflow is for the agents the text mentions, else for all of its agents.',
  ),
  'workflow-send/only': everywhere(
    'workflow send without an address is for the only agent that runs; several are named instead.',
  ),
  'workflow-send/mail': everywhere('workflow send reaches an agent without a channel by mail.'),
  'workflow-send/unheard': everywhere(
    'workflow send says if no runner receives it, and is refused if the run has ended.',
  ),
  'workflow-send/not-woken': everywhere(
    'workflow send to an agent that is off, was stopped, or has had its turns says that it is not woken and why.',
  ),
  'workflow-send/again': everywhere('workflow send under the same key sends it once.'),
  'workflow-peek/shows': everywhere(
    'workflow peek shows each agent’s status, what it has not read, its last turn and the channel.',
  ),
  'workflow-peek/nothing-changes': everywhere('workflow peek marks nothing as presented or read.'),
  'workflow-peek/quiet': everywhere(
    'workflow peek of an agent without a channel or mail shows only its status.',
  ),
  'workflow-peek/which': everywhere(
    'workflow peek without an address is of the only one that runs; an ended run is found by name.',
  ),
} satisfies Record<string, Entry>
