// The context of a workflow: where its channel and its documents are.

import { resolve } from 'node:path'
import { quote } from '../core/error.ts'
import type { ContextPlan } from './plan.ts'
import type { Reader } from './reader.ts'

export const DEFAULTS = {
  dir: '.workflow/${{ instance }}/',
  channel: 'channel.md',
  document: 'notes.md',
} as const

/** Left out, empty and `provider: file` mean the same. */
export function planContext({ raw, fill, around, say }: Reader): ContextPlan {
  const { context } = raw
  const none = { dir: '', channel: DEFAULTS.channel, document: DEFAULTS.document, documents: [] }
  if (context === false) return { provider: 'none', ...none }
  const { provider = 'file', config = {} } = context ?? {}
  if (provider === 'memory' && Object.keys(config).length > 0) {
    say('context.config', 'the provider memory has no files', 'take config out, or provider: file')
  }
  const path = 'context.config'
  const name = (key: string, written: string): string => {
    const file = fill.text(`${path}.${key}`, written)
    // A name that could not be filled in was reported.
    const wrong = fill.problems.length > 0 ? undefined : wrongFile(file)
    if (wrong !== undefined) say(`${path}.${key}`, `${quote(file)} ${wrong}`, PLAIN_NAME)
    return file
  }
  const channel = name('channel', config.channel ?? DEFAULTS.channel)
  const document = name('document', config.document ?? DEFAULTS.document)
  const documents = (config.documents ?? []).map((file, at) => name(`documents.${at}`, file))
  const keys = ['channel', 'document', ...documents.map((_, at) => `documents.${at}`)]
  // Two names that differ in case are one file on some disks.
  const files = [channel, document, ...documents].map((file) => file.toLowerCase())
  for (const [at, file] of files.entries()) {
    if (files.indexOf(file) === at || fill.problems.length > 0) continue
    say(`${path}.${keys[at]}`, `${quote(file)} is named twice`, 'give each file its own name')
  }
  const dir = fill.text(`${path}.dir`, config.dir ?? DEFAULTS.dir)
  if (dir.trim() === '' && fill.problems.length === 0) {
    say(`${path}.dir`, 'dir is empty', 'name a folder, or leave dir out')
  }
  if (provider === 'memory') return { provider, ...none }
  return { provider, dir: resolve(around.cwd, dir), channel, document, documents }
}

const PLAIN_NAME = 'write a path inside the folder, such as goals.md or findings/auth.md'

/** The reason why a file cannot have this name; undefined if it can. */
function wrongFile(file: string): string | undefined {
  if (file.trim() === '') return 'names no file'
  if (file.startsWith('/')) return 'leads out of the folder'
  const parts = file.split('/')
  if (parts.includes('..')) return 'leads out of the folder'
  if (parts.some((part) => part === '' || part.startsWith('.'))) return 'is no plain path'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with one cannot be read by people.
  return /[\u0000-\u001f\u007f\\]/.test(file) ? 'has letters that a name cannot have' : undefined
}
