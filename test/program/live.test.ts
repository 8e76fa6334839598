// `status --watch` in a real terminal: it draws, draws again on every event, and leaves the terminal as it found it.

import { expect, test } from 'bun:test'
import { ask, folders, INBOX, onScreen, run } from './process.ts'

const folder = folders()

const ALTERNATE = '\u001b[?1049h'
const NORMAL = '\u001b[?1049l'
const SHOW_CURSOR = '\u001b[?25h'

function send(here: string, subject: string) {
  return ask(['send', '--from=lead', '--to=worker', `--subject=${subject}`], { folder: here })
}

test('it draws the status, and draws again on every event', async () => {
  const here = folder()
  const first = await send(here, 'First')
  const screen = onScreen(['status', '--watch'], { folder: here, columns: 120 })
  await screen.until(new RegExp(`First[\\s\\S]*event ${first.next_event_id}\\b[\\s\\S]*q quits`))
  expect(screen.text()).toStartWith(ALTERNATE)

  let drawn = screen.text().length
  const { thread, next_event_id } = await send(here, 'Second')
  await screen.until(new RegExp(`event ${next_event_id}\\b`), drawn)
  drawn = screen.text().length
  await ask(['claim', `--thread=${thread.thread_id}`, '--agent=worker'], { folder: here })
  await screen.until(/at work[\s\S]*Second/, drawn)

  screen.type('q')
  expect(await screen.exited).toBe(0)
  expect(screen.text()).toEndWith(`${SHOW_CURSOR}${NORMAL}`)
})

test.each([
  ['q', 'q'],
  ['Escape', '\u001b'],
  ['Ctrl-C', '\u0003'],
])('%s ends it, and restores how the terminal handles keys', async (_, key) => {
  const here = folder()
  await send(here, 'First')
  const script = `"${INBOX}" status --watch; echo "ended $?"; stty -a`
  const screen = onScreen([], { folder: here, program: ['/bin/sh', '-c', script] })
  await screen.until(/q quits/)
  screen.type(key)
  await screen.exited
  const [, after = ''] = screen.text().split(/ended \d+/)
  for (const mode of ['icanon', 'echo', 'isig']) {
    expect(after).toMatch(new RegExp(`(?<!-)\\b${mode}\\b`))
    expect(after).not.toMatch(new RegExp(`-${mode}\\b`))
  }
})

test('SIGTERM ends it and restores the terminal', async () => {
  const here = folder()
  await send(here, 'First')
  const screen = onScreen(['status', '--watch'], { folder: here })
  await screen.until(/q quits/)
  screen.kill('SIGTERM')
  await screen.exited
  expect(screen.text()).toEndWith(`${SHOW_CURSOR}${NORMAL}`)
})

test('it fits the window, however much there is to show', async () => {
  const here = folder()
  for (let i = 0; i < 12; i++) {
    await send(here, `Thread ${i}`)
    await ask(['claim', '--agent=worker'], { folder: here })
  }
  const screen = onScreen(['status', '--watch'], { folder: here, rows: 12, columns: 100 })
  await screen.until(/q quits/)
  const text = screen.text()
  const drawing = text.slice(text.indexOf('\u001b[H'), text.indexOf('q quits'))
  expect(drawing.split('\r\n').length).toBeLessThanOrEqual(12)
  screen.type('q')
  expect(await screen.exited).toBe(0)
})

test('without a terminal it is refused, and the refusal names the command for programs', async () => {
  const here = folder()
  const ran = await run(['status', '--watch'], { folder: here })
  expect(ran).toMatchObject({ code: 30, out: '' })
  expect(ran.err).toContain('inbox watch')
})
