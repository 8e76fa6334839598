import { useCallback, useEffect, useRef } from 'react'

/**
 * Gives the focus back when what was opened is closed: to where it was, else to the row, else to the title. Whoever opens
 * something calls the answer before.
 */
export function useFocusBack(isOpened: boolean, id: string): () => void {
  const before = useRef<Element | null>(null)
  const was = useRef(false)
  useEffect(() => {
    const isClosed = was.current && !isOpened
    was.current = isOpened
    if (!isClosed || !isLost(document.activeElement)) return
    const places = [
      before.current,
      document.querySelector(`[data-row="${CSS.escape(id)}"]`),
      document.querySelector('#request-title'),
    ]
    const place = places.find((one) => one instanceof HTMLElement && !isLost(one))
    if (place instanceof HTMLElement) place.focus()
  }, [isOpened, id])
  return useCallback(() => {
    before.current = document.activeElement
  }, [])
}

function isLost(element: Element | null): boolean {
  return element === null || element === document.body || !element.checkVisibility()
}
