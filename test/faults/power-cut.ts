// The power goes off while processes write to a store, and only flushed data is left. Is every acknowledged write still
// there?

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { nextLines, startProgram, startTogether } from '../programs/start.ts'
import type { Sent } from '../programs/writer.ts'
import { findingsOf } from '../races/witness.ts'
import { powerCut } from '../tools/powercut.ts'

export type Cut = { acknowledged: number; lost: number; findings: string[] }

export async function cutPower(options: {
  /** The number of writes acknowledged to each writer before the cut. */
  each: number
  writers?: number
  source?: string
}): Promise<Cut> {
  const home = mkdtempSync(join(tmpdir(), 'mailroom-power-'))
  try {
    const dir = join(home, 'disk')
    const shadow = join(home, 'after')
    mkdirSync(dir)
    const told = await powerCut({ dir, shadow, run: (_, start) => work(dir, start, options) })
    const sent = (await Promise.all(told)).flat()
    const { threads, findings } = await readShadow(join(shadow, 'store.db'))
    const lost = sent.filter(({ thread }) => !threads.has(thread)).length
    return { acknowledged: sent.length, lost, findings }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

type Start = Parameters<Parameters<typeof powerCut>[0]['run']>[1]

/** Returns every line of each writer, including those it wrote after the cut. */
async function work(
  dir: string,
  start: Start,
  { each, writers = 2, source }: Parameters<typeof cutPower>[0],
): Promise<Promise<Sent[]>[]> {
  const programs = await startTogether(writers, (i) =>
    startProgram<Sent>('writer', [join(dir, 'store.db'), `writer${i}`], {
      source,
      spawnBun: (command, args, env) => start(command, args, { env, stdio: 'pipe' }),
    }),
  )
  const first = await Promise.all(programs.map((program) => nextLines(program, each)))
  return programs.map(async (program, i) => [...(first[i] ?? []), ...(await program.rest())])
}

async function readShadow(path: string): Promise<{ threads: Set<string>; findings: string[] }> {
  // Opens the store through our own door first, as after a real cut.
  const findings = await findingsOf(path)
  const db = new DatabaseSync(path)
  try {
    const rows = db.prepare('select thread_id from threads').all() as { thread_id: string }[]
    return { threads: new Set(rows.map(({ thread_id }) => thread_id)), findings }
  } finally {
    db.close()
  }
}
