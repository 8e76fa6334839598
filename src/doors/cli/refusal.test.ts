import { expect, test } from 'bun:test'
import { callerBy, field, operation, Refusal, type Sentence, sentence } from '../../core/error.ts'
import { loadOperation, type OperationName } from '../../ops/catalogue.ts'
import { arities, parseFlags } from './argv.ts'
import { wordForShell } from './refusal.ts'

async function wordFor(
  name: OperationName,
  args: string[],
  sentence: Sentence,
  { agent, ...details }: { agent?: string; stray?: string; missing?: string } = {},
): Promise<string> {
  const op = await loadOperation(name)
  const parsed = parseFlags(args, arities(op.fields), '')
  const refusal = new Refusal('invalid_input', sentence, details)
  return (await wordForShell(refusal, { op, parsed, agent, program: 'inbox' })).message
}

test('names a field by its flag, singular for a list, and by its placeholder if positional', async () => {
  expect(await wordFor('mail send', [], sentence`${field('in_reply_to')}?`)).toBe('--in-reply-to?')
  expect(await wordFor('push', [], field('docs'))).toBe('DOC')
  expect(await wordFor('mail mark-read', ['--message=a'], field('messages'))).toBe('--message')
  expect(await wordFor('done', [], field('artifacts.metadata_json'))).toBe(
    '--artifact-metadata-json',
  )
  expect(await wordFor('show', ['thr_1'], field('thread'))).toBe('THREAD')
  expect(await wordFor('show', ['--thread=thr_1'], field('thread'))).toBe('--thread')
})

test('names the store --db, and leaves names that are not fields unchanged', async () => {
  expect(await wordFor('list', [], field('db'))).toBe('--db')
  expect(await wordFor('import', [], field('header.floor'))).toBe('header.floor')
  for (const name of ['__proto__', 'constructor']) {
    expect(await wordFor('list', [], field(name))).toBe(name)
  }
})

test('names the caller by flag, position or variable, whichever was used', async () => {
  expect(await wordFor('claim', ['--agent=x'], field('agent'), { agent: 'y' })).toBe('--agent')
  expect(await wordFor('claim', [], field('agent'), { agent: 'y' })).toBe('INBOX_AGENT')
  expect(await wordFor('claim', [], field('agent'))).toBe('--agent')
  expect(await wordFor('agent status', ['x'], field('agent'), { agent: 'y' })).toBe('AGENT')
  expect(await wordFor('send', [], callerBy('from'))).toBe('--from or INBOX_AGENT')
})

test('prints an operation as a command that can be run', async () => {
  expect(await wordFor('done', [], operation('claim', { thread: 'thr_1' }))).toBe(
    "'inbox claim thr_1'",
  )
  const register = operation('agent register', { agent: 'bob', role: 'NAME' })
  expect(await wordFor('send', [], register)).toBe("'inbox agent register bob --role NAME'")
  expect(await wordFor('token revoke', [], operation('token list', { all: true }))).toBe(
    "'inbox token list --all'",
  )
})

test('adds a hint when the command has one', async () => {
  expect(
    await wordFor('show', [], sentence`${field('thread')} is missing`, { missing: 'thread' }),
  ).toBe("THREAD is missing; see 'inbox show --help'")
  expect(await wordFor('mail history', [], 'it is unexpected', { stray: 'thr_1' })).toBe(
    'unexpected "thr_1"; did you mean --thread thr_1?',
  )
  expect(await wordFor('mail history', [], 'it is unexpected', { stray: 'x' })).toBe(
    'it is unexpected',
  )
})
