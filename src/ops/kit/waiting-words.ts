/** The end of the words, which stays where a terminal has no room for all of them. */
export const HOW_TO_STOP = '; Ctrl-C stops'

/** Says for what a command waits and for whom, and how to end it. */
export function waitingWords(what: string, agent?: string): string {
  const who = agent === undefined ? '' : ` for ${agent}`
  return `waiting${who}: ${what}${HOW_TO_STOP}`
}
