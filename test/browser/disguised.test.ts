// An agent disguises a command with invisible characters. Wherever a person decides on the command or opens it, the
// page shows its characters in stored order.
import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { op, servers } from '../server/serving.ts'
import { ask, signIn } from './signed-in.ts'
import { visitors } from './visiting.ts'

const { folder, start } = servers()
const visitor = visitors()

const COMMAND = 'rm -rf ./cache \u202e dorp/ fr- mr ;\u202c'
const SHOWN = 'rm -rf ./cache \\u202E dorp/ fr- mr ;\\u202C'
const HIDDEN = 'safe\u200b\u2066\u00ad\ufeff\u{e0041}'
const HIDDEN_SHOWN = 'safe\\u200B\\u2066\\u00AD\\uFEFF\\uDB40\\uDC41'
const UNSEEN =
  /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\u061c\u00ad\u{e0000}-\u{e007f}]/u

const textOf = (page: Page) => page.evaluate('document.body.textContent') as Promise<string>

test('a disguised command is shown in its stored order in the row, the payload, and the raw JSON', async () => {
  const server = await start()
  const payloads: Record<string, object> = {
    tool_invocation: { tool: HIDDEN, arguments: { [HIDDEN]: COMMAND, deep: { more: [COMMAND] } } },
    config_change: { target: COMMAND, current: { a: HIDDEN }, proposed: { a: COMMAND } },
    deploy: { [COMMAND]: HIDDEN, list: [COMMAND] },
  }
  const { page, complaints } = await visitor()
  await signIn({ page }, server)
  for (const [type, payload] of Object.entries(payloads)) {
    const id = await ask(server, { type, title: `${type} ${COMMAND}`, payload })
    await page.goto(`${server.url}/approvals/${id}`)
    await page.locator('samp').first().waitFor()
    await page.getByRole('button', { name: 'Approve', exact: true }).first().waitFor()
    const row = page.locator('[data-row]', { hasText: `${type} ` }).first()
    expect(await row.textContent()).toContain(`${type} ${SHOWN}`)
    const text = await textOf(page)
    // It's shown in the row, the title, and the payload.
    expect({ type, often: text.split(SHOWN).length - 1 > 2 }).toEqual({ type, often: true })
    expect(text).toContain(HIDDEN_SHOWN)
    expect(text).not.toMatch(UNSEEN)
    expect(await page.title()).toContain(SHOWN)
    await page.goto(`${server.url}/approvals/${id}?raw=1`)
    await page.locator('pre samp').first().waitFor()
    const raw = (await page.locator('pre code').first().textContent()) ?? ''
    expect(raw).not.toMatch(UNSEEN)
    expect(raw).toContain(SHOWN)
    expect(JSON.parse(raw)).toEqual(payload)
    await page.goto(`${server.url}/inbox`)
    const listed = page.locator('[data-row]', { hasText: `${type} ` }).first()
    await listed.waitFor()
    expect(await listed.textContent()).toContain(SHOWN)
  }
  expect(complaints).toEqual([])
})

test('documents, paths, messages, and the exact object escape invisible characters, but not Hebrew', async () => {
  const server = await start()
  const place = folder()
  const name = 'plan-\u202egpj.md'
  const text = `שומר הנמל \u202eabc\n\nRun \`${COMMAND}\` now.\n\n\`\`\`sh\n${COMMAND}\n\`\`\`\n`
  await writeFile(join(place, name), text)
  const { body } = await op(server, 'workspace-add', { path: place, label: HIDDEN })
  const { workspace_id: workspace } = body.workspace as { workspace_id: string }
  const { body: made } = await op(server, 'push', { workspace, docs: [name], comments: COMMAND })
  const { page, complaints } = await visitor()
  await signIn({ page }, server, `/inbox/${made.entry_id}`)
  await page.locator('pre samp').first().waitFor()
  const shown = await textOf(page)
  expect(shown).not.toMatch(UNSEEN)
  for (const one of [
    'plan-\\u202Egpj.md',
    'שומר הנמל \\u202Eabc',
    `Run ${SHOWN} now.`,
    HIDDEN_SHOWN,
  ])
    expect(shown).toContain(one)
  expect(await page.locator('pre code').first().textContent()).toContain(SHOWN)
  const { body: past } = await op(server, 'mail-history', { limit: 10 })
  const [message] = past.messages as { id: string }[]
  await page.goto(`${server.url}/history/${message?.id}`)
  await page.locator('pre samp').first().waitFor()
  expect(await textOf(page)).not.toMatch(UNSEEN)
  expect(complaints).toEqual([])
})
