// An agent that waits for the test's go-ahead, then replies to the first message it was given, by id.

import { spawnSync } from 'node:child_process'
import { givenMail, noteTurn, whileHeld } from './agent-notes.ts'

const [folder = '', program = ''] = process.argv.slice(2)
const mail = await givenMail()
noteTurn(folder, { mail })
await whileHeld(folder)
const answer = ['mail', 'send', '--in-reply-to', mail[0] ?? '', '--body', 'This']
process.exit(spawnSync(program, answer).status ?? 1)
