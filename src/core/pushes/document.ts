// A document is a file in a workspace, read live. This module defines valid paths and the kinds of files. Documents are
// opened through a port, because only the machine they're on knows where a path leads.

import { quote, refuse, type Sentence } from '../error.ts'
import type { Instant } from '../time.ts'

/** How much of a text file is shown inline. A larger file can be downloaded. */
export const INLINE_BYTES = 1_048_576
/** A larger file isn't read at all. */
export const MOST_BYTES = 64 * 1_048_576

/**
 * gone: no workspace or folder. missing: no such file. outside: the path leads outside the folder. special: a folder,
 * a device or a pipe. unreadable: the file exists but can't be read.
 */
export const ABSENCES = [
  'gone',
  'missing',
  'outside',
  'special',
  'too_large',
  'unreadable',
] as const
export type Absence = (typeof ABSENCES)[number]

export type OpenDocument = {
  state: 'there'
  size: number
  modified_at: Instant
  digest(): Promise<string>
  /** Reads at most this many bytes from the start. */
  read(limit: number): Promise<Uint8Array>
  /** Reads the whole file piece by piece, and closes it at the end. */
  stream(): AsyncGenerator<Uint8Array>
  close(): void
}

export interface Documents {
  /** Opens a file inside the folder, safely even if the path changes while it's being opened. */
  open(folder: string, path: string): Promise<OpenDocument | { state: Absence; size?: number }>
  /** Resolves when the file may have changed or the wait is aborted. It may resolve early but never misses a change. */
  changed(folder: string, path: string, signal: AbortSignal): Promise<void>
}

/** Percent-encoded `.`, `/`, `\`, NUL and `%`, in case other code decodes a path twice. */
const ENCODED = /%(2e|2f|5c|00|25)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
const CONTROLS = /[\u0000-\u001f\u007f]/

/** Returns the path in its normal form, relative and without `..`, or refuses it. */
export function documentPath(text: string, label: Sentence): string {
  const no = (why: string) =>
    refuse.invalid_input`${label} ${quote(text)} ${why}; write it relative to the workspace`
  if (CONTROLS.test(text)) throw no('has a control character')
  if (text.includes('\\') || /^[A-Za-z]:/.test(text)) throw no('is written for another system')
  if (ENCODED.test(text)) throw no('is encoded')
  if (text.startsWith('/') || text.startsWith('~')) throw no('is not inside the workspace')
  const steps = text.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.includes('..')) throw no('leads out of its folder')
  if (steps.length === 0) throw no('names no file')
  return steps.join('/')
}

/**
 * Makes a path inside the folder relative to it. Callers can pass an absolute path or one relative to their current
 * directory in the folder. Other paths are returned unchanged. Where a path really leads is checked on opening.
 */
export function makeRelative(folder: string, path: string, standing?: string): string {
  const base = folder.endsWith('/') ? folder : `${folder}/`
  const isWithin = `${standing}/`.startsWith(base)
  const whole = isWithin && !path.startsWith('/') ? stepping(`${standing}/${path}`) : path
  return whole.startsWith(base) ? whole.slice(base.length) : path
}

function stepping(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/').slice(1)) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return `/${steps.join('/')}`
}

export type DocumentKind = 'text' | 'image' | 'pdf' | 'binary'
export type FileLooks = { kind: DocumentKind; media_type: string; language: string | null }

const IMAGES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}

/** Each line names a language as highlighters do, followed by its file extensions or whole file names. */
const LANGUAGES = new Map(
  `
  markdown md markdown mdx
  text txt log
  typescript ts mts cts
  tsx tsx
  javascript js mjs cjs
  jsx jsx
  json json jsonl
  jsonc jsonc
  html html htm
  css css
  scss scss
  xml svg xml
  python py
  ruby rb
  go go
  rust rs
  java java
  kotlin kt
  swift swift
  c c h
  cpp cc cpp hpp
  csharp cs
  php php
  lua lua
  bash sh bash zsh
  fish fish
  powershell ps1
  sql sql
  yaml yml yaml
  toml toml
  ini ini
  csv csv tsv
  diff diff patch
  latex tex
  r r
  julia jl
  elixir ex
  haskell hs
  zig zig
  vue vue
  svelte svelte
  graphql graphql
  protobuf proto
  hcl tf
  dockerfile dockerfile
  makefile makefile
  `
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([language = '', ...endings]) => endings.map((ending) => [ending, language])),
)

/** The kind of file, judging by its name and its first bytes. It's text only if it can be decoded as text. */
export function guessLooks(path: string, beginning: Uint8Array): FileLooks {
  const name = (path.split('/').at(-1) ?? '').toLowerCase()
  const ending = name.includes('.') ? (name.split('.').at(-1) as string) : name
  const image = Object.hasOwn(IMAGES, ending) ? IMAGES[ending] : undefined
  if (image !== undefined && !isText(beginning)) {
    return { kind: 'image', media_type: image, language: null }
  }
  if (startsWith(beginning, '%PDF-')) {
    return { kind: 'pdf', media_type: 'application/pdf', language: null }
  }
  if (!isText(beginning)) {
    return { kind: 'binary', media_type: 'application/octet-stream', language: null }
  }
  const language = LANGUAGES.get(ending) ?? null
  return { kind: 'text', media_type: 'text/plain; charset=utf-8', language }
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    // Streaming, because the bytes may end in the middle of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    // The bytes are not UTF-8.
    return false
  }
}

function startsWith(bytes: Uint8Array, word: string): boolean {
  return [...word].every((letter, i) => bytes[i] === letter.charCodeAt(0))
}
