// A measured process: one file run by Bun in a separate environment. Its first message tells it what to do, and it
// answers with messages. The processes are separate because the slow disk is set through environment variables, and
// because waking and contention happen between processes.

export type Child = {
  pid: number
  tell(message: unknown): void
  /** The child's next message; fails if the child ends without one. */
  hear<T>(): Promise<T>
  end(): Promise<void>
}

export function startChild(file: string, task: unknown, env: Record<string, string> = {}): Child {
  const heard: unknown[] = []
  let wanting: { resolve: (message: unknown) => void; reject: (error: Error) => void } | undefined
  let over: Error | undefined
  const child = Bun.spawn([process.execPath, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    serialization: 'json',
    ipc(message) {
      if (wanting === undefined) heard.push(message)
      else wanting.resolve(message)
      wanting = undefined
    },
    onExit(_child, code, signal) {
      over = new Error(`${file} ended (${signal ?? code}) before it answered`)
      wanting?.reject(over)
    },
  })
  child.send(task)
  return {
    pid: child.pid,
    tell: (message) => child.send(message),
    hear<T>() {
      return new Promise<T>((resolve, reject) => {
        if (heard.length > 0) resolve(heard.shift() as T)
        else if (over) reject(over)
        else wanting = { resolve: resolve as (message: unknown) => void, reject }
      })
    },
    async end() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Runs a file until it sends its first answer, and returns that. */
export async function runChild<T>(
  file: string,
  task: unknown,
  env: Record<string, string> = {},
): Promise<T> {
  const child = startChild(file, task, env)
  try {
    return await child.hear<T>()
  } finally {
    await child.end()
  }
}

const inbox: unknown[] = []
let waiting: ((message: unknown) => void) | undefined

/** In a child: returns the parent's next message. The first one is the task. */
export function nextMessage<T>(): Promise<T> {
  return new Promise((resolve) => {
    if (inbox.length > 0) resolve(inbox.shift() as T)
    else waiting = resolve as (message: unknown) => void
  })
}

export function answer(message: unknown): void {
  process.send?.(message)
}

process.on('message', (message) => {
  if (waiting === undefined) inbox.push(message)
  else waiting(message)
  waiting = undefined
})
