// A store with brokers and agents that are real programs.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, connect } from '../../src/index.ts'
import type { WakeView } from '../../src/ops/waking/wake-log.ts'
import { type RunningInbox, startInbox } from '../faults/inbox.ts'
import { notedTurns, type Turn } from '../programs/agent-notes.ts'
import type { TestStore } from './store.ts'
import { until } from './world.ts'

export type AgentProgram = 'works' | 'crashes' | 'hangs' | 'floods' | 'forks' | 'deaf'

export type Wakes = {
  store: TestStore
  /** A person who uses the store. */
  user: Client
  /** Starts `inbox wake run`. */
  broker(env?: Record<string, string>, args?: string[]): RunningInbox
  /** Registers an agent that runs this program, with further wake settings in `more`. */
  agent(
    name: string,
    program: AgentProgram | string[],
    more?: Record<string, unknown>,
  ): Promise<string>
  send(to: string, more?: Record<string, unknown>): Promise<string>
  turns(agent?: string): Turn[]
  wakes(agent?: string): Promise<WakeView[]>
  /** Waits until this many turns have begun and nothing is running. */
  settled(turns: number, agent?: string): Promise<WakeView[]>
  /** Makes agents' turns last until the returned function is called. */
  hold(): () => void
  /** Moves a store's fixed clock forward and makes brokers check the store. */
  advance(seconds: number): Promise<void>
}

const PROGRAMS = join(import.meta.dirname, '../programs')

export function commandOf(program: string, ...words: string[]): string[] {
  return [process.execPath, join(PROGRAMS, `agent-${program}.ts`), ...words]
}

export async function withWakes(
  store: TestStore,
  use: (wakes: Wakes) => Promise<void>,
): Promise<void> {
  store.spoil?.()
  const brokers: RunningInbox[] = []
  const held = join(store.folder, 'hold')
  const user = await connect(store.address, { agent: 'user' })
  const turns = (agent?: string): Turn[] =>
    notedTurns(store.folder).filter((turn) => agent === undefined || turn.agent === agent)
  const wakes = async (agent?: string) =>
    (await user.wakeLog({ limit: 1000 })).wakes.filter(
      ({ agent_id }) => agent === undefined || agent_id === agent,
    )
  const isQuiet = async () => (await wakes()).every(({ ended_at }) => ended_at !== null)
  const world: Wakes = {
    store,
    user,
    turns,
    wakes,
    broker(env = {}, args = []) {
      const started = startInbox(['wake', 'run', `--db=${store.address}`, '--json', ...args], {
        folder: store.folder,
        env,
      })
      brokers.push(started)
      return started
    },
    async agent(name, program, more = {}) {
      const command = typeof program === 'string' ? commandOf(program, store.folder) : program
      await user.agentRegister({ agent: name, wake_command: JSON.stringify(command), ...more })
      return name
    },
    async send(to, more = {}) {
      const words = { type: 'question', body: 'what now?', ...more } as const
      const { message } = await user.mailSend({ to, ...words })
      return message?.id ?? ''
    },
    async settled(count, agent) {
      await until(
        async () => turns(agent).length >= count && (await isQuiet()),
        `${count} turns, and quiet`,
      )
      return wakes(agent)
    },
    hold() {
      writeFileSync(held, '')
      return () => rmSync(held, { force: true })
    },
    async advance(seconds) {
      await store.clock.advance(seconds)
      // No one reads this message; it only rings the bell.
      await user.send({ to: 'nobody', subject: 'time has passed' })
    },
  }
  try {
    await use(world)
  } finally {
    rmSync(held, { force: true })
    for (const { child } of brokers) child.kill('SIGTERM')
    await Promise.all(brokers.map(({ ended }) => ended))
    for (const { pid, child = 0 } of turns()) for (const one of [pid, child]) endGroup(one)
    await until(isQuiet, 'nothing runs').catch(() => {})
    await user.close()
  }
}

/** Ends a process group that a failed test may have left running, if it still exists. */
function endGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}
