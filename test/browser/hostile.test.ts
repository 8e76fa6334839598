// Hostile text from agents in titles, labels, paths and messages, on every screen. Nothing runs, nothing is fetched
// from elsewhere, and names in any script are shown unchanged.
import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { op, type Running, servers } from '../server/serving.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

const CORPUS = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '"><svg onload=window.hacked=1>',
  "javascript:window.hacked=1//'",
  '[a](javascript:window.hacked=1) ![b](https://evil.test/beacon.png)',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<a href="data:text/html,<script>window.hacked=1</script>">c</a>',
  '{{constructor.constructor("window.hacked=1")()}}',
  '</style><style>@import "https://evil.test/x.css";</style>',
  '`$\u007Bwindow.hacked=1}` __proto__ %00 \u202Egnp.exe',
]
/** Right-to-left letters, an emoji of several people, and stacked combining marks. */
const NAMES = ['حارس المرفأ', 'שומר הנמל', '👩‍👩‍👧‍👦 crew', 'z͑̓a̓̓l̓g̓o', '港の番人']

async function filled(server: Running) {
  const all = CORPUS.join('\n\n')
  const ids: Record<string, string> = {}
  for (const [at, words] of [...CORPUS, ...NAMES].entries()) {
    const agent = `agent-${at}`
    await op(server, 'agent-register', { agent, may_write_to_user: true })
    await op(
      server,
      'mail-send',
      { to: 'user', type: 'status', subject: words, body: all },
      { as: agent },
    )
    await op(server, 'mail-send', { to: agent, subject: words, body: all })
    const { body } = await op(server, 'push', { comments: `${words}\n\n${all}` }, { as: agent })
    ids.push = String(body.entry_id)
    const { body: told } = await op(server, 'notify', { message: words }, { as: agent })
    ids.notification = String(told.entry_id)
    const { body: work } = await op(server, 'send', { to: agent, subject: words, body: all })
    ids.thread = (work.thread as { thread_id: string }).thread_id
    ids.request = await ask(server, {
      agent,
      title: words,
      payload: { target: words, current: { a: words }, proposed: { a: all } },
    })
    ids.agent = agent
  }
  return ids
}

/** A push from a workspace with a hostile label and file name. */
async function withDocument(server: Running, label: string, name: string): Promise<string> {
  const place = folder()
  await writeFile(join(place, name), CORPUS.join('\n\n'))
  const { body } = await op(server, 'workspace-add', { path: place, label })
  const { workspace_id: workspace } = body.workspace as { workspace_id: string }
  const { body: made } = await op(server, 'push', { workspace, docs: [name], comments: label })
  return String(made.entry_id)
}

test('hostile text does not run or cause outside requests on any screen', async () => {
  const server = await start()
  const ids = await filled(server)
  const file = '<img src=x onerror=window.hacked=1>.md'
  const entry = await withDocument(server, CORPUS[1] as string, file)
  const { body } = await op(server, 'mail-history', { limit: 500 })
  const messages = body.messages as { id: string; subject: string }[]
  const { page, context, complaints } = await visitor()
  const outside: string[] = []
  const asked: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url)) outside.push(request.url())
  })
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.dismiss()
  })
  await signIn({ page }, server)
  const looks = async (where: string) => {
    const found = await page.evaluate(`({
      hacked: window.hacked ?? null,
      inside: [...document.querySelectorAll('script:not([src]), iframe[srcdoc], [onerror], [onload], [onclick], base, object, embed')].length,
      links: [...document.links].filter((one) => !/^https?:/.test(one.href)).map((one) => one.href),
    })`)
    expect({ where, found }).toEqual({ where, found: { hacked: null, inside: 0, links: [] } })
  }
  const places: Record<string, string> = {
    '/inbox': '[data-row]',
    [`/inbox/${ids.push}`]: '#item-title',
    [`/inbox/${entry}`]: `text=${'window.hacked'}`,
    '/approvals': '[data-row]',
    [`/approvals/${ids.request}`]: 'button >> text="Approve"',
    [`/approvals/${ids.request}?raw=1`]: 'button >> text="Approve"',
    '/threads?state=waiting': '[data-row]',
    [`/threads/${ids.thread}`]: 'h2',
    '/agents': '[data-row]',
    [`/agents/${ids.agent}`]: '#agent-title',
    '/history': '[data-row]',
    '/notifications': '[data-row]',
    [`/notifications/${ids.notification}`]: '#item-title',
    '/settings': 'h1',
  }
  for (const [path, sign] of Object.entries(places)) {
    await page.goto(server.url + path)
    await page.locator(sign).first().waitFor({ state: 'attached' })
    await looks(path)
  }
  for (const words of CORPUS) {
    const one = messages.find(({ subject }) => subject === words.split('\n')[0])
    if (one === undefined) continue
    await page.goto(`${server.url}/history/${one.id}`)
    await page.waitForSelector('pre [data-scope]')
    await looks(`the exact object of ${words}`)
  }
  // Searches in the palette, one of them for hostile text, with results from the page and from the server.
  for (const words of ['window.hacked', CORPUS[1] as string]) {
    await page.goto(`${server.url}/inbox`)
    await page.locator('[data-row]').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(words)
    await page.getByRole('group', { name: 'In history' }).getByRole('option').nth(1).waitFor()
    await looks(`the palette for ${words}`)
    await page.keyboard.press('Escape')
  }
  await page.goto(`${server.url}/history?q=${encodeURIComponent(CORPUS[0] as string)}`)
  await page.locator('[data-row]').first().waitFor()
  await looks('an address with hostile words')
  // A toast names what was trashed.
  await page.goto(`${server.url}/inbox/${ids.push}`)
  await page.locator('#item-title').waitFor()
  await page.keyboard.press('Delete')
  await page.waitForSelector('text="Moved to trash"')
  await looks('a notice')
  await page.goto(`${server.url}/trash/${ids.push}`)
  await page.locator('#item-title').waitFor()
  await page.keyboard.press('Delete')
  await page.waitForSelector('dialog[open]')
  await looks('a question')
  expect({ outside, asked, complaints }).toEqual({ outside: [], asked: [], complaints: [] })
})

test('names in any script are shown unchanged, each in its own direction', async () => {
  const server = await start()
  for (const [at, name] of NAMES.entries()) {
    const agent = `agent-${at}`
    await op(server, 'agent-register', { agent, may_write_to_user: true })
    // The agent list shows each agent's latest message.
    await op(server, 'mail-send', { to: 'user', type: 'status', subject: name }, { as: agent })
    await op(server, 'push', { comments: name }, { as: agent })
  }
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  for (const name of NAMES) {
    const title = page.locator('[data-row] [dir=auto]', { hasText: name }).first()
    await title.waitFor()
    expect(await title.textContent()).toContain(name)
  }
  await page.goto(`${server.url}/agents`)
  for (const name of NAMES)
    await page.locator('[data-row] [dir=auto]', { hasText: name }).first().waitFor()
  await page.goto(`${server.url}/history`)
  for (const name of NAMES)
    await page.locator('[data-row] [dir=auto]', { hasText: name }).first().waitFor()
  const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect({ width, complaints }).toEqual({ width: 0, complaints: [] })
})
