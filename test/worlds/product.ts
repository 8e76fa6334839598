// The full product of sentences and worlds: each in every world it names, and those about operations that have
// tools once more by an agent that has only its tools, and once more over HTTP. A call that such a door cannot say
// goes through the library there, so that whatever holds everywhere holds there too; but for the sentences named
// here. A proof none of whose calls went through its door fails.

/** The operations that have tools, by the first part of a behaviour's id. */
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

const SPOKEN_FOR = 'nobody is spoken for by another where names are known'
const NOBODY = 'it asks as nobody, whom a server does not know'
const BY_PEOPLE = 'it is all about what only people say of an agent'
const ORCHESTRATOR = 'who sends is the orchestrator, whom a name alone does not prove'
const SELF = 'a person registers it there, which is no sign of the agent’s own life'

/** Why each is not. */
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

/** Why each is not. */
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

/** Whether a sentence can be expressed there: it is not in the list above. */
export function canBeSaidIn(world: string, id: string): boolean {
  if (world === TOOLS_WORLD) return !Object.hasOwn(NOT_BY_TOOLS, id)
  return world !== HTTP_WORLD || !Object.hasOwn(NOT_OVER_HTTP, id)
}

/** The worlds a sentence names, and beside them those of its group by tools and over HTTP. */
export function productOf<Name extends string>(
  id: string,
  { worlds, why }: { worlds: readonly Name[]; why?: string },
): (Name | typeof TOOLS_WORLD | typeof HTTP_WORLD)[] {
  if (why !== undefined || !GROUPS.includes(id.split('/')[0] as string)) return [...worlds]
  return [...worlds, ...([TOOLS_WORLD, HTTP_WORLD] as const).filter((one) => canBeSaidIn(one, id))]
}
