// The row that is selected. It moves in the frame of the key; the address, and with it what is opened, follows when the
// hand rests. So a key that is held down opens nothing on its way, and reads nothing.

import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { goOnTo } from '../../items/thread/reading.ts'
import { readInboxSearch } from './search.ts'

const REST_MS = 150

export type SelectOptions = {
  /** A row that the person went back from is not a step of the history. */
  isStep?: boolean
}

export function useSelected(
  openId: string | undefined,
): [string | undefined, (id: string | undefined, how?: SelectOptions) => void] {
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
      const follow = () => {
        const replace = !isStep && sent.current !== undefined
        sent.current = id
        // The filters may have changed while the hand rested, so they are those of the address now.
        const search = (now: object) => readInboxSearch({ ...now })
        if (id === undefined) void navigate({ to: '/inbox', search, replace: true })
        else void navigate({ to: '/inbox/$id', params: { id }, search, replace })
      }
      const isResting = performance.now() - moved.current > REST_MS
      moved.current = performance.now()
      if (isResting || isStep) follow()
      else timer.current = setTimeout(follow, REST_MS)
    },
    [navigate],
  )
  return [selected, select]
}
