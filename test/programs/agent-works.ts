// An agent that reads its mail, records it, and ends when the test lets it.

import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { givenMail, noteTurn, whileHeld } from './agent-notes.ts'

const [folder = ''] = process.argv.slice(2)
const running = join(folder, `${process.env.INBOX_AGENT}.running`)
const overlaps = !isAlone()
noteTurn(folder, { mail: await givenMail(), overlaps })
await whileHeld(folder)
rmSync(running, { force: true })

/** Whether no other turn of this agent is running, as far as files can tell. */
function isAlone(): boolean {
  try {
    closeSync(openSync(running, 'wx'))
    return true
  } catch {
    return false
  }
}
