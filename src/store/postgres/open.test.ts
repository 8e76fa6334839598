import { expect, test } from 'bun:test'
import { Refusal } from '../../core/error.ts'
import { parseAddress } from './open.ts'

function refusalOf(url: string): Refusal {
  try {
    parseAddress(url)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('it was not refused')
}

test('takes the schema out of the address, and leaves other known parameters', () => {
  const { schema, place, config } = parseAddress('POSTGRES://u:secret@h/d?schema=s&sslmode=disable')
  expect({ schema, place }).toEqual({ schema: 's', place: 'postgres://h/d?schema=s' })
  expect(config.connectionString).toBe('postgres://u:secret@h/d?sslmode=disable')
  expect(parseAddress('postgres://h/d?connect_timeout=3&application_name=x').schema).toBe(
    'mailroom',
  )
})

// The client library would accept all of these, and some override what a store relies on.
for (const name of ['shema', 'Schema', 'options', 'dbname', 'types', 'pipeline', 'search_path']) {
  test(`rejects the parameter ${name} without showing its value`, () => {
    const refusal = refusalOf(`postgres://h/d?schema=s&${name}=hidden`)
    expect(refusal.code).toBe('invalid_input')
    expect(refusal.message).toContain(JSON.stringify(name))
    expect(refusal.message).not.toContain('hidden')
  })
}

test('rejects PostgreSQL’s own schemas as reserved', () => {
  for (const schema of ['pg_catalog', 'pg_temp', 'pg_mine', 'information_schema']) {
    const refusal = refusalOf(`postgres://h/d?schema=${schema}`)
    expect(refusal.code).toBe('invalid_input')
    expect(refusal.message).toContain('reserved')
  }
  for (const schema of ['pgmine', 'information_schema_2', '_pg_x']) {
    expect(parseAddress(`postgres://h/d?schema=${schema}`).schema).toBe(schema)
  }
})
