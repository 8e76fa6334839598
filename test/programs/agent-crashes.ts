// An agent that takes its mail and fails, saying why.

import { givenMail, noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
noteTurn(folder, { mail: await givenMail() })
console.error(`${'x'.repeat(10_000)}\nthe model is \0 away`)
process.exit(3)
