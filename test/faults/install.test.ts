// Something goes wrong during an install. Either every file is changed, or every file is as it was.

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Around, folders, INBOX, ROOT, run } from '../program/process.ts'
import { extentAsked } from '../worlds/extent.ts'

const folder = folders()

const OWN: Record<string, string> = {
  '.mcp.json': '{\r\n  "mcpServers": { "other": { "command": "x" } }\r\n}\r\n',
  '.claude/settings.json': '{ "mine": true }',
}

const FILES = ['.mcp.json', '.claude/settings.json', '.claude/skills/inbox/SKILL.md']

function furnished(): string {
  const here = folder()
  for (const [path, text] of Object.entries(OWN)) {
    mkdirSync(dirname(join(here, path)), { recursive: true })
    writeFileSync(join(here, path), text)
  }
  return here
}

/** Every file except those of a store, by path. */
function all(here: string): Record<string, string> {
  const entries = readdirSync(here, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(here.length + 1))
    .filter((path) => !path.startsWith('.agents/'))
  return Object.fromEntries(
    files.sort().map((path) => [path, readFileSync(join(here, path), 'utf8')]),
  )
}

/** Runs the same program from its sources, and kills it at its Nth change to a file. */
function dying(words: string[], around: Around, at: number) {
  const program = [
    process.execPath,
    '--preload',
    join(ROOT, 'test/programs/dies-at.ts'),
    join(ROOT, 'src/bin/main.ts'),
  ]
  // Otherwise the runtime caches transpiled sources in the home folder.
  const env = { MAILROOM_DIES_AT: String(at), BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' }
  return run(words, { ...around, program, env })
}

const KILLED = 137
const NEVER = 0
/** Every third change is interrupted, or each in the full product. */
const STEP = extentAsked() === 'full' ? 1 : 3

test('an install killed at any change of a file is completed or undone by the next call', async () => {
  const here = furnished()
  // Fewer files change without skills, but in just as many ways.
  const words = ['claude', '--no-skills', '--db', join(folder(), 'store.db')]
  const before = all(here)
  let at = 1
  let code = KILLED
  const ends = new Set<string>()
  for (; code === KILLED; at += STEP) {
    ;({ code } = await dying(['install', ...words], { folder: here }, at))
    if (code === 0) break
    expect(code).toBe(KILLED)
    // Either the install was undone, or it was complete and is removed here.
    const gone = await run(['uninstall', 'claude'], { folder: here })
    ends.add(gone.code === 0 ? 'all' : 'none')
    expect([0, 40]).toContain(gone.code)
    expect({ at, left: all(here) }).toEqual({ at, left: before })
  }
  expect(at).toBeGreaterThan(10)
  expect(ends).toContain('none')

  // The same for uninstall.
  const installed = all(here)
  for (at = 1; ; at += STEP) {
    const ran = await dying(['uninstall', 'claude'], { folder: here }, at)
    if (ran.code === 0) break
    expect(ran.code).toBe(KILLED)
    const again = await dying(['install', ...words], { folder: here }, NEVER)
    expect({ at, code: again.code, left: all(here) }).toEqual({ at, code: 0, left: installed })
  }
  expect(at).toBeGreaterThan(10)
  expect(all(here)).toEqual(before)
}, 240_000)

test('a file edited after the kill is not restored', async () => {
  const words = ['claude', '--no-skills', '--db', join(folder(), 'store.db')]
  // At least one kill falls between the first file and the last.
  for (let at = 1; ; at += 1) {
    const here = furnished()
    const { code } = await dying(['install', ...words], { folder: here }, at)
    expect(code).toBe(KILLED)
    if (readFileSync(join(here, '.mcp.json'), 'utf8') === OWN['.mcp.json']) continue
    const mine = '{ "mine": "since" }'
    writeFileSync(join(here, '.mcp.json'), mine)
    await run(['uninstall', 'claude'], { folder: here })
    expect(all(here)).toEqual({ ...OWN, '.mcp.json': mine })
    break
  }
}, 120_000)

test.each(['install', 'uninstall'])(
  '%s refuses a read-only file and changes no other',
  async (word) => {
    for (const file of Object.keys(OWN)) {
      const here = furnished()
      if (word === 'uninstall') await run(['install', 'claude'], { folder: here })
      chmodSync(join(here, file), 0o444)
      const before = all(here)
      const ran = await run([word, 'claude'], { folder: here })
      expect(ran).toMatchObject({ code: 30, err: expect.stringContaining(`${file}" is read-only`) })
      expect(all(here)).toEqual(before)
      expect(statSync(join(here, file)).mode & 0o777).toBe(0o444)
    }
  },
)

test.each(FILES)('a pipe, a socket or a folder as %s is refused at once', async (file) => {
  const make = {
    pipe: (path: string) => expect(spawnSync('mkfifo', [path]).status).toBe(0),
    socket: async (path: string) => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(path, resolve))
      server.unref()
    },
    folder: (path: string) => void mkdirSync(path),
  }
  for (const lay of Object.values(make)) {
    const here = folder()
    mkdirSync(dirname(join(here, file)), { recursive: true })
    await lay(join(here, file))
    const before = all(here)
    const ran = await run(['install', 'claude'], { folder: here })
    expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('is not a file') })
    expect(all(here)).toEqual(before)
  }
})

test('a device is refused without being read', async () => {
  const here = mkdtempSync('/dev/shm/mailroom-')
  try {
    // A device of endless zeros, if this user can create one.
    if (spawnSync('mknod', [join(here, '.mcp.json'), 'c', '1', '5']).status !== 0) return
    const ran = await run(['install', 'claude'], { folder: here })
    expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('is not a file') })
  } finally {
    spawnSync('rm', ['-r', here])
  }
})

test.each([
  '.mcp.json',
  '.claude/settings.json',
  '.codex/config.toml',
  '.cursor/hooks.json',
  'opencode.json',
])('a hundred thousand brackets in %s are refused clearly', async (file) => {
  const here = folder()
  const own = `${file.endsWith('.toml') ? 'a = ' : ''}${'['.repeat(100_000)}`
  mkdirSync(dirname(join(here, file)), { recursive: true })
  writeFileSync(join(here, file), own)
  const client = /codex|cursor|opencode/.exec(file)?.[0] ?? 'claude'
  const ran = await run(['install', client], { folder: here })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('is nested too deeply') })
  expect(all(here)).toEqual({ [file]: own })
})

// The home folder, which holds the receipt, is on a disk with space; the project's disk is full.
const FULL_DISK = `
disk=$1 home=$2 inbox=$3
mount -t tmpfs -o size=128k tmpfs "$disk" && cp -r "$4/." "$disk" && cd "$disk" || exit 99
dd if=/dev/zero of=fill bs=1k 2>/dev/null
rm fill; dd if=/dev/zero of=fill bs=1k count=$5 2>/dev/null
HOME=$home "$inbox" install claude --db "$home/store.db"; echo "exit $?"
rm fill; find . -type f | sort | xargs cat; find . | sort
`

test('a disk that fills up at any point is reported, and every file is as it was', () => {
  const own = furnished()
  const list = (text: string) => text.slice(text.indexOf('exit'))
  const ends = new Set<number>()
  // Space for no file, for one, for two, and so on.
  for (const room of [4, 8, 12, 16, 20, 28, 36, 44]) {
    const [disk, home] = [folder(), folder()]
    const count = String(128 - 12 - room)
    const { stdout, stderr } = spawnSync(
      '/bin/sh',
      [
        '-c',
        'exec unshare --user --map-root-user --mount sh -c "$@"',
        'sh',
        FULL_DISK,
        'sh',
        disk,
        home,
        INBOX,
        own,
        count,
      ],
      { encoding: 'utf8', env: { PATH: process.env.PATH } },
    )
    const code = Number(/exit (\d+)/.exec(stdout)?.[1])
    ends.add(code)
    if (code === 0) continue
    expect({ room, code, stderr }).toMatchObject({ code: 30 })
    expect(stderr).toContain('the disk is full; every file is as it was')
    expect(list(stdout)).toBe(
      `exit 30\n${OWN['.claude/settings.json']}${OWN['.mcp.json']}.\n./.claude\n./.claude/settings.json\n./.mcp.json\n`,
    )
  }
  expect([...ends].sort()).toEqual([0, 30])
})

test('a home folder that cannot hold the receipt is refused clearly', async () => {
  const here = furnished()
  for (const word of ['install', 'uninstall']) {
    const ran = await run([word, 'claude'], {
      folder: here,
      env: { HOME: join(here, '.mcp.json') },
    })
    expect(ran).toMatchObject({ code: 30, err: expect.stringMatching(/cannot (make|read)/) })
  }
  expect(all(here)).toEqual(OWN)
})

test('a link to a missing file inside the folder is written through', async () => {
  const here = folder()
  mkdirSync(join(here, 'dots'))
  symlinkSync('dots/mcp.json', join(here, '.mcp.json'))
  expect((await run(['install', 'claude'], { folder: here })).code).toBe(0)
  expect(readFileSync(join(here, 'dots/mcp.json'), 'utf8')).toContain('mailroom')
})
