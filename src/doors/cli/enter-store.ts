// The way of a command to its store, and to the caller's own files.

import { visible } from '../../core/error.ts'
import type { Enter } from '../../ops/call.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { makesStore } from '../../ops/kit/writes.ts'
import type { ParsedWords } from './argv.ts'
import type { Io, ShellMailroom } from './io.ts'
import type { ExportFile } from './keeping/export-file.ts'
import type { FileFlags } from './keeping/files.ts'

/**
 * Opens the store that the words name once the call is ready for it, with the caller's own machine around
 * it.
 */
export function enterStore(
  io: Io,
  { flags }: ParsedWords,
  { json, file, makeRoom }: { json: boolean; file: ExportFile | undefined; makeRoom: () => void },
) {
  let opened: ShellMailroom | null = null
  const enter: Enter = async (op, input) => {
    const [db, ...others] = flags.get('--db') ?? []
    const address = io.locate(db)
    const by = db !== undefined ? '--db' : io.env.db === undefined ? undefined : 'INBOX_DB'
    const more = others.map((other) => io.locate(other))
    const how = { lasts: op.lasts, more }
    const absent = makesStore(op, input) ? 'make' : 'look'
    if (!op.storeless) opened ??= await io.open(address, { ...how, absent })
    else if (op.storeless.makes?.(input))
      opened = await io.open(address, { ...how, absent: 'make' })
    else if (!op.storeless.when?.(input)) opened = await io.find(address, how)
    const ends = opened === null ? undefined : await file?.mustBeOf(opened)
    const files = await filesOf(io, op, { flags, input, file })
    const around = opened ?? io.without(address)
    return {
      ...around,
      ...(files && { files: { ...files, ...ends } }),
      shell: {
        ...around.shell,
        ...(by && { named: { by, address } }),
        async openStore() {
          opened ??= await io.open(address, { ...how, absent: 'make' })
          return opened
        },
        say(line: object, words: string) {
          makeRoom()
          if (json) io.out(`${visible(JSON.stringify(line))}\n`)
          // For an operation that lasts this is the result, and standard error is for its log.
          else (op.lasts ? io.out : io.err)(`${words}\n`)
        },
      },
    }
  }
  return { enter, leave: async () => opened?.close() }
}

/** Most commands use no files. */
async function filesOf(io: Io, { streams, readsFile }: Operation, given: FileFlags) {
  if (!streams && !readsFile) return undefined
  const { filesFor } = await import('./keeping/files.ts')
  return filesFor(io, given)
}
