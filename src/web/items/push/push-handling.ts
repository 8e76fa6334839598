// Marking a push as read and moving it to the trash. Both can be undone, so neither asks first. Both wait if there is no
// connection.

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { asking, queries } from '../../api/queries.ts'
import { submit } from '../../live/outbox.ts'
import { dismissToast, showToast } from '../../ui/toasts.tsx'
import { afterDwell, isToBeRead, openAnew, useDwell } from '../thread/read-after-dwell.ts'

export type ListAddress = '/inbox' | '/notifications' | '/trash'

type PushEntry = OperationAnswer<'push show'>['entry']

export function useHandling(entry: PushEntry, isTrashed: boolean, backTo: ListAddress) {
  const { entry_id: id, unread, subject, replies } = entry
  const navigate = useNavigate()
  const refetch = () => {
    void queries.invalidateQueries({ queryKey: ['desk list'] })
    void queries.invalidateQueries({ queryKey: ['push show', { entry: id }] })
  }
  const { mutate: mark } = useMutation({
    networkMode: 'always',
    mutationFn: (op: 'push read' | 'push unread') =>
      submit({ op, input: { entries: [id] }, about: id, title: `Marking “${subject}”` }),
    async onMutate(op) {
      const { queryKey } = asking('push show', { entry: id })
      // A pending answer may be older than the mark.
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(
        queryKey,
        (before) =>
          before && { ...before, entry: { ...before.entry, unread: op === 'push unread' } },
      )
    },
    onError: ({ message }) =>
      showToast({ id, text: `Couldn’t mark it: ${message}`, isFailure: true }),
    onSettled: refetch,
  })
  const { mutate: trash } = useMutation({
    networkMode: 'always',
    mutationFn: () => {
      const title = `Moving “${subject}” to trash`
      return submit({ op: 'push trash', input: { entries: [id] }, about: id, title })
    },
    onSuccess(answer) {
      const restore = () => {
        dismissToast(id)
        const title = `Restoring “${subject}”`
        void submit({ op: 'push restore', input: { entries: [id] }, about: id, title })
          .catch(({ message }) =>
            showToast({ id, text: `Couldn’t restore it: ${message}`, isFailure: true }),
          )
          .finally(refetch)
      }
      const undo = { run: restore, until: Date.now() + 10_000 }
      const text = answer === null ? 'Moves to trash when you’re back online' : 'Moved to trash'
      showToast({ id, text, more: subject, undo })
      void navigate({ to: backTo, search: (before: object) => before })
    },
    onError: (error) =>
      showToast({ id, text: `Couldn’t move it to trash: ${error.message}`, isFailure: true }),
    onSettled: refetch,
  })
  const dwell = useDwell()
  useEffect(() => openAnew(id), [id])
  const opened = `${id} ${replies}`
  const readAs = useRef('')
  useEffect(() => {
    if (!unread || isTrashed || readAs.current === opened || dwell === undefined) return
    return afterDwell(dwell, () => {
      if (!isToBeRead(id)) return
      readAs.current = opened
      mark('push read')
    })
  }, [id, unread, isTrashed, opened, dwell, mark])
  return {
    toggleRead: () => mark(unread ? 'push read' : 'push unread'),
    trash: () => trash(),
  }
}
