// Finds the web app. The executable contains it as a pack: one file with an index and each of the app's files in up to
// three encodings. When run from source, the app is built on the first request.

import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { WebApp, WebEncoding } from '../doors/http/web-app.ts'
import type { BuiltApp, BuiltFile } from './web-build.ts'

export function findWebApp(): WebApp {
  const pack = findEmbedded(PACK_NAME)
  return pack === undefined ? builtWebApp() : packedWebApp(pack)
}

function builtWebApp(): WebApp {
  let building: Promise<BuiltApp> | undefined
  const build = () => {
    building ??= import('./web-build.ts').then(({ buildWebApp }) => buildWebApp())
    return building
  }
  return {
    page: async () => (await build()).page,
    async file(name) {
      const found = (await build()).files.find((file) => file.name === name)
      return found === undefined ? null : { body: found.bytes, type: found.type, encoding: null }
    },
  }
}

export const PACK_NAME = 'web.pack'

type PackPlace = { at: number; size: number }
type Entry = { type: string; raw: PackPlace } & Partial<Record<WebEncoding, PackPlace>>
type Index = { page: string; files: Record<string, Entry> }

/** The length of the index as 4 bytes, the index, then all bodies one after the other. */
export function packWebApp({ page, files }: BuiltApp): Uint8Array {
  const bodies: Uint8Array[] = []
  let end = 0
  const put = (bytes: Uint8Array): PackPlace => {
    bodies.push(bytes)
    const place = { at: end, size: bytes.length }
    end += bytes.length
    return place
  }
  const index: Index = { page, files: {} }
  for (const file of files) index.files[file.name] = entryOf(file, put)
  const head = new TextEncoder().encode(JSON.stringify(index))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, head.length)
  return Buffer.concat([length, head, ...bodies])
}

function entryOf({ type, bytes }: BuiltFile, put: (bytes: Uint8Array) => PackPlace): Entry {
  const raw = put(bytes)
  // Fonts are already compressed.
  if (type.startsWith('font/')) return { type, raw }
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  return { type, raw, br: put(br), gzip: put(gzipSync(bytes, { level: 9 })) }
}

/** Keeps only the index of the pack in memory. */
function packedWebApp(pack: Blob): WebApp {
  let read: Promise<{ index: Index; start: number }> | undefined
  const open = () => {
    read ??= readIndex(pack)
    return read
  }
  return {
    page: async () => (await open()).index.page,
    async file(name, encodings) {
      const { index, start } = await open()
      const entry = Object.hasOwn(index.files, name) ? index.files[name] : undefined
      if (entry === undefined) return null
      const encoding = encodings.find((one) => entry[one] !== undefined) ?? null
      const { at, size } = (encoding === null ? undefined : entry[encoding]) ?? entry.raw
      return { body: pack.slice(start + at, start + at + size), type: entry.type, encoding }
    },
  }
}

async function readIndex(pack: Blob): Promise<{ index: Index; start: number }> {
  const length = new DataView(await pack.slice(0, 4).arrayBuffer()).getUint32(0)
  const start = 4 + length
  return { index: JSON.parse(await pack.slice(4, start).text()), start }
}

/** A file that scripts/build.ts put into the executable; undefined when running from source. */
export function findEmbedded(name: string): Blob | undefined {
  return Bun.embeddedFiles.find((file) => (file as Blob & { name: string }).name === name)
}
