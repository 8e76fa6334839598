import { expect, test } from 'bun:test'
import type { StoreEvent } from '../core/event.ts'
import { RECORDS, type StoreFacts } from '../core/records.ts'
import { compiler, type MadeQuery } from './compile.ts'
import { recordWrites } from './record-writes.ts'

const AT = '2026-03-01T08:00:00.000Z'

function written(facts: StoreFacts): { text: string; params: object } {
  const event: StoreEvent = { agent: 'ann', at: AT, summary: '', facts }
  const [write] = recordWrites(event, RECORDS)
  if (write === undefined || typeof write.query === 'string') throw new Error('nothing was written')
  return { text: write.query.text, params: write.params }
}

test('a repeatable event inserts all columns, and does not update the ones a row keeps', () => {
  const { text, params } = written({
    type: 'agent_register',
    agent_id: 'ann',
    role: '',
    source: 'agent',
    wake: {},
    parent_agent_id: null,
    paired_person: null,
    may_write_to_user: true,
  })
  expect(params).toMatchObject({ may_write_to_user: 1, wake_json: '{}', registered_at: AT })
  const [insert, update] = text.split(' on conflict (agent_id) do update set ')
  for (const column of ['declared_status', 'registered_at']) {
    expect(insert).toContain(`:${column}`)
    expect(update).not.toContain(column)
  }
  expect(update).toContain('wake_json = excluded.wake_json')
  expect(update).not.toContain('agent_id = excluded.agent_id,')
})

test('an event about an existing row writes only the columns it names', () => {
  expect(written({ type: 'agent_declare', agent_id: 'ann', status: 'off' })).toEqual({
    text: 'update agents set declared_status = :declared_status, declared_at = :declared_at, updated_at = :updated_at where agent_id = :agent_id',
    params: { declared_status: 'off', declared_at: AT, updated_at: AT, agent_id: 'ann' },
  })
  expect(written({ type: 'person_add', person_id: 'user:eve' }).text).toBe(
    'insert into people (person_id, added_at) values (:person_id, :added_at) on conflict (person_id) do nothing',
  )
})

test('the order of facts does not change the query', () => {
  const end = { wake_id: 'wak_1', agent_id: 'ann', state: 'ended', upto_event: 1 } as const
  const first = written({ type: 'wake_end', ...end, exit_code: 0, reason: '', stderr: '' })
  const second = written({ type: 'wake_end', stderr: '', reason: '', exit_code: 0, ...end })
  expect(second.text).toBe(first.text)
})

test('rejects two queries with the same name', () => {
  const compile = compiler('sqlite', { two: 'select 2' })
  const query: MadeQuery = { name: 'one', text: 'select :a' }
  expect(compile(query, { a: 1 })).toEqual({ key: 'one', sql: 'select ?1', values: [1] })
  expect(compile({ ...query }, { a: 2 }).values).toEqual([2])
  expect(() => compile({ name: 'one', text: 'select :b' }, { b: 1 })).toThrow('two queries')
  expect(() => compile({ name: 'two', text: 'select 3' }, {})).toThrow('two queries')
})
