// An agent that takes its mail, notes it, and ends when the test lets it.

import { givenMail, noteTurn, whileHeld } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
noteTurn(folder, { mail: await givenMail() })
await whileHeld(folder)
