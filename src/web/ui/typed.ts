// The words of a field that the address follows a moment later, and the list the address.

import { useEffect, useRef, useState } from 'react'

const TYPING_MS = 150

/**
 * An address that changed otherwise, by Reset or by going back, changes the field. One that only follows does not: more
 * may have been typed meanwhile.
 */
export function useTyped(
  value: string,
  onChange: (value: string) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed === told.current) return
    const timer = setTimeout(() => {
      told.current = typed
      tell.current(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
