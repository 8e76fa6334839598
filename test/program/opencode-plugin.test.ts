// The plugin for opencode, run as opencode runs it: imported, and told what happens in a session.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ask, folders, run } from './process.ts'

const folder = folders()

type Turn = { path: { id: string }; body: { parts: { type: string; text: string }[] } }
type Plugin = {
  'chat.message': (about: { sessionID: string }, output: Turn['body']) => Promise<void>
  event: (told: { event: { type: string; properties: { sessionID: string } } }) => Promise<void>
}

test('mail that is never shown does not keep a session going forever', async () => {
  const here = folder()
  await ask(['agent', 'register', 'opencode'], { folder: here })
  const store = ['--db', join(here, '.agents/coord.db')]
  expect((await run(['install', 'opencode', ...store], { folder: here })).code).toBe(0)
  const mail = ['--to', 'opencode', '--type', 'question', '--subject', 'Which?', '--body', 'b']
  await ask(['mail', 'send', '--from', 'user', ...mail], { folder: here })

  const { Mailroom } = await import(join(here, '.opencode/plugins/mailroom.js'))
  const begun: Turn[] = []
  const prompt = async (turn: Turn) => void begun.push(turn)
  const plugin: Plugin = await Mailroom({ client: { session: { prompt } } })
  const idle = { type: 'session.idle', properties: { sessionID: 's' } }
  // The plugin begins turns, and none of them shows the mail.
  for (let i = 0; i < 8; i += 1) await plugin.event({ event: idle })
  expect(begun).toHaveLength(5)
  expect(begun[0]).toMatchObject({ path: { id: 's' } })

  // A person's prompt shows the mail. After that, the mail no longer starts a turn.
  const output = { parts: [{ type: 'text', text: 'Go' }] }
  // The first message still belongs to a turn that the plugin began.
  await plugin['chat.message']({ sessionID: 's' }, { parts: [] })
  await plugin['chat.message']({ sessionID: 's' }, output)
  expect(output.parts[0]?.text).toContain('"subject":"Which?"')
  await plugin.event({ event: idle })
  expect(begun).toHaveLength(5)
  await ask(['mail', 'send', '--from', 'user', ...mail], { folder: here })
  await plugin.event({ event: idle })
  expect(begun).toHaveLength(6)
})
