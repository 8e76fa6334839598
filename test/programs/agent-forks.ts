// An agent that leaves behind a process holding the agent's streams open.

import { spawn } from 'node:child_process'
import { givenMail, noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
const mail = await givenMail()
const child = spawn('sleep', ['600'], { stdio: 'inherit' })
noteTurn(folder, { mail, child: child.pid ?? 0 })
process.exit(0)
