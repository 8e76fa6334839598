// Many processes of one agent claim the next thread until none are left.

import { connect } from '../../src/index.ts'
import type { Claimed } from '../programs/claimer.ts'
import { startProgram, startTogether } from '../programs/start.ts'
import type { TestStore } from '../worlds/store.ts'

export type Shares = {
  sent: string[]
  shares: Claimed[][]
  /** The errors of claimers that failed. */
  failures: string[]
}

export async function claimAll(
  store: TestStore,
  { claimers, threads, source }: { claimers: number; threads: number; source?: string },
): Promise<Shares> {
  const lead = await connect(store.address, { agent: 'lead' })
  const sent = await Promise.all(
    Array.from({ length: threads }, () => lead.send({ to: 'worker', subject: 'work' })),
  )
  await lead.close()
  const programs = await startTogether(claimers, () =>
    startProgram<Claimed>('claimer', [store.address, 'worker'], { source }),
  )
  const shares = await Promise.all(programs.map((program) => program.rest()))
  const failures = programs.map((program) => program.stderr()).filter((said) => said !== '')
  return { sent: sent.map(({ thread }) => thread.thread_id), shares, failures }
}

/** The problems: threads claimed twice, threads not claimed at all, and claimers that failed. */
export function unfairness({ sent, shares, failures }: Shares): string[] {
  const claimed = shares.flat().map(({ thread }) => thread)
  const shared = claimed.filter((thread, i) => claimed.indexOf(thread) !== i)
  const left = sent.filter((thread) => !claimed.includes(thread))
  return [
    ...shared.map((thread) => `${thread} was claimed twice`),
    ...left.map((thread) => `${thread} was claimed by nobody`),
    ...failures,
  ]
}
