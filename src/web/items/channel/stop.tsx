// Stops a run or one of its agents. This can't be undone, so the person has to confirm it.

import { useMutation } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { useState } from 'react'
import { call, makeKey } from '../../api/call.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { ChannelAgent } from './around.tsx'
import type { ChannelView } from './channel.tsx'

export function StopInstance({ instance }: { instance: ChannelView['instance'] }) {
  const { instance: id, standalone } = instance
  const [isOpen, setOpen] = useState(false)
  const stop = useStop(standalone ? id : `@${id}`, `Asked ${id} to stop`)
  useCommands([{ title: `Stop ${id}…`, keys: '', group: 'Channel', run: () => setOpen(true) }])
  return (
    <>
      <Button look="quiet" icon={Square} onClick={() => setOpen(true)} aria-label={`Stop ${id}…`}>
        <span>Stop…</span>
      </Button>
      <Confirm
        isOpen={isOpen}
        title={`Stop ${id}?`}
        action="Stop all agents"
        onClose={() => setOpen(false)}
        onConfirm={stop}
      >
        <p>
          Every agent in this run will be asked to stop, and ended shortly after. Messages and
          documents are kept.
        </p>
      </Confirm>
    </>
  )
}

export function StopAgent({ agent: { name, agent_id } }: { agent: ChannelAgent }) {
  const [isOpen, setOpen] = useState(false)
  const stop = useStop(agent_id, `Asked ${name} to stop`)
  return (
    <span data-stop>
      <Button look="quiet" icon={Square} label={`Stop ${name}…`} onClick={() => setOpen(true)} />
      <Confirm
        isOpen={isOpen}
        title={`Stop ${name}?`}
        action={`Stop ${name}`}
        onClose={() => setOpen(false)}
        onConfirm={stop}
      >
        <p>It will be asked to stop, and ended shortly after. The other agents keep working.</p>
      </Confirm>
    </span>
  )
}

function useStop(target: string, done: string): () => void {
  const { mutate } = useMutation({
    mutationFn: () => call('workflow stop', { target, timeout_seconds: 0 }, { key: makeKey() }),
    onSuccess: () => showToast({ id: `stop ${target}`, text: done }),
    onError: ({ message }) =>
      showToast({
        id: `stop ${target}`,
        text: `Couldn’t stop ${target}`,
        more: message,
        isFailure: true,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['workflow channel'] }),
  })
  return mutate
}
