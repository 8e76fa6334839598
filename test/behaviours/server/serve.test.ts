import { expect } from 'bun:test'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'

behaves('serve/others', async ({ inbox }) => {
  // Only the shell has this command, so the library has no type for it.
  const { serve } = inbox as unknown as { serve: (input: object) => Promise<object> }
  for (const words of [{ host: '0.0.0.0' }, { allow_hosts: ['inbox.example'] }]) {
    const { message } = await refused(serve(words), 'invalid_input')
    expect(message).toContain('add --auth tokens')
  }
})

behaves('serve/demo', async ({ inbox }) => {
  const { serve } = inbox as unknown as { serve: (input: object) => Promise<object> }
  const before = await inbox.status({})
  const { message } = await refused(serve({ demo: true }), 'invalid_input')
  expect(message).toContain('leave out --db')
  expect(await inbox.status({})).toEqual(before)
})
