// Ctrl or ⌘ with Enter sends the open answer, wherever the focus is. An open dialog handles that key itself.

import { type RefObject, useEffect, useRef } from 'react'

export function useSendKey(form: RefObject<HTMLElement | null>, send: () => void): void {
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat) return
      const dialog = document.querySelector('dialog[open]')
      if (dialog !== null && !dialog.contains(form.current)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [form])
}
