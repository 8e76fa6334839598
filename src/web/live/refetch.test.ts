import { expect, test } from 'bun:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { refetchAfter } from './refetch.ts'

const SENT = { event_id: 7, event_type: 'mail_send', thread_id: 'thr_1', agent: 'worker' }

test('a first answer that was loading during events is refetched once', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const answers: ((answer: string) => void)[] = []
  const observer = new QueryObserver(queries, {
    queryKey: ['mail count', {}],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  })
  const seen = new Promise<void>((resolve) => {
    observer.subscribe(({ data }) => data === 'new' && resolve())
  })
  refetchAfter(queries, [SENT])
  refetchAfter(queries, [{ ...SENT, event_id: 8 }])
  expect(answers).toHaveLength(1)
  answers[0]?.('old')
  while (answers.length < 2) await Bun.sleep(1)
  answers[1]?.('new')
  await seen
  expect(answers).toHaveLength(2)
  observer.destroy()
  queries.clear()
})

test('an event invalidates the lists of its kind, but only its own thread', () => {
  const queries = new QueryClient()
  const keys = [
    ['desk list', { limit: 1 }],
    ['show', { thread: 'thr_1' }],
    ['show', { thread: 'thr_2' }],
    ['request get', { request: 'thr_1' }],
    ['me'],
  ]
  for (const key of keys) queries.setQueryData(key, {})
  refetchAfter(queries, [SENT])
  expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  queries.clear()
})

test('the progress of an effect invalidates its request', () => {
  const queries = new QueryClient()
  const key = ['request get', { request: 'thr_1' }]
  queries.setQueryData(key, {})
  refetchAfter(queries, [{ ...SENT, event_type: 'effect_end' }])
  expect(queries.getQueryState(key)?.isInvalidated).toBe(true)
  queries.clear()
})
