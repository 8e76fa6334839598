// A process is killed while it creates a store or imports into one.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { connect } from '../../src/index.ts'
import { ENGINES, withStore } from '../races/own-store.ts'
import { findingsOf } from '../races/witness.ts'
import { extentAsked } from '../worlds/extent.ts'
import { PROGRAM } from '../worlds/program.ts'
import { until } from '../worlds/world.ts'
import { runInbox, startInbox } from './inbox.ts'

const MAKINGS = extentAsked() === 'full' ? 25 : 10

test.each([...ENGINES])(
  '%s: a store whose creation was cut short is completed by the next command',
  async (engine) => {
    let killed = 0
    for (let i = 0; i < MAKINGS || killed <= MAKINGS / 5; i++) {
      await withStore(engine, async (store) => {
        const maker = startInbox(['init', `--db=${store.address}`])
        // A complete init takes about 10 ms with a file, 60 with a server.
        const timer = setTimeout(
          () => maker.child.kill('SIGKILL'),
          Math.random() * (engine === 'sqlite' ? 14 : 70),
        )
        killed += (await maker.ended).signal === 'SIGKILL' ? 1 : 0
        clearTimeout(timer)
        const sent = await runInbox([
          'send',
          '--from=lead',
          '--to=worker',
          '--subject=first',
          `--db=${store.address}`,
        ])
        expect(sent.exit).toBe(0)
        expect(await findingsOf(store.address)).toEqual([])
      })
    }
  },
)

test.each([...ENGINES])(
  '%s: doctor reports a killed import, and the store refuses another',
  async (engine) => {
    await withStore(engine, async (store) => {
      const db = `--db=${store.address}`
      const lines = await exported(store.folder, 700)
      const child = spawn(PROGRAM, ['import', db], {
        cwd: store.folder,
        stdio: ['pipe', 'ignore', 'inherit'],
      })
      // Writes one batch and part of the next, so that the import then waits for more.
      child.stdin.write(lines.slice(0, 650).join('\n'))
      const loaded = () => store.sql('select count(*) as n from events').catch(() => [])
      await until(async () => Number((await loaded())[0]?.n ?? 0) > 0, 'a first batch')
      child.kill('SIGKILL')
      await new Promise((resolve) => child.on('close', resolve))
      const doctor = await runInbox(['doctor', db])
      expect(doctor.exit).toBe(50)
      expect(doctor.stdout).toContain('an import did not finish')
      expect(doctor.stdout).toContain('remove this store and import again')
      const again = await runInbox(['import', db], {
        folder: store.folder,
        stdin: lines.join('\n'),
      })
      expect(again.exit).toBe(30)
      expect(again.stderr).toContain('already has a log')
    })
  },
)

/** The log of a store with this many events. */
async function exported(folder: string, events: number): Promise<string[]> {
  const path = join(folder, 'source.db')
  const lead = await connect(path, { agent: 'lead' })
  await Promise.all(
    Array.from({ length: events }, () => lead.send({ to: 'worker', subject: 'one of many' })),
  )
  await lead.close()
  const { stdout } = await runInbox(['export', `--db=${path}`])
  return stdout.trimEnd().split('\n')
}
