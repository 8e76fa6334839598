// The context of a workflow: where its channel and its documents are.

import { resolve } from 'node:path'
import { quote, refusalIn, refuse } from '../core/error.ts'
import { contextPath } from '../core/workflows/context-files.ts'
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
  const name = (key: string, written: string, channel_file = ''): string => {
    const file = fill.text(`${path}.${key}`, written)
    if (channel_file !== '' && file.toLowerCase() === channel_file.toLowerCase()) {
      if (fill.problems.length > 0) return file
      const at = config.document === undefined && key === 'document' ? 'channel' : key
      const what = `${quote(file)} is the file of the channel and of a document`
      say(`${path}.${at}`, what, 'give each a name of its own')
      return file
    }
    const plain = plainPath(file, { channel_file })
    if (typeof plain === 'string') return plain
    // A name that could not be filled in was reported.
    if (fill.problems.length === 0) say(`${path}.${key}`, ...plain)
    return file
  }
  const channel = name('channel', config.channel ?? DEFAULTS.channel)
  const document = name('document', config.document ?? DEFAULTS.document, channel)
  const documents = (config.documents ?? []).map((file, at) =>
    name(`documents.${at}`, file, channel),
  )
  const keys = ['document', ...documents.map((_, at) => `documents.${at}`)]
  // Two names that differ in case are one file on some disks.
  const files = [document, ...documents].map((file) => file.toLowerCase())
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

/** The path in its one form; or else what is wrong with it, and what to do about that. */
function plainPath(file: string, place: { channel_file: string }): string | [string, string] {
  try {
    return contextPath(file, 'the path', place)
  } catch (error) {
    const { message } = refusalIn(error) ?? refuse('invalid_input', `${error}`)
    const at = Math.max(message.indexOf('; '), message.indexOf(': '))
    return [message.slice(0, at), message.slice(at + 2)]
  }
}
