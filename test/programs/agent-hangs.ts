// An agent that takes its mail, then neither works nor ends, whatever it is asked.

import { givenMail, noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
process.on('SIGTERM', () => console.error('no'))
noteTurn(folder, { mail: await givenMail() })
setInterval(() => {}, 60_000)
