// Tests completion the way a shell does it. Bash always runs. zsh and fish run where they are installed; elsewhere,
// their scripts are compared with the catalogue.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { flagSpecs, GLOBAL_FLAGS } from '../../src/doors/cli/flags.ts'
import { operations } from '../../src/doors/cli/listing.ts'
import { ask, DIST, folders, run } from './process.ts'

const ops = await operations()
const folder = folders()
const here = folder()
await Bun.write(join(here, 'notes.md'), '')

async function script(shell: string): Promise<string> {
  const { code, out, err } = await run(['completion', shell], { folder: here })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

async function inShell(cmd: string[], place = here) {
  const env = { PATH: `${DIST}:${process.env.PATH}` }
  const { code, out, err } = await run([], { folder: place, env, program: cmd })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

/** What bash would offer after these arguments; the last one is being typed. */
function completed(...words: string[]): Promise<string[]> {
  return completedIn(here, ...words)
}

async function completedIn(place: string, ...words: string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const out = await inShell(
    [
      'bash',
      '--norc',
      '-c',
      `eval "$(inbox completion bash)"
     COMP_WORDS=(inbox ${quoted}); COMP_CWORD=${words.length}
     _inbox
     printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    place,
  )
  return out.split('\n').filter((line) => line !== '')
}

test('bash accepts the script', async () => {
  const file = join(here, 'completion.bash')
  await Bun.write(file, await script('bash'))
  expect(await inShell(['bash', '-n', file])).toBe('')
  expect(await inShell(['bash', '--norc', '-c', `source ${file}; complete -p inbox`])).toContain(
    '_inbox',
  )
})

test('bash completes commands', async () => {
  expect(await completed('cl')).toEqual(['claim'])
  const all = await completed('')
  const firsts = ops.map(({ name }) => name.split(' ')[0] as string)
  expect(all).toEqual([...new Set([...firsts, 'help', 'version', 'completion'])])
  expect(await completed('--db', 'x.db', 'wai')).toEqual(['wait-reply'])
})

test('bash completes the second word of a two-word command', async () => {
  const seconds = ops.flatMap(({ name }) => (name.startsWith('mail ') ? [name.slice(5)] : []))
  expect(seconds).toContain('send')
  expect(await completed('mail', '')).toEqual(seconds)
  expect(await completed('mail', 'sen')).toEqual(['send'])
  expect(await completed('--db', 'x.db', 'mail', '--json', 'sen')).toEqual(['send'])
  expect(await completed('help', 'mail', 'sen')).toEqual(['send'])
  expect(await completed('help', 'cla')).toEqual(['claim'])
  expect(await completed('help', 'claim', '--')).toEqual([])
  expect(await completed('mail', 'send', '--type', 'task-d')).toEqual(['task-done'])
  expect(await completed('mail', '--agent', 'worker', 'send', '--sub')).toEqual(['--subject'])
})

test.each(ops.map(({ name }) => name))('bash completes every flag of %s', async (name) => {
  const op = ops.find((one) => one.name === name)
  const flags = [...flagSpecs(op?.fields ?? {}), ...GLOBAL_FLAGS].map(({ flag }) => flag)
  expect(await completed(...name.split(' '), '--')).toEqual(expect.arrayContaining(flags))
})

test('bash completes values, files and shells', async () => {
  expect(await completed('update', '--status', '')).toEqual(
    expect.arrayContaining(['in_progress', 'blocked']),
  )
  expect(await completed('send', '--priority', 'h')).toEqual(['high'])
  expect(await completed('send', '--to', 'worker', '--body-file', 'no')).toEqual(['notes.md'])
  expect(await completed('completion', 'z')).toEqual(['zsh'])
})

test('a flag of one command is not offered for another', async () => {
  expect(await completed('claim', '--thr')).toEqual(['--thread'])
  expect(await completed('doctor', '--thr')).toEqual([])
})

test.each(['zsh', 'fish'])(
  'the script for %s names every command, flag and value',
  async (shell) => {
    const text = await script(shell)
    for (const op of ops) {
      expect(text).toContain(op.name)
      for (const { flag, of } of flagSpecs(op.fields)) {
        expect(text).toContain(shell === 'fish' ? `-l ${flag.slice(2)} ` : `${flag}`)
        if (of !== undefined) expect(text).toContain(of.join(' '))
      }
    }
  },
)

/** The typed text, and the text after the completion key, in a folder whose store has one thread: `ID`. */
const COMPLETED = {
  cla: 'claim ',
  'mail sen': 'mail send ',
  'mail send --ty': 'mail send --type=',
  'mail send --type task-d': 'mail send --type task-done ',
  'send --body-file no': 'send --body-file notes.md ',
  '--db x.db cla': '--db x.db claim ',
  '--db no': '--db notes.md ',
  '--js': '--json ',
  'mail --agent worker sen': 'mail --agent worker send ',
  'mail --agent worker send --sub': 'mail --agent worker send --subject=',
  'claim --js': 'claim --json ',
  'help cla': 'help claim ',
  'help mail sen': 'help mail send ',
  'completion z': 'completion zsh ',
  'import no': 'import notes.md ',
  'workflow run no': 'workflow run notes.md ',
  'push hist': 'push history ',
  'push no': 'push notes.md ',
  'push notes.md --works': 'push notes.md --workspace=',
  'push --comments-file no': 'push --comments-file notes.md ',
  'show ': 'show ID ',
  'send wor': 'send worker ',
  'desk snooze ': 'desk snooze ID ',
}

/** Types each line in a terminal, then the completion key, then a key that prints the line. */
const ZSH_AT_A_TERMINAL = String.raw`
zmodload zsh/zpty
zpty at zsh -f -i
zpty -w at "PS1=; autoload -Uz compinit; compinit -D -u; source $1; bindkey '^I' complete-word"
zpty -w at 'said() { print -r -- "<$BUFFER>"; BUFFER=; }; zle -N said; bindkey "^X" said; print rea""dy'
while zpty -r at out; do [[ $out == ready* ]] && break; done
shift
for line in "$@"; do
  zpty -w -n at "inbox $line"$'\t\x18'
  zpty -r -m at out '*<*>*'
  print -r -- "$out"
done
zpty -d at`

async function withThread() {
  const place = folder()
  await Bun.write(join(place, 'notes.md'), '')
  const words = ['send', '--from=lead', '--to=worker', '--subject=Say: "it\'s 50% done"; [$x]']
  const { thread } = await ask(words, { folder: place })
  return { place, id: thread.thread_id.slice(14, 20) }
}

// The runner reports these as skipped if the shell isn't installed; we don't install it.
test.skipIf(Bun.which('zsh') === null)('zsh accepts its script and completes', async () => {
  const { place, id } = await withThread()
  const file = join(place, '_inbox')
  await Bun.write(file, await script('zsh'))
  expect(await inShell(['zsh', '-n', file])).toBe('')
  const lines = Object.keys(COMPLETED)
  const out = await inShell(['zsh', '-f', '-c', ZSH_AT_A_TERMINAL, 'zsh', file, ...lines], place)
  expect([...out.matchAll(/<inbox ([^>]*)>/g)].map(([, words]) => words)).toEqual(
    Object.values(COMPLETED).map((words) => words.replace('ID', id)),
  )
})

test.skipIf(Bun.which('fish') === null)('fish accepts its script and completes', async () => {
  const { place, id } = await withThread()
  const file = join(place, 'inbox.fish')
  await Bun.write(file, await script('fish'))
  expect(await inShell(['fish', '--no-execute', file])).toBe('')
  const asked = Object.keys(COMPLETED).map((typed) => `complete -C 'inbox ${typed}'; echo ==`)
  const out = await inShell(['fish', '-N', '-c', `source ${file}; ${asked.join('; ')}`], place)
  for (const [at, words] of Object.values(COMPLETED).entries()) {
    const last = words.replace('ID', id).trim().split(' ').at(-1)?.replace('=', '')
    expect(out.split('==\n')[at]).toMatch(new RegExp(`^${last}[\\t\\n]`))
  }
})

test('an unknown shell is refused with the names of the known ones', async () => {
  const ran = await run(['completion', 'tcsh'], { folder: here })
  expect(ran).toMatchObject({
    code: 30,
    out: '',
    err: `inbox: there is no completion for "tcsh"; name a shell, one of bash, zsh, fish; 'inbox completion --help' says what to do with it\n`,
  })
})

test('thread ids are offered with their subjects, and without a store none are', async () => {
  const place = folder()
  expect(await run(['completion', 'ids'], { folder: place })).toEqual({ code: 0, out: '', err: '' })
  const { thread } = await ask(['send', '--from=lead', '--to=worker', '--subject=Write it'], {
    folder: place,
  })
  const { out } = await run(['completion', 'ids'], { folder: place })
  expect(out).toBe(`${thread.thread_id.slice(14, 20)}\tWrite it\n`)
  expect(await completedIn(place, 'show', '')).toEqual([thread.thread_id.slice(14, 20)])
})

test('agents, requests, pushes and clients are offered where one is expected', async () => {
  const place = folder()
  const around = { folder: place }
  await ask(['send', '--from=lead', '--to=worker', '--subject=Write it'], around)
  const asked = [
    'request',
    'create',
    '--agent=lead',
    '--type=deploy',
    '--title=Ship it',
    '--payload={}',
  ]
  const { request_id } = (await ask(asked, around)) as unknown as { request_id: string }
  const pushed = await ask(['push', '--agent=lead', '--comments=Look'], around)
  const { entry_id } = pushed as unknown as { entry_id: string }
  for (const words of [
    ['mail', 'send'],
    ['send', '--to'],
    ['agent', 'status'],
    ['claim', '--agent'],
  ])
    expect(await completedIn(place, ...words, 'w')).toEqual(['worker'])
  expect(await completedIn(place, 'approve', '')).toEqual([request_id.slice(14, 20)])
  expect(await completedIn(place, 'push', 'show', '')).toEqual([entry_id.slice(0, 8)])
  expect(await completedIn(place, 'install', 'c')).toEqual(['claude', 'codex', 'cursor'])
  const unreadable = folder()
  await Bun.write(join(unreadable, '.agents/coord.db'), 'no store')
  expect(await run(['completion', 'ids'], { folder: unreadable })).toEqual({
    code: 0,
    out: '',
    err: '',
  })
  for (const what of ['agents', 'requests', 'pushes']) {
    const none = await run(['completion', what], { folder: folder() })
    expect(none).toEqual({ code: 0, out: '', err: '' })
  }
})
