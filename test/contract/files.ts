// A caller's files, for tests of export and import: reads return `text`, and writes are collected.

import type { Client } from '../../src/index.ts'
import type { Files } from '../../src/ops/kit/files.ts'

export function filesOf(text: string) {
  let out = ''
  const files: Files = {
    write: async (more) => {
      out += more
    },
    async *read() {
      yield new TextEncoder().encode(text)
    },
    setAside: () => {},
    aside: 'nowhere',
  }
  return { files, written: () => out }
}

export async function exported(inbox: Client): Promise<string> {
  const { files, written } = filesOf('')
  await inbox.export({}, { files })
  return written()
}
