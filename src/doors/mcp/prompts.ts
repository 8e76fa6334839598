// Prompts that a person can pick in an agent's program, so that nobody has to know the tools' names.

import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { ToolSet } from '../../core/principal.ts'

type Prompt = { name: string; set: ToolSet; description: string; says: string }

const PROMPTS: readonly Prompt[] = [
  {
    name: 'check_mail',
    set: 'mailbox',
    description: 'Read the mail, deal with it, and say what was done.',
    says: 'Read your mail with read_messages. Deal with each message, answer where an answer is wanted, and mark_read what you have dealt with. Then tell me in a few lines what came and what you did.',
  },
  {
    name: 'take_work',
    set: 'threads',
    description: 'Claim the next piece of work and do it.',
    says: 'Claim the next piece of work with thread_claim. If there is none, say so. Else do it, renew the lease while you work, ask with thread_update (blocked) where something is missing, and end with thread_done or thread_fail. Then tell me what came of it.',
  },
]

export function promptsOf(sets: readonly ToolSet[]): Prompt[] {
  return PROMPTS.filter(({ set }) => sets.includes(set))
}

export function servePrompts(server: Server, prompts: readonly Prompt[]): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, description }) => ({ name, description })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name)
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${params.name}`)
    }
    const { description, says: text } = prompt
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
}
