// The names that the page shows for people and agents. The person using the page is called You.

import { useQuery } from '@tanstack/react-query'
import { me } from '../api/queries.ts'

export function useDisplayName(): (name: string) => string {
  const { data } = useQuery(me)
  const own = data?.principal.name
  return (name) => {
    const plain = name.replace(/^agent:/, '')
    return plain === own ? 'You' : plain.replace(/^user:/, '')
  }
}

/** The form of a name inside a sentence. */
export function inSentence(called: string): string {
  return called === 'You' ? 'you' : called
}

export function DisplayName({ name, isWithin = false }: { name: string; isWithin?: boolean }) {
  const called = useDisplayName()(name)
  return <>{isWithin ? inSentence(called) : called}</>
}
