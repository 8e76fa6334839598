// How refusals name fields and operations over HTTP.

import { asJson, type DoorWords } from '../../core/sentence.ts'
import { pathName } from './ops-route.ts'
import type { Route } from './route.ts'

/** Names an operation by its path. The store keeps its flag: it was named in the shell that started the server. */
export function wordsAt(names: Route['names'] = {}): DoorWords {
  const own = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined)
  const field = (name: string) => own(name) ?? (name === 'db' ? '--db' : name)
  const operation: DoorWords['operation'] = (name, input) =>
    `/api/ops/${pathName(name)} ${asJson(input)}`.trimEnd()
  return { field, caller: field, operation }
}
