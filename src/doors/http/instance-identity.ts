// Identifies the agent of a workflow's instance that is calling: by the token of its turn, or on a server that trusts
// names by the header X-Agent-Id. No other caller is admitted.

import { isAgentId } from '../../core/agents/address.ts'
import { quote } from '../../core/error.ts'
import { type Instance, memberOf } from '../../core/workflows/instance.ts'
import { unknownInstance } from '../../core/workflows/say.ts'
import { decline } from './answer.ts'
import { type HttpServer, liveStores, type ServedStore } from './http-server.ts'
import { type HttpVisit, type IdentifiedCaller, identifyByToken, UNKNOWN } from './identity.ts'

export type IdentifiedMember = IdentifiedCaller & { instance: string }

export async function mustBeMember(
  server: HttpServer,
  visit: HttpVisit,
  name: string,
): Promise<IdentifiedMember> {
  const { request, url, connection } = visit
  const { headers } = request
  const said = [headers.get('x-agent-id'), headers.get('x-inbox-agent')]
  const names = [...said, url.searchParams.get('agent')].filter((one) => one !== null)
  const authorization = headers.get('authorization')
  if (authorization !== null) {
    const known = await identifyByToken(server, authorization, connection)
    const instance = await instanceOf(known.served, name)
    if (instance === null) throw unknownInstance(name)
    return mustMatchToken(known, instance, names)
  }
  const { served: own } = connection
  if (own === undefined && server.auth !== 'local') {
    throw decline(401, 'this server needs the token of your turn', UNKNOWN)
  }
  if (names.length === 0) {
    throw decline(
      401,
      `say which agent of ${name} you are: with the token of your turn, or the header X-Agent-Id: NAME@${name}`,
      UNKNOWN,
    )
  }
  const found = await findInstance(own === undefined ? server.stores : [own], name, url)
  const [agent, ...others] = names.map((one) => agentIn(one, found.instance))
  if (agent === undefined || others.some((one) => one !== agent)) {
    throw decline(403, 'X-Agent-Id, X-Inbox-Agent and ?agent= name different agents; send one')
  }
  const proof = own === undefined ? 'claim' : 'socket'
  const principal = { kind: 'agent', name: agent, proof } as const
  return { served: found.served, principal, instance: name }
}

function mustMatchToken(
  known: IdentifiedCaller,
  instance: Instance,
  said: readonly string[],
): IdentifiedMember {
  const { kind, name } = known.principal
  if (kind !== 'agent' || memberOf(instance, name) === undefined) {
    throw decline(
      403,
      `your token belongs to ${name}, which is not an agent of ${instance.instance}`,
    )
  }
  if (said.some((one) => agentIn(one, instance) !== name)) {
    throw decline(403, `your token says that you are ${name}; leave out X-Agent-Id and ?agent=`)
  }
  return { ...known, instance: instance.instance }
}

/** `coder@pr-123` and `coder` are the same agent of pr-123; `coder@other` isn't an agent of it. */
function agentIn(text: string, instance: Instance): string {
  const { members, instance: name } = instance
  if (!isAgentId(text)) throw decline(400, `X-Agent-Id is not the name of an agent: ${quote(text)}`)
  const found =
    members.find((one) => one.agent_id === text) ?? members.find((one) => one.name === text)
  if (found !== undefined) return found.agent_id
  const [, other] = text.split('@')
  throw decline(
    403,
    other !== undefined && other !== name
      ? `${text} is an agent of ${other}, and this is the address of ${name}`
      : `${text} takes no part in ${name}; its agents are ${members.map((one) => one.agent_id).join(', ')}`,
  )
}

async function findInstance(
  stores: readonly ServedStore[],
  name: string,
  url: URL,
): Promise<{ served: ServedStore; instance: Instance }> {
  const wanted = url.searchParams.get('store')
  const asked = liveStores(stores).filter(({ id }) => wanted === null || wanted === id)
  const looked = await Promise.all(
    asked.map(async (served) => {
      const instance = await instanceOf(served, name)
      return instance === null ? [] : [{ served, instance }]
    }),
  )
  const [found, another] = looked.flat()
  if (found === undefined) throw unknownInstance(name)
  if (another === undefined) return found
  throw decline(
    401,
    `several stores of this server have an instance ${name}; use the token of your turn, or name the store with ?store=ID`,
    UNKNOWN,
  )
}

async function instanceOf({ house }: ServedStore, name: string): Promise<Instance | null> {
  return house.store.instance(name)
}
