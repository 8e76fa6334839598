// Documents over HTTP: unchanged files aren't sent again, and a page written by an agent is inert.

import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { byPort, bySocket, op, type Running, servers, tokenFor } from './serving.ts'

const { start, folder } = servers()
let server: Running
let entry: string
let place: string

beforeAll(async () => {
  server = await start()
  place = join(folder(), 'site')
  mkdirSync(place)
  writeFileSync(join(place, 'a.md'), 'One')
  writeFileSync(join(place, 'page.html'), '<LINK rel=preconnect href=//x.test><h1>Hello</h1>')
  writeFileSync(join(place, 'large.html'), '<p>x'.repeat(300_000))
  const added = await op(server, 'workspace-add', { path: place, label: 'Site' })
  const { workspace_id: workspace } = added.body.workspace as { workspace_id: string }
  const { body } = await op(server, 'push', { workspace, docs: ['a.md', 'page.html'] })
  entry = String(body.entry_id)
})

function file(path: string, headers: Record<string, string> = {}, what = 'file') {
  const address = `/api/inbox/${entry}/${what}?path=${encodeURIComponent(path)}`
  return bySocket(server, address, undefined, { headers })
}

describe('a file', () => {
  test('has an ETag, and is not sent again unless it changed', async () => {
    const first = await file('a.md')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    for (const shown of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await file('a.md', { 'if-none-match': shown })
      expect({ shown, status: again.status, text: again.text }).toEqual({
        shown,
        status: 304,
        text: '',
      })
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await file('a.md', { 'if-none-match': '"other"' })).text).toBe('One')
    writeFileSync(join(place, 'a.md'), 'Two')
    const changed = await file('a.md', { 'if-none-match': etag })
    expect({ status: changed.status, text: changed.text }).toEqual({ status: 200, text: 'Two' })
  })

  test('that is missing has state "missing", even with If-None-Match', async () => {
    const { status, headers, body } = await file('none.md', { 'if-none-match': '*' })
    expect({ status, state: headers.get('x-inbox-state') }).toEqual({
      status: 200,
      state: 'missing',
    })
    expect(body.state).toBe('missing')
  })
})

describe('a preview', () => {
  test('is a page without scripts, an origin, or outside resources', async () => {
    const { status, headers, text } = await file('page.html', {}, 'preview')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy') ?? ''
    // `sandbox` without keywords allows nothing: no scripts, no origin, no forms, no windows.
    expect(policy.split('; ')).toContain('sandbox')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/script-src|allow-|https?:|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).toContain('Hello')
    // A content security policy doesn't stop the browser from preconnecting.
    expect(text).not.toMatch(/<link/i)
  })

  test('is limited to HTML up to the size limit', async () => {
    for (const [path, why] of [
      ['a.md', 'is not HTML'],
      ['large.html', 'is too large'],
    ] as const) {
      const { status, text } = await file(path, {}, 'preview')
      expect({ path, status }).toEqual({ path, status: 400 })
      expect(text).toContain(why)
    }
    expect((await file('none.html', {}, 'preview')).status).toBe(404)
    expect((await file('../x.html', {}, 'preview')).status).toBe(400)
  })

  test('requires access to the file, and is refused to agents', async () => {
    const address = `/api/inbox/${entry}/preview?path=page.html`
    expect((await byPort(server, address)).status).toBe(401)
    expect((await byPort(server, address, undefined, { as: 'ann' })).status).toBe(403)
    const token = await tokenFor(server, { name: 'user', sets: ['mailbox'] })
    expect((await byPort(server, address, undefined, { token })).status).toBe(403)
  })
})
