/** Says for what a command waits and for whom, and how to end it. */
export function waitingWords(what: string, agent?: string): string {
  const who = agent === undefined ? '' : ` for ${agent}`
  return `waiting${who}: ${what}; Ctrl-C stops`
}
