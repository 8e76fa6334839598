// An agent that exits successfully without reading its mail.

import { noteTurn } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
noteTurn(folder, { mail: [] })
