// An agent that reads its mail, then neither works nor exits.

import { isAlive } from '../faults/processes.ts'
import { givenMail, notedTurns, noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
process.on('SIGTERM', () => console.error('no'))
const others = notedTurns(folder).filter(({ agent }) => agent === process.env.INBOX_AGENT)
const overlaps = others.some(({ pid }) => isAlive(pid))
noteTurn(folder, { mail: await givenMail(), overlaps })
setInterval(() => {}, 60_000)
