// The words of refusals over HTTP.

import { asJson, type DoorWords } from '../../core/sentence.ts'
import { pathName } from './ops-route.ts'
import type { Route } from './route.ts'

/** An operation is named by its path. The store was named by the shell that started the server. */
export function wordsAt(names: Route['names'] = {}): DoorWords {
  const own = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined)
  const field = (name: string) => own(name) ?? (name === 'db' ? '--db' : name)
  const operation: DoorWords['operation'] = (name, input) =>
    `/api/ops/${pathName(name)} ${asJson(input)}`.trimEnd()
  return { field, caller: field, operation }
}
