// Finds the documents people read, and parses them.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

const FOLDERS = [
  '.',
  'decisions',
  'docs',
  'docs/clients',
  'docs/reference',
  'docs/transcripts',
  'examples',
  'skills/inbox',
  'skills/inbox-push',
  'skills/inbox-request',
  'skills/mailbox',
  'skills-server/inbox',
  'skills-server/inbox-push',
  'skills-server/inbox-request',
  'skills-server/mailbox',
]

/** Every Markdown file of the project, by its path from the root. */
export function documents(): string[] {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  )
  if (!found.includes('README.md')) throw new Error('no documents found: wrong folder?')
  return found
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The contents of the fenced blocks in one language. */
export function blocks(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...markdown.matchAll(fence)].map(([, text]) => text as string)
}

/** The text without its fenced blocks. */
export function prose(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, '')
}

export async function inFreshFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-docs-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
