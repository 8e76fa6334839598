// The inbox in a real browser: live documents, replies that reach the agent, and hostile text that stays text.
import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { op, type Running, servers } from '../server/serving.ts'
import { until } from '../worlds/world.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

const EVIL = [
  '<script>document.title = 1</script> <img src=x onerror="document.title = 2">',
  '[a](javascript:document.title=3) [b](data:text/html,x) ![c](http://127.0.0.1:1/leak.png)',
  '<svg onload=alert(1)> <a href="javascript:alert(1)">x</a> <iframe src="//127.0.0.1:1"></iframe>',
].join('\n\n')

async function pushed(server: Running, text: string) {
  const place = join(folder(), 'work')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'a.md'), text)
  const { body } = await op(server, 'workspace-add', { path: place, label: 'Thesis' })
  const { workspace_id: workspace } = body.workspace as { workspace_id: string }
  const push = { workspace, docs: ['a.md'], comments: 'The draft is done\nSee what you think.' }
  const { body: made } = await op(server, 'push', push)
  return { entry: String(made.entry_id), file: join(place, 'a.md') }
}

test('an open document updates live, is marked as read, and can be replied to', async () => {
  const server = await start()
  const ann = await visitor()
  const { entry, file } = await pushed(server, '# Draft\n\nOne **bold** word.')
  await signIn(ann, server)
  await ann.page.waitForSelector('text="1 unread"')
  await ann.page.keyboard.press('j')
  await ann.page.waitForSelector('h2 >> text="The draft is done"')
  await ann.page.waitForSelector('strong >> text="bold"')
  await ann.page.waitForSelector('text="1 unread"', { state: 'detached' })
  await writeFile(file, '# Draft\n\nAnother word.')
  await ann.page.waitForSelector('text="Another word."')
  await ann.page.waitForSelector('text=Changed since thesis pushed it')
  await ann.page.keyboard.press('r')
  await ann.page.keyboard.type('Well done')
  await ann.page.keyboard.press('Enter')
  await ann.page.waitForSelector('ol >> text="Well done"')
  const { body } = await op(server, 'mail-peek', {}, { as: 'Thesis' })
  expect(JSON.stringify(body)).toContain('Well done')
  expect(await ann.page.evaluate('location.pathname')).toBe(`/inbox/${entry}`)
  expect(ann.complaints).toEqual([])
})

test('Delete trashes a push, and Z restores it', async () => {
  const server = await start()
  const ann = await visitor()
  const { entry } = await pushed(server, 'One')
  await signIn(ann, server)
  await ann.page.click(`[data-row="${entry}"]`)
  await ann.page.waitForSelector('h2 >> text="The draft is done"')
  await ann.page.locator('body').press('Delete')
  await ann.page.waitForSelector('text="Moved to trash"')
  await ann.page.waitForSelector(`[data-row="${entry}"]`, { state: 'detached' })
  await ann.page.keyboard.press('z')
  await ann.page.waitForSelector(`[data-row="${entry}"]`)
})

test('a blocking question can be answered in place, and the work continues', async () => {
  const server = await start()
  const ann = await visitor()
  const { body } = await op(server, 'send', { to: 'mica', subject: 'Move the tables' })
  const { thread_id: thread } = body.thread as { thread_id: string }
  const { body: claimed } = await op(server, 'claim', { thread }, { as: 'mica' })
  const { lease_token } = claimed.lease as { lease_token: string }
  const blocked = { thread, lease_token, status: 'blocked', summary: 'Which replica?' }
  await op(server, 'update', blocked, { as: 'mica' })
  await signIn(ann, server)
  // The row shows the agent who asks, though the person started the thread.
  await ann.page.waitForSelector(`[data-row="${thread}"] >> text="Mi"`)
  await ann.page.click(`[data-row="${thread}"]`)
  await ann.page.waitForSelector('[aria-label="Question"] >> text="Which replica?"')
  await ann.page.waitForSelector('text=mica holds the lease')
  await ann.page.keyboard.press('r')
  await ann.page.keyboard.type('Use replica-b')
  await ann.page.keyboard.press('Control+Enter')
  const statusIs = async (status: string) => {
    const { body } = await op(server, 'show', { thread })
    return (body.thread as { status: string }).status === status
  }
  await until(() => statusIs('in_progress'), 'the work continues')
  await ann.page.click('text="Cancel work…"')
  await ann.page.click('text="Cancel this work"')
  await until(() => statusIs('cancelled'), 'the work is cancelled')
  expect(ann.complaints).toEqual([])
})

test('hostile text does not run, load, or link anywhere', async () => {
  const server = await start()
  const ann = await visitor()
  const { entry } = await pushed(server, EVIL)
  await op(server, 'agent-register', { agent: 'builder', may_write_to_user: true })
  const mail = { to: 'user', type: 'question', subject: EVIL.slice(0, 150), body: EVIL }
  await op(server, 'mail-send', mail, { as: 'builder' })
  const request = await ask(server, { type: 'question', payload: { text: EVIL } })
  const elsewhere: string[] = []
  ann.page.on('request', (asked) => {
    if (!asked.url().startsWith(server.url)) elsewhere.push(asked.url())
  })
  await signIn(ann, server)
  for (const id of [entry, request]) {
    await ann.page.goto(`${server.url}/inbox/${id}`)
    await ann.page.waitForSelector('main a >> text="Image: c"')
    expect(await ann.page.locator('main :is(script, iframe, img)').count()).toBe(0)
    expect(
      await ann.page.locator('main a[href^="javascript:"], main a[href^="data:"]').count(),
    ).toBe(0)
  }
  expect(elsewhere).toEqual([])
  expect(await ann.page.title()).not.toMatch(/^[123]$/)
  expect(ann.complaints).toEqual([])
})

test('two tabs share one stream, and both receive events', async () => {
  const server = await start()
  const ann = await visitor()
  await signIn(ann, server)
  await ann.page.waitForSelector('[data-state=live]')
  const second = await ann.context.newPage()
  await second.goto(`${server.url}/inbox`)
  const streams = async () =>
    (await (await fetch(`${server.url}/metrics`)).text()).match(/^inbox_streams\S* (\d+)$/m)?.[1]
  await until(async () => (await streams()) === '1', 'one stream for both')
  const request = await ask(server)
  await Promise.all(
    [ann.page, second].map((page) => page.waitForSelector(`[data-row="${request}"]`)),
  )
})
