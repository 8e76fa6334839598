// The demo's agents and its user. Everything they do goes through operations, as it would at any door.

import { join } from 'node:path'
import { callDirectly, type DoorHouse } from '../../ops/call.ts'
import {
  type CallInput,
  loadOperation,
  type OperationAnswer,
  type OperationName,
} from '../../ops/catalogue.ts'

export type Stage = {
  house: DoorHouse
  folder: string
  signal: AbortSignal
  actors: Actors
}

export const INSTANCE = 'supplier-audit'

/** The agents, each with the program it appears to run in. */
export const CAST = {
  harbor: { backend: 'claude', session: '6f1c2a90-demo', workspace: 'billing' },
  ledger: { backend: 'codex', session: 'b71e04d3-demo', workspace: 'billing' },
  mica: { backend: 'claude', session: '0c9d7e52-demo', workspace: 'search' },
  quill: { backend: 'gemini', session: 'e4a83b16-demo', workspace: 'docs-site' },
  sable: { backend: 'cursor', session: '95d2f7c8-demo', workspace: 'checkout-web' },
  wren: { backend: 'opencode', session: '37b0c6e1-demo', workspace: 'docs-site' },
  'atlas@supplier-audit': { backend: 'claude' },
  'fern@supplier-audit': { backend: 'claude' },
  'orbit@supplier-audit': { backend: 'claude' },
} as const

export type AgentName = keyof typeof CAST
export type Actors = Record<AgentName | 'user', Actor>

type ActorInput<Name extends OperationName> = Omit<CallInput<Name>, 'agent' | 'from'>

export type Actor = <Name extends OperationName>(
  name: Name,
  ...input: Record<never, never> extends ActorInput<Name> ? [ActorInput<Name>?] : [ActorInput<Name>]
) => Promise<OperationAnswer<Name>>

export function makeActors(stage: Omit<Stage, 'actors'>): Actors {
  const agents = Object.entries(CAST).map(([name, { backend, ...more }]) => {
    const { session, workspace } = more as { session?: string; workspace?: string }
    const folder = workspace && { folder: join(stage.folder, workspace) }
    return [name, makeActor(stage, name, { backend, ...(session && { session }), ...folder })]
  })
  return Object.fromEntries([...agents, ['user', makeActor(stage, 'user')]])
}

/** `origin` is what the hooks of the agent's program would report. */
function makeActor(
  { house, signal }: Omit<Stage, 'actors'>,
  agent: string,
  origin?: NonNullable<DoorHouse['origin']>,
): Actor {
  const own = origin === undefined ? house : { ...house, origin }
  return async (name, ...[raw = {}]) => {
    const op = await loadOperation(name)
    const door = origin === undefined ? 'library' : 'mcp'
    return (await callDirectly(own, { op, raw, door, signal, agent })) as never
  }
}

export class DemoOver extends Error {}

export async function pause({ signal }: Pick<Stage, 'signal'>, seconds: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const over = () => {
      clearTimeout(timer)
      reject(new DemoOver())
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', over)
      resolve()
    }, seconds * 1000)
    if (signal.aborted) over()
    signal.addEventListener('abort', over, { once: true })
  })
}
