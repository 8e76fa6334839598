// The sentences about what people type and see; test/behaviours.ts takes them in.

import { type Entry, everywhere } from './entry.ts'

export const SHELL_ENTRIES = {
  'short/one': everywhere(
    'Four letters or more of the part of an id after its time stand for the one thing that has them.',
  ),
  'short/whole-in-answers': everywhere('An answer has whole ids, however short they were given.'),
  'short/ambiguous': everywhere(
    'A short id of several things is refused with the candidates and their subjects.',
  ),
  'short/hidden': everywhere(
    'A thread that the caller may not see is no candidate for a short id.',
  ),
  'short/other-kind': everywhere(
    'An id of another kind is refused with what it is, and a message with the thread it is in.',
  ),
  'short/key': everywhere('A retry may give the short id where the first call gave the whole one.'),
} as const satisfies Record<string, Entry>
