// The files in examples/demo. When run from source, they're read from there. The executable embeds them as one file,
// which scripts/build.ts creates.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findEmbedded } from '../web-app.ts'

export const DEMO_PACK = 'demo.pack'
const FOLDER = join(import.meta.dir, '../../../examples/demo')

export type DemoFiles = {
  log: string
  /** The tracks that play while someone watches. */
  live: string
  /** All other files, by their paths in the demo's folder. */
  documents: Map<string, Uint8Array>
}

export async function readDemoFiles(): Promise<DemoFiles> {
  const pack: Record<string, string> = (await findEmbedded(DEMO_PACK)?.json()) ?? packDemoFiles()
  const { 'log.jsonl': log = '', 'live.json': live = '', ...rest } = pack
  const documents = Object.entries(rest).map(
    ([path, base64]) => [path, Uint8Array.fromBase64(base64)] as const,
  )
  return { log: decode(log), live: decode(live), documents: new Map(documents) }
}

export function packDemoFiles(): Record<string, string> {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => statSync(join(FOLDER, path)).isFile()).sort()
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(FOLDER, path)).toBase64()]),
  )
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(base64))
}
