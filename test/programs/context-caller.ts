// An agent that posts in its channel through several servers, given as NAME=URL arguments, and records the responses.
// It identifies itself by a name, by its token, or by another agent's token.

import fs from 'node:fs'

const { INBOX_AGENT = '', INBOX_TOKEN = '', NOTES = '' } = process.env
const { INBOX_CONTEXT_URL = '', INBOX_CONTEXT_SOCKET = '', OTHER_TOKEN = '' } = process.env
const [served = ''] = process.argv.slice(2)

async function say(way: string, url: string, headers: Record<string, string>, unix?: string) {
  const params = { name: 'channel_send', arguments: { message: `@bob by ${way}` } }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ...(unix === undefined ? {} : { unix }),
  })
  await response.text()
  fs.appendFileSync(NOTES, `${way} ${response.status}\n`)
}

const name = { 'x-agent-id': INBOX_AGENT }
const token = (secret: string) => ({ authorization: `Bearer ${secret}` })
await say('name at the port', INBOX_CONTEXT_URL, name)
await say('name at the socket', 'http://localhost/mcp', name, INBOX_CONTEXT_SOCKET)
if (served !== '') await say('name at serve', served, name)
if (INBOX_TOKEN !== '') {
  await say('token at the port', INBOX_CONTEXT_URL, token(INBOX_TOKEN))
  await say("another's token", INBOX_CONTEXT_URL, token(OTHER_TOKEN))
  if (served !== '') await say('token at serve', served, token(INBOX_TOKEN))
}
