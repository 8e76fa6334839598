// Commands that the pages show, for a shell of the server's machine. Whoever copies one is in whatever folder, so each
// names the store. Words in capitals are for the reader to fill in.

type ServedHere = { program: string; db: string }

/** Until the server has said where the store is, a command has to do without. */
export function inShell(served: ServedHere | undefined, words: string): string {
  return served === undefined ? `inbox ${words}` : `${served.program} ${words} --db ${served.db}`
}

/** The command by which this person signs in again. */
export function signInCommand(me: (ServedHere & { principal: { name: string } }) | undefined) {
  const name = me?.principal.name ?? 'user'
  return inShell(me, name === 'user' ? 'sign-in' : `sign-in ${name}`)
}

/** For what a browser may not do. */
export const SHELL_COMMANDS: Record<string, string> = {
  'Let a program in': 'token issue NAME',
  'See who may come in': 'token list',
  'Let agents show files of a folder': 'workspace add FOLDER',
  'Add a person': 'person add NAME',
  'Let an agent be started when mail comes': `agent register NAME --wake-command '["PROGRAM"]'`,
  'See the commands that the store starts, and allow them': 'wake allow',
  'Say what an agent must ask for': 'agent policy NAME --require TYPE',
}
