// An agent that reads its mail and fails with a message on stderr.

import { givenMail, noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
noteTurn(folder, { mail: await givenMail() })
console.error(`${'x'.repeat(10_000)}\nthe model is \0 away`)
process.exit(3)
