// If a hook's output can't be written, its mail wasn't shown and the turn isn't held.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Around, ask, folders, INBOX, run } from './process.ts'

const folder = folders()

const LOST = {
  'a full disk': '"$0" "$@" > /dev/full',
  'a closed output': '"$0" "$@" >&-',
  // The reader is gone before the hook begins.
  'a reader that left': '{ while [ ! -e gone ]; do :; done; "$0" "$@"; } | { exec <&-; : > gone; }',
}

async function withMail(): Promise<Around> {
  const here = { folder: folder() }
  await ask(['agent', 'register', 'r'], here)
  await ask(['mail', 'send', '--from=user', '--to=r', '--body=Which?'], here)
  return here
}

async function states(here: Around): Promise<string[]> {
  const words = ['mail', 'peek', '--agent=r', '--all']
  const { messages } = (await ask(words, here)) as unknown as { messages: { state: string }[] }
  return messages.map(({ state }) => state)
}

const stop = (client: string) => ['hook', `--client=${client}`, '--event=stop', '--agent=r']

describe.each(Object.entries(LOST))('%s', (_, script) => {
  for (const client of ['claude', 'codex', 'cursor', 'gemini']) {
    test(`mail that ${client} did not receive is shown at the next stop`, async () => {
      const here = await withMail()
      await run(stop(client), { ...here, program: ['/bin/sh', '-c', script, INBOX] })
      expect(await states(here)).toEqual(['queued'])
      expect((await run(stop(client), here)).out).toContain('Which?')
      expect(await states(here)).toEqual(['presented'])
      expect((await run(stop(client), here)).out).toBe('{}\n')
    })
  }
})

test('in a store that refuses writes a hook does not hold the turn, because it could not record that', async () => {
  const here = await withMail()
  const db = new DatabaseSync(join(here.folder, '.agents/coord.db'))
  for (const table of ['sightings', 'deliveries', 'events']) {
    for (const verb of ['insert', 'update']) {
      db.exec(
        `create trigger no_${verb}_${table} before ${verb} on ${table} begin select raise(abort, 'full'); end`,
      )
    }
  }
  db.close()
  const { code, out } = await run(stop('claude'), here)
  expect([code, out]).toEqual([50, ''])
})
