// What few commands need of the store is loaded when the first asks for it: the commands a worker calls all
// day carry none of it. A transaction may wait for nothing but the database, so whoever asks in one too early
// is rolled back, and runs again when it is loaded; a unit of work must bear that anyway.

type Seldom = Pick<typeof import('./keeping/pruning.ts'), 'pruning'> &
  Pick<typeof import('./pushes/push-writes.ts'), 'pushWritesFor'> &
  Pick<typeof import('./seldom-writes.ts'), 'seldomWritesFor'>

let loaded: Seldom | undefined

export class NotLoaded extends Error {}

export async function loadSeldom(): Promise<void> {
  const [{ pruning }, { pushWritesFor }, { seldomWritesFor }] = await Promise.all([
    import('./keeping/pruning.ts'),
    import('./pushes/push-writes.ts'),
    import('./seldom-writes.ts'),
  ])
  loaded = { pruning, pushWritesFor, seldomWritesFor }
}

export function seldom(): Seldom {
  if (loaded === undefined) throw new NotLoaded()
  return loaded
}
