// Which behaviours are proved a fifth time, by an agent that has only its tools. What no tool can say goes
// through the library there, so that whatever holds everywhere holds there too; but for these.

/** The operations that have tools, by the first part of a behaviour's id. */
const GROUPS = [
  ...['send', 'fetch', 'claim', 'update', 'reply', 'done', 'fail', 'cancel', 'list', 'show'],
  ...['watch', 'wait-reply', 'lease', 'key', 'stop', 'role-work', 'overdue'],
  ...['mail-send', 'mail-read', 'mark-read', 'receipts', 'history', 'address', 'agent'],
]

const TOOL_WORDS = 'its refusals name tools and arguments, not commands and flags'

/** Why each is not. */
const NOT_BY_TOOLS: Record<string, string> = {
  'agent/work-is-life': 'nobody is spoken for by another where names are known',
  'show/mail-of-others': 'what is not one’s own does not exist where names are known',
  'mail-send/bad-input': TOOL_WORDS,
  'mail-send/answer-work': TOOL_WORDS,
  'mail-send/directions': TOOL_WORDS,
}

export const TOOLS_WORLD = 'sqlite/mcp'

/** Where a behaviour is proved: in the worlds it names, and beside them by tools. */
export function worldsOf<Name extends string>(
  id: string,
  { worlds, why }: { worlds: readonly Name[]; why?: string },
): (Name | typeof TOOLS_WORLD)[] {
  const hasTools = GROUPS.includes(id.split('/')[0] as string) && !Object.hasOwn(NOT_BY_TOOLS, id)
  return why === undefined && hasTools ? [...worlds, TOOLS_WORLD] : [...worlds]
}
