import { expect, test } from 'bun:test'
import { compileMigration, compiler, precompile } from './compile.ts'

function both(text: string, params = {}, now?: () => string) {
  return {
    sqlite: compiler('sqlite', { q: text })('q', params, now),
    postgres: compiler('postgres', { q: text })('q', params, now),
  }
}

test('a parameter becomes a numbered placeholder, the same one at each use', () => {
  const { sqlite, postgres } = both('select :b, :a where x = :b', { a: 1, b: 'two' })
  expect(sqlite).toMatchObject({ sql: 'select ?1, ?2 where x = ?1', values: ['two', 1] })
  expect(postgres).toMatchObject({ sql: 'select $1, $2 where x = $1', values: ['two', 1] })
})

test('null is a value; a missing parameter is an error that names query and parameter', () => {
  expect(both('select :a', { a: null }).sqlite.values).toEqual([null])
  for (const params of [{}, { a: undefined }, { b: 1 }]) {
    expect(() => both('select :a', params)).toThrow('query q: parameter a is missing')
  }
  expect(() => both('select :list...', {})).toThrow()
  expect(() => compiler('sqlite', {})('unknown', {})).toThrow('no query named unknown')
})

test('a list becomes as many placeholders as it has members', () => {
  const text = 'select 1 where x in (:xs...) and y = :y'
  const { sqlite, postgres } = both(text, { xs: ['a', 'b'], y: 'c' })
  expect(sqlite).toMatchObject({ sql: 'select 1 where x in (?1, ?2) and y = ?3' })
  expect(postgres).toMatchObject({
    sql: 'select 1 where x in ($1, $2) and y = $3',
    values: ['a', 'b', 'c'],
  })
})

test('repeats a block for each value of a list, joined by union all', () => {
  const text =
    'select * from (\n-- each :xs (\nselect 1 where x = :xs.each and y = :y\n-- )\n) parts'
  const { sqlite, postgres } = both(text, { xs: ['a', 'b'], y: 'c' })
  const words = (sql: string) => sql.replace(/\s+/g, ' ')
  expect(words(sqlite.sql)).toBe(
    'select * from ( select 1 where x = ?1 and y = ?2 union all select 1 where x = ?3 and y = ?2 ) parts',
  )
  expect(sqlite.values).toEqual(['a', 'c', 'b'])
  expect(words(postgres.sql)).toContain('x = $3 and y = $2')
  expect(postgres.values).toEqual(['a', 'c', 'b'])
})

test('a list of another length makes another statement with its own key', () => {
  const compile = compiler('sqlite', { q: 'select 1 where x in (:xs...)' })
  const two = compile('q', { xs: [1, 2] })
  const three = compile('q', { xs: [1, 2, 3] })
  expect(three.sql).not.toBe(two.sql)
  expect(three.key).not.toBe(two.key)
  expect(compile('q', { xs: [8, 9] })).toMatchObject({ key: two.key, values: [8, 9] })
})

test('drops a conditional line if its parameter is missing', () => {
  const text = 'select 1 where a = :a\n  and b = :b -- if :b\norder by 1'
  expect(both(text, { a: 1, b: 2 }).postgres).toMatchObject({ values: [1, 2] })
  const { sql, values, key } = both(text, { a: 1 }).postgres
  expect(sql.split(/\s+/).join(' ')).toBe('select 1 where a = $1 order by 1')
  expect(values).toEqual([1])
  expect(key).not.toBe(both(text, { a: 1, b: 2 }).postgres.key)
  // A null parameter isn't missing, so the line stays.
  expect(both(text, { a: 1, b: null }).sqlite.values).toEqual([1, null])
})

test('drops a conditional block if its parameter is missing', () => {
  const text =
    'select 1\n  -- if :deep (\n  and exists (select :deep\n    and :other)\n  -- )\nlimit 1'
  expect(both(text, { deep: 1, other: 2 }).sqlite.values).toEqual([1, 2])
  const without = both(text, { other: 2 }).sqlite
  expect(without.sql.split(/\s+/).join(' ')).toBe('select 1 limit 1')
  expect(without.values).toEqual([])
})

test('binds the time on SQLite and calls a function for it on PostgreSQL', () => {
  const { sqlite, postgres } = both('select 1 where at <= :now', {}, () => 'noon')
  expect(sqlite).toMatchObject({ sql: 'select 1 where at <= ?1', values: ['noon'] })
  expect(postgres).toMatchObject({ sql: 'select 1 where at <= (select store_now())', values: [] })
  expect(() => both('select :now').sqlite).toThrow('parameter now is missing')
})

test('keeps /*pg*/ text for PostgreSQL only, and ignores comments and casts', () => {
  const text = 'select a::text /*pg for update */ -- says :nothing\n'
  const { sqlite, postgres } = both(text)
  expect(sqlite.sql.trim()).toBe('select a::text')
  expect(postgres.sql.trim()).toBe('select a::text  for update')
  expect(postgres.values).toEqual([])
})

test('compiles fixed queries at build time, and the others when used', () => {
  expect(precompile('select :a', 'postgres')).toEqual({ sql: 'select $1', names: ['a'] })
  expect(precompile('select :a', 'sqlite')).toEqual({ sql: 'select ?1', names: ['a'] })
  for (const text of ['select 1 in (:xs...)', 'select 1 -- if :a']) {
    expect(precompile(text, 'sqlite')).toBe(text)
  }
  const built = compiler('sqlite', { q: precompile('select :a', 'sqlite') })
  expect(built('q', { a: 7 })).toEqual({ key: 'q', sql: 'select ?1', values: [7] })
  expect(() => built('q', {})).toThrow('parameter a is missing')
})

test('a migration is unchanged for SQLite, and gets other types for PostgreSQL', () => {
  const text = `create table t (
  id integer primary key autoincrement,
  name text not null default 'integer text',
  -- Not a column: integer text.
  foreign key (name) references u (name)
);
/*pg create function f() returns text as $$ select 'x' $$; */`
  expect(compileMigration(text, 'sqlite')).toBe(text)
  const postgres = compileMigration(text, 'postgres')
  expect(postgres).toContain('  id bigint primary key generated by default as identity,')
  expect(postgres).toContain(`  name text collate "C" not null default 'integer text',`)
  expect(postgres).toContain('create function f() returns text as')
  expect(postgres).not.toContain('/*pg')
})

test('expands unread(d) at build time', () => {
  const built = precompile('select 1 from deliveries d where unread(d) and d.seq = :seq', 'sqlite')
  expect(built).toEqual({
    sql: "select 1 from deliveries d where (d.state in ('queued', 'presented') or d.unread_at is not null) and d.seq = ?1",
    names: ['seq'],
  })
})
