// The server in a person's terminal: what it prints at the start and while it runs, and what a second one prints.

import { expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, folders, onScreen, run } from './process.ts'

const folder = folders()

/** A server running in a terminal, with its sockets in its own folder. */
async function serving(args: string[] = [], env: Record<string, string> = {}) {
  const here = folder()
  const around = { folder: here, env: { XDG_RUNTIME_DIR: here, ...env } }
  const screen = onScreen(['serve', '--port', '0', ...args], { ...around, columns: 200 })
  await screen.until(/Ctrl-C to stop/)
  const [, url = ''] = /Mailroom is at (\S+)/.exec(screen.text()) ?? []
  const stop = async () => {
    screen.type('\u0003')
    expect(await screen.exited).toBe(0)
  }
  return { around, screen, url, stop }
}

test('it prints five short lines that end with the next step', async () => {
  const { screen, url, stop } = await serving()
  const lines = screen.text().replaceAll('\r', '').split('\n')
  const from = lines.findIndex((line) => line.startsWith('Mailroom is at'))
  expect(lines.slice(from, from + 5).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
    `Mailroom is at ${url}`,
    'store',
    'sign in',
    'connect',
    'Open the sign-in link within ten minutes. Press Ctrl-C to stop.',
  ])
  expect(/sign in {2}(\S+)/.exec(screen.text())?.[1]?.length).toBeLessThan(65)
  await stop()
})

test('sign-in finds the server, its link works once, and a second server names the first', async () => {
  const { around, url, stop } = await serving()
  const { out } = await run(['sign-in'], around)
  const [link = ''] = out.split('\n')
  expect(link).toStartWith(`${url}/sign-in?code=`)
  const form = new URLSearchParams({ code: new URL(link).searchParams.get('code') ?? '' })
  const enter = () =>
    fetch(`${url}/sign-in`, {
      method: 'POST',
      body: form,
      redirect: 'manual' as const,
      headers: { origin: url },
    })
  expect((await enter()).status).toBe(303)
  expect((await enter()).status).toBe(401)
  const second = await run(['serve', '--port', '0'], around)
  expect(second.code).toBe(30)
  expect(second.err).toContain(`already running at ${url}; 'inbox sign-in' makes a link to it`)
  await stop()
  const alone = await run(['sign-in'], around)
  expect(alone.out).toContain('No server runs here')
})

test('--open opens the link in the browser, and reports if it could not', async () => {
  const here = folder()
  const browser = join(here, 'browser')
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf '%s' "$1" > '${here}/opening' && mv '${here}/opening' '${here}/opened'\n`,
  )
  chmodSync(browser, 0o755)
  const { around, url, screen, stop } = await serving(['--open'], { BROWSER: browser })
  const read = () => {
    try {
      return readFileSync(join(here, 'opened'), 'utf8')
    } catch {
      return ''
    }
  }
  while (read() === '') await Bun.sleep(10)
  expect(screen.text()).toContain(read())
  const env = { ...around.env, BROWSER: join(here, 'nothing') }
  const unopened = await ask(['sign-in', '--open'], { ...around, env })
  expect(unopened).toMatchObject({ warning: 'no browser could be started; open the link yourself' })
  expect(String((unopened as unknown as { link: string }).link)).toStartWith(url)
  await stop()
})

test('it prints one line per event: who did what, and which agent was started by which command', async () => {
  const { around, screen, stop } = await serving()
  const worker = ['--agent', 'sleeper', '--wake-command', '["sh","-c","exit 0"]']
  await ask(['agent', 'register', ...worker, '--status', 'dormant'], around)
  const question = ['--type', 'question', '--subject', 'Which\u001b[31m replica?', '--body', 'Say']
  await ask(['mail', 'send', '--from', 'mica', '--to', 'sleeper', ...question], around)
  await screen.until(/\d\d:\d\d:\d\d mica wrote: Which�\[31m replica\?/)
  await screen.until(/starts sleeper for 1 unread: sh -c 'exit 0'/)
  expect(screen.text()).not.toContain('{"')
  await stop()
})
