import { expect, test } from 'bun:test'
import { isSecretName, isSecretPath } from './secrets.ts'

test('recognizes the names of secrets, but not similar names', () => {
  for (const name of ['password', 'API_KEY', 'api-key', 'client_secret', 'access_token', 'token']) {
    expect({ name, isSecret: isSecretName(name) }).toEqual({ name, isSecret: true })
  }
  for (const name of ['max_tokens', 'tokens_used', 'author', 'authority', 'key', 'limit']) {
    expect({ name, isSecret: isSecretName(name) }).toEqual({ name, isSecret: false })
  }
  expect(isSecretPath('/db/credentials/user')).toBe(true)
  expect(isSecretPath('/db/limits/0')).toBe(false)
})
