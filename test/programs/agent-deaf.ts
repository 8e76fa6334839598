// An agent that ends well without ever having looked at its mail.

import { noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
noteTurn(folder, { mail: [] })
