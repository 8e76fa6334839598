// An agent that answers the first message it was given, by id, once the test lets it.

import { spawnSync } from 'node:child_process'
import { givenMail, noteTurn, whileHeld } from './agent-notes.ts'

const [folder = '', program = ''] = process.argv.slice(2)
const mail = await givenMail()
noteTurn(folder, { mail })
await whileHeld(folder)
const answer = ['mail', 'send', '--in-reply-to', mail[0] ?? '', '--body', 'This']
process.exit(spawnSync(program, answer).status ?? 1)
