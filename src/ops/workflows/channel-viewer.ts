// The viewers of channels from outside are people. An agent reads the channel of its own instance.

import { isPerson, USER } from '../../core/agents/agent.ts'
import { refuse } from '../../core/error.ts'
import { operation, sentence } from '../../core/sentence.ts'

export function personAtChannels(given: string | undefined): string {
  const name = given ?? USER
  if (isPerson(name)) return name
  throw refuse(
    'forbidden',
    sentence`this is how people look at channels, and ${name} is an agent; an agent reads its own with ${operation('workflow context read')}`,
  )
}
