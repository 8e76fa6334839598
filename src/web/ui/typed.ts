// The text of a field. The address follows it a moment later, and the list follows the address.

import { useEffect, useRef, useState } from 'react'

const TYPING_MS = 150

/**
 * An address that changed in another way, such as by Reset or Back, changes the field. One that only follows doesn't,
 * because more may have been typed since.
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
