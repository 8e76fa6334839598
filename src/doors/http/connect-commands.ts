// The commands that connect an agent, to type in a shell on the server's machine. The reader fills in NAME and WORKSPACE.

import { shellWord } from '../../core/shell-word.ts'
import type { ServedStore, Site } from './site.ts'

export type ConnectCommands = {
  /** Mail, work and comments, without files. */
  agent: string[]
  /** The same, from a folder whose files it may push. */
  workspace: string[]
  /** Both at once, typed in the folder of the agent's project. Needs no values except a token, where one is required. */
  here: string[]
}

export function makeConnectCommands(
  { url, auth, stores, program }: Site,
  { id, place }: ServedStore,
): ConnectCommands {
  const db = shellWord(place)
  const isLocal = auth === 'local'
  // With several stores, an agent's name alone does not say which one; a workspace or a token does.
  const alone = isLocal && stores.length > 1 ? `?store=${id}` : ''
  const install = (address: string) =>
    isLocal
      ? `${program} install claude --as NAME --url ${shellWord(address)}`
      : `${program} install claude --url ${address} --token-variable INBOX_TOKEN`
  const add = `${program} workspace add . --db ${db}`
  const agent = [
    ...(isLocal ? [] : [`${program} token issue NAME --db ${db}`]),
    install(`${url}/mcp${alone}`),
  ]
  return {
    agent,
    // A program that starts inbox itself pushes from the folder it is in.
    here: isLocal ? [add, `${program} install claude --db ${db}`] : [add, ...agent],
    workspace: [
      add,
      isLocal
        ? install(`${url}/mcp/WORKSPACE`)
        : `${program} token issue NAME --workspace WORKSPACE --db ${db}`,
    ],
  }
}
