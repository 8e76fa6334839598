// Parses what a PostgreSQL client sends (protocol version 3), just enough to recognize its commits.
//
// A client commits with a simple Query, or with Parse, Bind and Execute. Those three may come in one chunk with other
// messages, separately, or split into pieces, and a prepared commit may be executed many times.

/** isStartup: true up to and including the password, before any statement. */
export type FrontendMessage = { bytes: Buffer; isStartup: boolean; isCommit: boolean }

const requestCodes = { cancel: 80877102, ssl: 80877103, gss: 80877104 }

/** Returns a function that takes chunks and returns the messages completed so far, in order. */
export function readFrontendMessages(): (chunk: Buffer) => FrontendMessage[] {
  let rest: Buffer = Buffer.alloc(0)
  let isStartup = true
  const commitStatements = new Set<string>()
  const commitPortals = new Set<string>()

  function isCommit(type: string, body: Buffer): boolean {
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2)
    if (type === 'Q') return hasCommit(first)
    if (type === 'P') remember(commitStatements, first, hasCommit(second))
    if (type === 'B') remember(commitPortals, first, commitStatements.has(second))
    return type === 'E' && commitPortals.has(first)
  }

  function nextMessage(): FrontendMessage | undefined {
    // Only the startup packet and the requests before it have no type byte.
    const lengthAt = isStartup ? 0 : 1
    if (rest.length < lengthAt + 4) return undefined
    const size = lengthAt + rest.readInt32BE(lengthAt)
    if (rest.length < size) return undefined
    const bytes = rest.subarray(0, size)
    rest = rest.subarray(size)
    if (!isStartup) {
      const type = String.fromCharCode(bytes[0] ?? 0)
      return { bytes, isStartup: type === 'p', isCommit: isCommit(type, bytes.subarray(5)) }
    }
    const code = bytes.readInt32BE(4)
    isStartup = code === requestCodes.ssl || code === requestCodes.gss
    return { bytes, isStartup: true, isCommit: false }
  }

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: FrontendMessage[] = []
    for (let next = nextMessage(); next; next = nextMessage()) messages.push(next)
    return messages
  }
}

function remember(names: Set<string>, name: string, isIn: boolean): void {
  if (isIn) names.add(name)
  else names.delete(name)
}

// Text that merely contains the word, such as a message that says "commit", isn't a commit.
function hasCommit(sql: string): boolean {
  const words = sql.replace(
    /\/\*[\s\S]*?\*\/|--[^\n]*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"/g,
    ' ',
  )
  return words.split(';').some((statement) => /^\s*(commit|end)\b/i.test(statement))
}
