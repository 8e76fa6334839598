// The sentences about what people type and see, part of the manifest in test/behaviours.ts.

import { CLI, type Entry, everywhere, only, SHELL_FORM } from '../../entry.ts'

export const SHELL_ENTRIES = {
  'short/one': everywhere(
    'Four or more characters of an id’s random part identify the one thing that has them.',
  ),
  'short/whole-in-answers': everywhere('An answer has whole ids, however short they were given.'),
  'short/ambiguous': everywhere(
    'A short id of several things is refused with the candidates and their subjects.',
  ),
  'short/hidden': everywhere(
    'A thread that the caller may not see is not a candidate for a short id.',
  ),
  'short/other-kind': everywhere(
    'An id of another kind is refused with what it is, and a message with the thread it is in.',
  ),
  'short/key': everywhere('A retry may give the short id where the first call gave the whole one.'),
  'shell/positions': only(
    CLI,
    SHELL_FORM,
    'Ids, names and texts may be given without their flags, in the order that help shows.',
  ),
  'shell/one-word': only(
    CLI,
    SHELL_FORM,
    'If the thread may be left out, a single argument that names no thread is the text.',
  ),
  'lease/own': everywhere(
    'A call about a lease that names no thread means the one thread that its agent holds.',
  ),
  'lease/own-unclear': everywhere(
    'Without a thread, an agent that holds none or several is refused, with what it holds.',
  ),
  'lease/own-retry': everywhere(
    'A finish that named no thread is repeated by its key after the lease is gone.',
  ),
  'reply/message': everywhere('A reply to a message by its id is in its thread and answers it.'),
  'reply/mail': everywhere('A reply in mail goes to the writer of the last message there.'),
  'reply/push': everywhere('A reply to a push is mail for the agent that pushed it.'),
  'reply/decides-nothing': everywhere(
    'A person who replies to a pending request of theirs is told that it decides nothing, and what does.',
  ),
  'status/you': everywhere(
    'status shows what waits for the caller, how much is unread, and what no one has taken.',
  ),
  'shell/alone': only(
    CLI,
    SHELL_FORM,
    'inbox alone shows the existing store; without one it explains itself and creates none.',
  ),
} as const satisfies Record<string, Entry>
