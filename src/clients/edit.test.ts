import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { CLIENTS } from '../core/clients/client.ts'
import { type Piece, piecesFor } from './client.ts'
import { type EditRecord, put as putKnowing, removePiece as takeOut } from './edit.ts'

const WANTED = {
  reach: { command: 'inbox', args: ['mcp', '--agent', "it's me"] },
  toolHook: (event: string) => ['inbox', 'tool-hook', '--event', event],
  hook: (event: string) => ['inbox', 'hook', '--client', 'x', '--event', event, '--agent', 'a b'],
  skills: { mailbox: '# Mailbox\n' },
}

const NOBODY = { before: [], parseToml: Bun.TOML.parse }
const put = (text: string | null, piece: Piece, before: Piece[] = []) =>
  putKnowing(text, piece, { ...NOBODY, before })
const removePiece = (text: string, piece: Piece, made: EditRecord) =>
  takeOut(text, piece, { ...NOBODY, made }).text

const ALL = { hooks: true, approvals: true, skills: true }

/** Inserts every piece of a client into its files. The returned function removes them in reverse order. */
function there(files: Map<string, string | null>, pieces: Piece[]) {
  const made: EditRecord[] = pieces.map((piece) => {
    const edited = put(files.get(piece.file) ?? null, piece)
    files.set(piece.file, edited.text)
    return edited.made
  })
  return () => {
    for (const [i, piece] of [...pieces.entries()].toReversed()) {
      const text = files.get(piece.file) ?? null
      files.set(piece.file, text === null ? null : removePiece(text, piece, made[i] as EditRecord))
    }
  }
}

const blank = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n\n',
  '\t',
  ' // a word\n',
  '\n  /* more, { words } */\n',
)
const scalar = fc.constantFrom('1', 'true', 'null', '"x, y"', '"// no comment"', '"}"')
const keys = ['mcpServers', 'hooks', 'mcp', 'Stop', 'stop', 'UserPromptSubmit', 'BeforeAgent', 'a']

const list = fc
  .tuple(fc.array(fc.tuple(blank, scalar, blank), { maxLength: 3 }), blank, fc.boolean())
  .map(([items, end, comma]) => {
    const inside = items.map((parts) => parts.join('')).join(',')
    return `[${inside}${comma && items.length > 0 ? ',' : ''}${end}]`
  })

/** Objects with comments, odd spaces and trailing commas, in which our keys have the required types. */
function object(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return blank.map((inside) => `{${inside}}`)
  const inner = object(depth - 1)
  const parts = fc.tuple(blank, inner, list, scalar, blank)
  return fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 4 }),
      fc.array(parts, { minLength: 4, maxLength: 4 }),
      blank,
      fc.boolean(),
    )
    .map(([names, all, end, comma]) => {
      const members = names.map((name, i) => {
        const [before, object, list, value, after] = all[i] as [string, ...string[]]
        const isList = /^[SsUB]/.test(name)
        const isObject = ['mcpServers', 'hooks', 'mcp'].includes(name)
        return `${before}"${name}":${isList ? list : isObject ? object : value}${after}`
      })
      return `{${members.join(',')}${comma && names.length > 0 ? ',' : ''}${end}}`
    })
}

/** Whether `after` still contains everything in `before`: members of objects, and lists from their start. */
function keeps(after: unknown, before: unknown): boolean {
  if (typeof before !== 'object' || before === null) return after === before
  if (Array.isArray(after) !== Array.isArray(before)) return false
  return Object.entries(before).every(([key, value]) =>
    keeps((after as Record<string, unknown>)[key], value),
  )
}

describe('installing into files that people wrote', () => {
  test('removes exactly what it added, to the byte', () => {
    fc.assert(
      fc.property(object(3), fc.constantFrom(...CLIENTS), (text, client) => {
        const pieces = piecesFor(client, 'project', WANTED, ALL)
        const own = pieces.filter((piece) => !('text' in piece || 'lines' in piece))
        const files = new Map<string, string | null>(own.map(({ file }) => [file, text]))
        const before = new Map(files)
        const undo = there(files, own)
        for (const after of files.values()) {
          expect(keeps(parse(after as string), parse(text))).toBe(true)
        }
        undo()
        // A required value stays if other hooks need it too; nothing else differs.
        const { hooks = {} } = parse(text)
        if (client !== 'cursor' || Object.keys(hooks).length === 0) expect(files).toEqual(before)
      }),
      { numRuns: 500 },
    )
    // Enough time for this many runs on a busy machine.
  }, 60_000)

  test('removes the files it created', () => {
    for (const client of CLIENTS) {
      const files = new Map<string, string | null>()
      there(files, piecesFor(client, 'user', WANTED, ALL))()
      expect([...files.values()].every((text) => text === null)).toBe(true)
    }
  })

  test('installing twice changes nothing more', () => {
    for (const client of CLIENTS) {
      const files = new Map<string, string | null>()
      const pieces = piecesFor(client, 'project', WANTED, ALL)
      there(files, pieces)
      const once = new Map(files)
      there(files, pieces)
      expect(files).toEqual(once)
    }
  })

  test('removes its entry even after others were added next to it', () => {
    const piece: Piece = { file: 'f', put: ['mcpServers', 'mailroom'], value: { command: 'inbox' } }
    const { text, made } = put('{ "a": 1 }\n', piece)
    const grown = text
      .replace('"inbox"\n', '"inbox"\n')
      .replace('"mcpServers": {', '"mcpServers": { "other": {},')
    const left = removePiece(grown, piece, made)
    expect(parse(left as string)).toEqual({ a: 1, mcpServers: { other: {} } })
  })

  test('keeps the text around its lines', () => {
    const piece: Piece = {
      file: 'f',
      table: ['mcp_servers', 'mailroom'],
      lines: '[mcp_servers.mailroom]\ncommand = "inbox"',
    }
    for (const text of ['', 'a = 1', 'a = 1\n', 'a = 1\n\n', '[b]\nc = 2\r\n']) {
      const { text: after, made } = put(text, piece)
      // If the last line had no line ending, it needs one now.
      const before = text.endsWith('1') ? `${text}\n\n` : text
      expect(removePiece(`${after}[later]\n`, piece, made)).toBe(`${before}[later]\n`)
      expect(removePiece(after, piece, made)).toBe(text)
    }
    expect(() => put('[mcp_servers.mailroom]\n', piece)).toThrow('remove it first')
  })

  test('recognizes only the exact lines it wrote, whatever markers surround them', () => {
    const piece = (name: string) => ({
      file: 'f',
      table: ['mcp_servers', 'mailroom'],
      lines: `[mcp_servers.mailroom]\ncommand = "${name}"`,
    })
    const block = put('', piece('old')).text
    const [begin = '', ...lines] = block.split('\n')
    const end = lines.at(-2) ?? ''
    const string = `s = """\n${block}"""\n`
    const marks = [
      `[keep]\nz = 1\n${begin}\n[mine]\nq = 1\n`,
      `${end}\n[mine]\nq = 1\n`,
      `${begin}\n${begin}\n[mine]\nq = 1\n${end}\n${end}\n`,
      `s = """\n${begin}\n"""\n[mine]\nq = "${end}"\n`,
      string,
      `${end}\n${string}${begin}\n`,
    ]
    for (const own of marks) {
      for (const [head, tail] of [
        [own, ''],
        ['', `[other]\n${own}`],
        [own, `[other]\n${string}`],
      ] as const) {
        const { text, made } = put(head, piece('old'))
        const edited = put(`${text}${tail}`, piece('new'), [piece('old')])
        expect(Bun.TOML.parse(edited.text)).toMatchObject({
          mcp_servers: { mailroom: { command: 'new' } },
        })
        expect(removePiece(edited.text, piece('new'), made)).toBe(`${head}${tail}`)
      }
    }
  })

  test('leaves lines that were changed or added to', () => {
    const piece: Piece = {
      file: 'f',
      table: ['mcp_servers', 'mailroom'],
      lines: '[mcp_servers.mailroom]\ncommand = "inbox"',
    }
    const { text, made } = put('a = 1\n', piece)
    for (const changed of [
      text.replace('"inbox"', '"mine"'),
      text.replace('"inbox"\n', '"inbox"\nenv = { A = "mine" }\n'),
      text.replace('command', '# mine\ncommand'),
    ]) {
      const left = takeOut(changed, piece, { ...NOBODY, made })
      expect(left).toEqual({ text: changed, isLeft: true })
      expect(() => put(changed, piece, [piece])).toThrow('changed since it was written')
    }
  })

  test('uses the line ends of the file', () => {
    const piece: Piece = {
      file: 'f',
      table: ['mcp_servers', 'mailroom'],
      lines: '[mcp_servers.mailroom]\ncommand = "inbox"',
    }
    const own = 'a = 1\r\n\r\n[b]\r\nc = 2\r\n'
    const { text, made } = put(own, piece)
    expect(text.match(/(?<!\r)\n/)).toBeNull()
    expect(put(text, piece, [piece]).text).toBe(text)
    const newer = { ...piece, lines: piece.lines.replace('inbox', 'newer') }
    const edited = put(text, newer, [piece]).text
    expect([edited.includes('newer'), edited.match(/(?<!\r)\n/)]).toEqual([true, null])
    expect(removePiece(edited, newer, made)).toBe(own)
  })

  test('rejects text nested too deeply', () => {
    const json: Piece = { file: 'f', put: ['a', 'b'], value: 1 }
    expect(() => put('['.repeat(100_000), json)).toThrow('f is nested too deeply')
    const toml: Piece = { file: 'f', table: ['a', 'b'], lines: '[a.b]' }
    expect(() => put(`a = ${'['.repeat(100_000)}`, toml)).toThrow('f is nested too deeply')
  })

  test('rejects text that isn’t a JSON object', () => {
    const piece: Piece = { file: 'f', put: ['a', 'b'], value: 1 }
    for (const text of ['[]', '{', '{"a": }', 'true', '{"a": 1}']) {
      expect(() => put(text, piece)).toThrow(/f (is not a JSON object|has something unexpected)/)
    }
  })
})
