import { expect, test } from 'bun:test'
import { refuse } from '../../core/error.ts'
import { callerBy, field, operation, type Sentence, sentence } from '../../core/sentence.ts'
import { loadOperation, type OperationName } from '../../ops/catalogue.ts'
import { arities, parseFlags } from './argv.ts'
import { inShellWords } from './refused.ts'

async function said(
  name: OperationName,
  args: string[],
  sentence: Sentence,
  { agent, ...details }: { agent?: string; stray?: string; missing?: string } = {},
): Promise<string> {
  const op = await loadOperation(name)
  const parsed = parseFlags(args, arities(op.fields), '')
  const refusal = refuse('invalid_input', sentence, details)
  return (await inShellWords(refusal, { op, parsed, agent, program: 'inbox' })).message
}

test('a field is its flag: of a list the singular, of a part its own, of a position its word', async () => {
  expect(await said('mail send', [], sentence`${field('in_reply_to')}?`)).toBe('--in-reply-to?')
  expect(await said('push', [], field('docs'))).toBe('DOC')
  expect(await said('mail mark-read', ['--message=a'], field('messages'))).toBe('--message')
  expect(await said('done', [], field('artifacts.metadata_json'))).toBe('--artifact-metadata-json')
  expect(await said('show', ['thr_1'], field('thread'))).toBe('THREAD')
  expect(await said('show', ['--thread=thr_1'], field('thread'))).toBe('--thread')
})

test('the store is --db; what is no field of the command is called as it is', async () => {
  expect(await said('list', [], field('db'))).toBe('--db')
  expect(await said('import', [], field('header.floor'))).toBe('header.floor')
  for (const name of ['__proto__', 'constructor']) {
    expect(await said('list', [], field(name))).toBe(name)
  }
})

test('who calls is said by flag, by position or by the variable', async () => {
  expect(await said('claim', ['--agent=x'], field('agent'), { agent: 'y' })).toBe('--agent')
  expect(await said('claim', [], field('agent'), { agent: 'y' })).toBe('INBOX_AGENT')
  expect(await said('claim', [], field('agent'))).toBe('--agent')
  expect(await said('agent status', ['x'], field('agent'), { agent: 'y' })).toBe('AGENT')
  expect(await said('send', [], callerBy('from'))).toBe('--from or INBOX_AGENT')
})

test('an operation is a command that can be run as it stands', async () => {
  expect(await said('done', [], operation('claim', { thread: 'thr_1' }))).toBe(
    "'inbox claim thr_1'",
  )
  const register = operation('agent register', { agent: 'bob', role: 'NAME' })
  expect(await said('send', [], register)).toBe("'inbox agent register bob --role NAME'")
  expect(await said('token revoke', [], operation('token list', { all: true }))).toBe(
    "'inbox token list --all'",
  )
})

test('what to do is added where the command tells it', async () => {
  expect(
    await said('show', [], sentence`${field('thread')} is missing`, { missing: 'thread' }),
  ).toBe("THREAD is missing; see 'inbox show --help'")
  expect(await said('mail history', [], 'it is unexpected', { stray: 'thr_1' })).toBe(
    'unexpected "thr_1"; did you mean --thread thr_1?',
  )
  expect(await said('mail history', [], 'it is unexpected', { stray: 'x' })).toBe(
    'it is unexpected',
  )
})
