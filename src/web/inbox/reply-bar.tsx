// The reply, always at the foot. It says who gets it and whether they can be reached, and keeps what was not sent.

import { useMutation } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { makeKey } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { useCommands } from '../shell/commands.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { withLocalTimes } from '../ui/time.tsx'
import css from './reply-bar.module.css'

/** Why it may take a while until it is read; null when nothing stands in its way. */
type Sent = { why: string | null }

type Props = {
  draftOf: string
  to: string
  /** What the field is for, before the name. */
  verb?: string
  send: (text: string, key: string) => Promise<Sent>
}

export function ReplyBar({ draftOf, to, verb = 'Reply to', send }: Props) {
  const place = `draft:reply:${draftOf}`
  const [text, setText] = useState(() => sessionStorage.getItem(place) ?? '')
  const [key, setKey] = useState(makeKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const keep = (next: string) => {
    setText(next)
    if (next === '') sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, next)
  }
  const sending = useMutation({
    mutationFn: () => send(text.trim(), key),
    onSuccess() {
      keep('')
      setKey(makeKey())
      void queries.invalidateQueries()
    },
  })
  const submit = () => text.trim() !== '' && !sending.isPending && sending.mutate()
  useCommands(
    useMemo(
      () => [
        { title: `${verb} ${to}`, keys: 'r', group: 'Writing', run: () => field.current?.focus() },
      ],
      [verb, to],
    ),
  )
  return (
    <form
      className={css.bar}
      aria-label="Reply"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {sending.error === null ? null : (
        <p className={css.failed} role="alert">{`Couldn't send it: ${sending.error.message}.`}</p>
      )}
      {sending.data === undefined ? null : (
        <p className={css.sent} role="status">
          {sending.data.why === null
            ? `Sent. It waits for ${to}.`
            : `Sent. ${withLocalTimes(sending.data.why, Date.now())}`}
        </p>
      )}
      <div className={css.box}>
        <textarea
          ref={field}
          className={css.field}
          rows={1}
          placeholder={`${verb} ${to}`}
          aria-label={`${verb} ${to}`}
          value={text}
          onChange={({ target }) => keep(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            submit()
          }}
        />
        {text === '' ? <Key name="r" /> : null}
        <Button
          look="quiet"
          type="submit"
          icon={SendHorizontal}
          label="Send"
          disabled={text.trim() === '' || sending.isPending}
        />
      </div>
    </form>
  )
}
