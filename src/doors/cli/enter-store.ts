// Opens the store a command line names, once the call is ready for it, and adds the caller's machine.

import { visible } from '../../core/error.ts'
import type { Enter } from '../../ops/call.ts'
import { mayMakeStore } from '../../ops/kit/operation.ts'
import type { ShellMailroom } from './io.ts'
import type { ProgressLine } from './progress-line.ts'
import type { CommandLine } from './run.ts'

export type StoreEntry = { enter: Enter; leave: () => Promise<void> }

export function enterStore(
  line: CommandLine,
  { progressLine }: { progressLine: () => ProgressLine | undefined },
): StoreEntry {
  const { io, json, file } = line
  const [db, ...others] = line.parsed.flags.get('--db') ?? []
  let opened: ShellMailroom | null = null
  const enter: Enter = async (op, input) => {
    const address = io.locate(db)
    const by = db !== undefined ? '--db' : io.env.db === undefined ? undefined : 'INBOX_DB'
    const more = others.map((other) => io.locate(other))
    const how = { lasts: op.lasts, more }
    const openOrMake = () => io.open(address, { ...how, absent: 'make' })
    if (!op.storeless) {
      const absent = mayMakeStore(op, input) ? 'make' : 'look'
      opened ??= await io.open(address, { ...how, absent })
    } else if (op.storeless.makes?.(input)) opened = await openOrMake()
    else if (!op.storeless.when?.(input))
      opened = await io.open(address, { ...how, absent: 'null' })
    const ends = opened === null ? undefined : await file?.mustBeOf(opened)
    const files = await filesOf(line, input)
    const house = opened ?? io.withoutStore(address)
    const progress = progressLine()?.progress
    return {
      ...house,
      ...(files && { files: { ...files, ...ends } }),
      ...(progress && { progress }),
      shell: {
        ...house.shell,
        ...(by && { named: { by, address } }),
        async openStore() {
          opened ??= await openOrMake()
          return opened
        },
        say(data: object, text: string) {
          progressLine()?.wipe()
          if (json) io.out(`${visible(JSON.stringify(data))}\n`)
          // A long-running operation prints its result here, and uses standard error for its log.
          else (op.lasts ? io.out : io.err)(`${text}\n`)
        },
      },
    }
  }
  return { enter, leave: async () => opened?.close() }
}

/** Most commands use no files. */
async function filesOf(
  { io, op, parsed: { flags }, file }: CommandLine,
  input: { file?: unknown },
) {
  if (!op.streams && !op.readsFile) return undefined
  const { filesFor } = await import('./files.ts')
  return filesFor(io, { flags, input, file })
}
