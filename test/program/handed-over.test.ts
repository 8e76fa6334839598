// An answer that no reader received wasn't handed over, so the state of its mail doesn't change.

import { expect, test } from 'bun:test'
import { ask, folders, INBOX, run } from './process.ts'

const folder = folders()

/** Waits until the pipe's reader is gone before starting the program. */
async function unheard(here: string, words: string) {
  const script = `set -o pipefail; mkfifo gone; (read -r _ < gone; exec "$0" ${words}) | (exec 0<&-; echo > gone); echo "\${PIPESTATUS[0]}"; rm gone`
  return run([], { folder: here, program: ['/bin/bash', '-c', script, INBOX] })
}

async function stateOf(here: string): Promise<string | undefined> {
  const { messages } = (await ask(['mail', 'peek', '--agent', 'b', '--all'], { folder: here })) as {
    messages?: { state: string }[]
  }
  return messages?.[0]?.state
}

for (const form of ['', ' --json']) {
  test(`mail read${form} into a closed pipe leaves mail queued`, async () => {
    const here = folder()
    await ask(['agent', 'register', 'b'], { folder: here })
    await ask(['mail', 'send', '--from', 'a', '--to', 'b', '--body', 'Hello'], { folder: here })
    const ran = await unheard(here, `mail read --agent b${form}`)
    expect(ran).toEqual({ code: 0, out: '0\n', err: '' })
    expect(await stateOf(here)).toBe('queued')
    await run(['mail', 'read', '--agent', 'b'], { folder: here })
    expect(await stateOf(here)).toBe('presented')
  })

  test(`mail read${form} with a closed stdout leaves mail queued, but into /dev/null presents it`, async () => {
    const here = folder()
    await ask(['agent', 'register', 'b'], { folder: here })
    await ask(['mail', 'send', '--from', 'a', '--to', 'b', '--body', 'Hello'], { folder: here })
    const into = (where: string) =>
      run([], {
        folder: here,
        program: ['/bin/bash', '-c', `"$0" mail read --agent b${form} ${where}`, INBOX],
      })
    expect((await into('>&-')).code).toBe(0)
    expect(await stateOf(here)).toBe('queued')
    expect((await into('>/dev/null')).code).toBe(0)
    expect(await stateOf(here)).toBe('presented')
  })

  test(`wait-reply${form} into a closed pipe leaves the reply unread`, async () => {
    const here = folder()
    const words = ['--from', 'b', '--to', 'w', '--summary', 'Work']
    const { thread_id: id } = (await ask(['send', ...words], { folder: here })).thread
    const { lease_token: token } = (
      await ask(['claim', '--thread', id, '--agent', 'w'], { folder: here })
    ).lease
    await ask(
      ['done', '--thread', id, '--agent', 'w', '--lease-token', token, '--summary', 'Done'],
      {
        folder: here,
      },
    )
    const ran = await unheard(here, `wait-reply --thread ${id} --agent b${form}`)
    expect(ran).toEqual({ code: 0, out: '0\n', err: '' })
    expect(await stateOf(here)).toBe('queued')
    await run(['wait-reply', '--thread', id, '--agent', 'b'], { folder: here })
    expect(await stateOf(here)).toBe('read')
  })
}
