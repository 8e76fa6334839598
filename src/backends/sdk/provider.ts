// Determines how to reach a model from its id (PROVIDER/MODEL) and the environment variables: with the provider's key
// if there is one, otherwise with the gateway's key. Runs before anything starts.

import { quote } from '../../core/error.ts'

export type Variables = Readonly<Record<string, string | undefined>>

export type ModelPlace =
  | {
      way: 'anthropic' | 'compatible'
      provider: string
      model: string
      baseURL: string
      key: string
    }
  | { way: 'gateway'; model: string; baseURL: string | undefined; key: string }

const ADDRESSES: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
}

const GATEWAY = 'AI_GATEWAY'
const KEY = '_API_KEY'
const ADDRESS = '_BASE_URL'
const ID = /^([a-zA-Z][a-zA-Z0-9_-]*)\/([^\s]+)$/

/** If the model can't be reached, returns a string with the reason and the remedy. */
export function placeOf(model: string | undefined, env: Variables): ModelPlace | string {
  if (model === undefined || model === '') {
    return 'the backend sdk needs a model; write one such as anthropic/claude-sonnet-4-5'
  }
  const [, provider, name] = ID.exec(model) ?? []
  if (provider === undefined || name === undefined) {
    return `the model ${quote(model)} names no provider; write PROVIDER/MODEL, such as anthropic/claude-sonnet-4-5`
  }
  const own = provider.toUpperCase().replaceAll('-', '_')
  const key = env[own + KEY] ?? ''
  const given = env[own + ADDRESS] ?? ''
  const baseURL = given === '' ? ADDRESSES[provider] : given
  // A local model often needs no key, so an address is enough.
  if (baseURL !== undefined && (key !== '' || isOwnAddress(provider, given))) {
    if (!URL.canParse(baseURL)) {
      return `${own}${ADDRESS} is not a URL: ${quote(baseURL)}; write one such as http://127.0.0.1:11434/v1`
    }
    const way = provider === 'anthropic' ? 'anthropic' : 'compatible'
    return { way, provider, model: name, baseURL: withVersion(way, baseURL), key }
  }
  const gatewayKey = env[GATEWAY + KEY] ?? ''
  if (gatewayKey !== '') {
    return { way: 'gateway', model, baseURL: env[GATEWAY + ADDRESS], key: gatewayKey }
  }
  const needed =
    provider in ADDRESSES ? `${own}${KEY}` : `${own}${ADDRESS} (and ${own}${KEY}, if it wants one)`
  return `there is no key for the model ${quote(model)}; set ${needed}, or ${GATEWAY}${KEY} for the gateway`
}

function isOwnAddress(provider: string, given: string): boolean {
  return given !== '' && !(provider in ADDRESSES)
}

/** Anthropic's programs leave the version out of this variable, but the package expects it. */
function withVersion(way: 'anthropic' | 'compatible', baseURL: string): string {
  const bare = baseURL.replace(/\/+$/, '')
  return way === 'compatible' || bare.endsWith('/v1') ? bare : `${bare}/v1`
}

/** The environment variables without model keys, for programs that a turn starts. */
export function withoutKeys(env: Readonly<Record<string, string>>, model: string | undefined) {
  const [provider = ''] = (model ?? '').split('/')
  const own = provider.toUpperCase().replaceAll('-', '_')
  const secret = ['ANTHROPIC', 'OPENAI', GATEWAY, own].map((name) => name + KEY)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.includes(name)))
}
