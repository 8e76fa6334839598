// The full product of sentences and worlds. Each sentence is proved in every world it names. Sentences about operations
// with tools are also proved over MCP, by an agent that has only its tools, and over HTTP, except for those listed
// here. A call that such a door can't express goes through the library, so what holds everywhere must hold there too. A
// proof fails if none of its calls went through its door.

/** The operations that have tools, by the first part of a behavior's id. */
const GROUPS = [
  'send',
  'fetch',
  'claim',
  'update',
  'reply',
  'done',
  'fail',
  'cancel',
  'list',
  'show',
  'watch',
  'wait-reply',
  'lease',
  'key',
  'stop',
  'role-work',
  'overdue',
  'mail-send',
  'mail-read',
  'mark-read',
  'receipts',
  'history',
  'address',
  'agent',
]

const SPOKEN_FOR = 'no one can speak for another where names are checked'
const NOBODY = 'its caller has no name, and a server needs one'
const BY_PEOPLE = 'it sets what only people can set for an agent'
const ORCHESTRATOR = 'the sender is the orchestrator, which a name alone does not prove'
const SELF = 'a person registers it there, so the agent itself was not seen'

/** Sentences that can't be proved over MCP, and why. */
const NOT_BY_TOOLS: Record<string, string> = {
  'agent/work-is-life': SPOKEN_FOR,
  'mail-send/fields': ORCHESTRATOR,
  'list/empty': NOBODY,
  'agent/waiting': BY_PEOPLE,
  'agent/register': BY_PEOPLE,
  'agent/one-at-once': BY_PEOPLE,
  'agent/names': BY_PEOPLE,
  'agent/wake-settings': BY_PEOPLE,
  'agent/wake-taken-back': BY_PEOPLE,
  'agent/one-orchestrator': BY_PEOPLE,
  'agent/instance': BY_PEOPLE,
  'agent/parents': BY_PEOPLE,
  'overdue/wakes-nobody': BY_PEOPLE,
}

/** Sentences that can't be proved over HTTP, and why. */
const NOT_OVER_HTTP: Record<string, string> = {
  'agent/work-is-life': SPOKEN_FOR,
  'list/empty': NOBODY,
  'agent/evidence': SELF,
  'agent/takes': SELF,
  'mail-read/waiting': SELF,
  'mail-send/wait-timeout': ORCHESTRATOR,
  'mail-send/key': ORCHESTRATOR,
  'mail-send/types': ORCHESTRATOR,
  'mail-send/numbers': ORCHESTRATOR,
  'mail-send/metadata': ORCHESTRATOR,
  'mail-send/bad-metadata': ORCHESTRATOR,
}

export const TOOLS_WORLD = 'sqlite/mcp'
export const HTTP_WORLD = 'postgres/http'

/** Whether a sentence can be expressed in this world. The lists above name those that can't. */
export function canBeSaidIn(world: string, id: string): boolean {
  if (world === TOOLS_WORLD) return !Object.hasOwn(NOT_BY_TOOLS, id)
  return world !== HTTP_WORLD || !Object.hasOwn(NOT_OVER_HTTP, id)
}

/** The worlds a sentence names, plus those of its group over MCP and HTTP. */
export function productOf<Name extends string>(
  id: string,
  { worlds, why }: { worlds: readonly Name[]; why?: string },
): (Name | typeof TOOLS_WORLD | typeof HTTP_WORLD)[] {
  if (why !== undefined || !GROUPS.includes(id.split('/')[0] as string)) return [...worlds]
  return [...worlds, ...([TOOLS_WORLD, HTTP_WORLD] as const).filter((one) => canBeSaidIn(one, id))]
}
