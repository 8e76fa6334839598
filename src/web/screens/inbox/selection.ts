// The selected row. It moves in the frame of the key press; the address, and with it the open item, follows when the
// keys pause. So holding a key down opens no rows along the way, and marks none as read.

import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { goOnTo } from '../../items/thread/read-after-dwell.ts'
import { readInboxSearch } from './search.ts'

const PAUSE_MS = 150

export type SelectOptions = {
  /** Adds a step to the browser's history even if something is open already. */
  isStep?: boolean
}

export function useSelected(
  openId: string | undefined,
): [string | undefined, (id: string | undefined, options?: SelectOptions) => void] {
  const [selected, setSelected] = useState(openId)
  const navigate = useNavigate()
  const sent = useRef(openId)
  const moved = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (openId === sent.current) return
    sent.current = openId
    clearTimeout(timer.current)
    goOnTo(openId)
    setSelected(openId)
  }, [openId])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      goOnTo(undefined)
    },
    [],
  )
  const select = useCallback(
    (id: string | undefined, { isStep = false }: SelectOptions = {}) => {
      setSelected(id)
      goOnTo(id)
      clearTimeout(timer.current)
      const open = () => {
        const replace = !isStep && sent.current !== undefined
        sent.current = id
        // The filters may have changed during the pause, so read them from the address now.
        const search = (now: object) => readInboxSearch({ ...now })
        if (id === undefined) void navigate({ to: '/inbox', search, replace: true })
        else void navigate({ to: '/inbox/$id', params: { id }, search, replace })
      }
      const isPaused = performance.now() - moved.current > PAUSE_MS
      moved.current = performance.now()
      if (isPaused || isStep) open()
      else timer.current = setTimeout(open, PAUSE_MS)
    },
    [navigate],
  )
  return [selected, select]
}
