// The words in which a workflow file is told what is wrong with it.

import { nearest } from '../core/nearest.ts'

/** A fault of the YAML itself, in our words where the parser's are for programmers. `line` is the line it was found in. */
export function faultOf(
  { code, message }: { code: string; message: string },
  line: string,
): { what: string; remedy: string } {
  // The parser repeats the line in its message; the place says that already.
  const [said = ''] = message.split('\n')
  const what = WHAT[code] ?? `this is not YAML: ${said.replace(/[:.]+$/, '')}`
  const isFilled = line.includes('${{') && code !== 'DUPLICATE_KEY'
  const known = isFilled ? 'put quotes around the text with ${{ }} in it' : REMEDIES[code]
  return { what, remedy: known ?? 'mend the line, or put quotes around its text' }
}

const WHAT: Record<string, string> = {
  MULTIPLE_DOCS: 'the file holds several documents',
  TAB_AS_INDENT: 'a tab stands where YAML wants spaces',
  DUPLICATE_KEY: 'this key is there twice',
}

const REMEDIES: Record<string, string> = {
  DUPLICATE_KEY: 'keep one of the two',
  TAB_AS_INDENT: 'indent with spaces',
  BAD_INDENT: 'indent this line like the lines beside it',
  MULTIPLE_DOCS: 'keep one workflow in a file',
  TAG_RESOLVE_FAILED: 'leave the tag out',
  BLOCK_AS_IMPLICIT_KEY:
    'indent the next line like this one, or put quotes around a text that has a colon in it',
  BAD_DQ_ESCAPE: 'write two backslashes for one',
  MISSING_CHAR: 'close what was opened before',
}

export function nameOf(path: string): string {
  return path === '' ? 'the file' : path
}

export function placeIn(path: string): string {
  return path === '' ? 'of a workflow file' : `of ${path}`
}

/** The words that this format does not have, though others do, and what to do instead. */
const INSTEAD: Record<string, string> = {
  completion: 'leave it out: run ends when all agents are idle, start goes on until stop',
  '<<': 'write the keys out, or use an alias for a whole value',
  prompt: 'write system_prompt',
  documents: 'put it under context, config',
}

export function instead(name: string, known: readonly string[]): string {
  const meant = nearest(name.toLowerCase(), known)
  if (meant !== undefined) return `write ${meant}`
  return INSTEAD[name] ?? `the keys are ${known.join(', ')}`
}

export function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
