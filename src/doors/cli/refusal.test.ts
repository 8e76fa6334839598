import { expect, test } from 'bun:test'
import { Refusal } from '../../core/error.ts'
import { callerBy, field, operation, type Sentence, sentence } from '../../core/sentence.ts'
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

test('a field is its flag: of a list the singular, of a part its own, of a position its word', async () => {
  expect(await wordFor('mail send', [], sentence`${field('in_reply_to')}?`)).toBe('--in-reply-to?')
  expect(await wordFor('push', [], field('docs'))).toBe('DOC')
  expect(await wordFor('mail mark-read', ['--message=a'], field('messages'))).toBe('--message')
  expect(await wordFor('done', [], field('artifacts.metadata_json'))).toBe(
    '--artifact-metadata-json',
  )
  expect(await wordFor('show', ['thr_1'], field('thread'))).toBe('THREAD')
  expect(await wordFor('show', ['--thread=thr_1'], field('thread'))).toBe('--thread')
})

test('the store is --db; what is no field of the command is called as it is', async () => {
  expect(await wordFor('list', [], field('db'))).toBe('--db')
  expect(await wordFor('import', [], field('header.floor'))).toBe('header.floor')
  for (const name of ['__proto__', 'constructor']) {
    expect(await wordFor('list', [], field(name))).toBe(name)
  }
})

test('who calls is said by flag, by position or by the variable', async () => {
  expect(await wordFor('claim', ['--agent=x'], field('agent'), { agent: 'y' })).toBe('--agent')
  expect(await wordFor('claim', [], field('agent'), { agent: 'y' })).toBe('INBOX_AGENT')
  expect(await wordFor('claim', [], field('agent'))).toBe('--agent')
  expect(await wordFor('agent status', ['x'], field('agent'), { agent: 'y' })).toBe('AGENT')
  expect(await wordFor('send', [], callerBy('from'))).toBe('--from or INBOX_AGENT')
})

test('an operation is a command that can be run as it stands', async () => {
  expect(await wordFor('done', [], operation('claim', { thread: 'thr_1' }))).toBe(
    "'inbox claim thr_1'",
  )
  const register = operation('agent register', { agent: 'bob', role: 'NAME' })
  expect(await wordFor('send', [], register)).toBe("'inbox agent register bob --role NAME'")
  expect(await wordFor('token revoke', [], operation('token list', { all: true }))).toBe(
    "'inbox token list --all'",
  )
})

test('what to do is added where the command tells it', async () => {
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
