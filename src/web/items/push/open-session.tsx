// Opens the agent's own session. If the server may, it starts the owner's terminal; otherwise there is a command to copy.

import { useMutation } from '@tanstack/react-query'
import { Copy, SquareTerminal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CallRefusal, call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { copyWithToast } from '../../ui/copy-button.tsx'
import dialogCss from '../../ui/dialog.module.css'
import { showToast } from '../../ui/toasts.tsx'
import css from './push.module.css'

export function OpenSession({ entry, agent }: { entry: string; agent: string }) {
  const [command, setCommand] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: () => openSession(entry),
    onSuccess({ isOpen, shell, why }) {
      if (isOpen) showToast({ id: entry, text: `Opened ${agent}’s session in your terminal` })
      else if (shell === null) showToast({ id: entry, text: why, isFailure: true })
      else setCommand(shell)
    },
    onError: ({ message }) =>
      showToast({ id: entry, text: `Couldn’t open the session: ${message}`, isFailure: true }),
  })
  useCommands([{ title: 'Open session', keys: 't', group: 'Writing', run: () => mutate() }])
  return (
    <>
      <Button look="quiet" disabled={isPending} onClick={() => mutate()}>
        <span className={css.word}>Open session</span> <SquareTerminal size={16} aria-hidden />
      </Button>
      {command === null ? null : (
        <CommandDialog command={command} agent={agent} onClose={() => setCommand(null)} />
      )}
    </>
  )
}

type SessionStart = { isOpen: boolean; shell: string | null; why: string }

/** A session without the page's key may not start anything, and still learns the command. */
async function openSession(entry: string): Promise<SessionStart> {
  try {
    const { opened: isOpen, shell, why } = await call('open', { entry })
    return { isOpen, shell, why }
  } catch (error) {
    if (!(error instanceof CallRefusal) || error.status !== 403) throw error
    const { shell, why } = await call('push resume', { entry })
    return { isOpen: false, shell, why }
  }
}

type CommandProps = { command: string; agent: string; onClose: () => void }

function CommandDialog({ command, agent, onClose }: CommandProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const copy = async () => {
    await copyWithToast(command)
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} className={css.dialog} aria-labelledby="session-title" onClose={onClose}>
      <h2 id="session-title" className={dialogCss.title}>{`Resume ${agent}’s session`}</h2>
      <p className="quiet">Run this in a terminal on the machine the agent ran on.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <pre className={css.command} tabIndex={0}>
        {command}
      </pre>
      <p className="quiet">
        If the server runs on your own machine, it can open the session for you: set INBOX_TERMINAL
        to your terminal.
      </p>
      <div className={dialogCss.buttons}>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
        {navigator.clipboard === undefined ? null : (
          <Button look="ink" icon={Copy} autoFocus onClick={() => void copy()}>
            Copy
          </Button>
        )}
      </div>
    </dialog>
  )
}
