// Commands that the page shows, to be run in a shell on the server's machine. Each names the store, because it can be
// run in any folder. Names in capitals are placeholders.

type ServedHere = { program: string; db: string }

/** Until the server has responded, the command leaves out the store. */
export function inShell(served: ServedHere | undefined, words: string): string {
  return served === undefined ? `inbox ${words}` : `${served.program} ${words} --db ${served.db}`
}

/** The command that signs this person in again. */
export function signInCommand(me: (ServedHere & { principal: { name: string } }) | undefined) {
  const name = me?.principal.name ?? 'user'
  return inShell(me, name === 'user' ? 'sign-in' : `sign-in ${name}`)
}

/** Shell commands for actions that a browser isn't allowed to take. */
export const SHELL_COMMANDS: Record<string, string> = {
  'Give a program access': 'token issue NAME',
  'See who has access': 'token list',
  'Let agents share files from a folder': 'workspace add FOLDER',
  'Add a person': 'person add NAME',
  'Start an agent when mail arrives': `agent register NAME --wake-command '["PROGRAM"]'`,
  'Review and allow the commands this store runs': 'wake allow',
  'Choose what an agent needs approval for': 'agent policy NAME --require TYPE',
}
