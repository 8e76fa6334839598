// A message that the person is writing: a field that grows, the key that sends it, and a draft of unsent text.

import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { type ComponentProps, type ReactNode, type RefObject, useRef, useState } from 'react'
import { makeKey } from '../../api/call.ts'
import { useDraft, withoutSent } from '../../live/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Key } from '../../ui/key.tsx'
import css from './letter.module.css'

export type WrittenLetter<Sent> = {
  /** Names the field and the command that focuses it. */
  title: string
  text: string
  keep: (text: string) => void
  field: RefObject<HTMLTextAreaElement | null>
  sending: UseMutationResult<Sent, Error, string>
}

type LetterInput<Sent> = {
  title: string
  draftOf: string
  /** Retries of the same message use the same key. */
  send: (text: string, key: string) => Promise<Sent>
  onSent: () => void
}

export function useLetter<Sent>({
  title,
  draftOf,
  send,
  onSent,
}: LetterInput<Sent>): WrittenLetter<Sent> {
  const [text, keep] = useDraft(`reply:${draftOf}`, '')
  const [key, setKey] = useState(makeKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const sending = useMutation({
    mutationFn: (words: string) => send(words.trim(), key),
    networkMode: 'always',
    onSuccess(_, words) {
      keep(withoutSent(words))
      setKey(makeKey())
      onSent()
    },
  })
  useCommands([{ title, keys: 'r', group: 'Writing', run: () => field.current?.focus() }])
  return { title, text, keep, field, sending }
}

type FormProps<Sent> = {
  letter: WrittenLetter<Sent>
  label: string
  className?: string | undefined
  above: ReactNode
  onKey?: (key: string) => boolean
  written?: ComponentProps<'textarea'>
  children?: ReactNode
}

export function LetterForm<Sent>(props: FormProps<Sent>) {
  const { letter, label, className = css.bar, above, onKey, written, children } = props
  const { title, text, keep, field, sending } = letter
  const isHeld = text.trim() === '' || sending.isPending
  const submit = () => {
    if (!isHeld) sending.mutate(text)
  }
  return (
    <form
      className={className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {sending.error === null ? null : (
        <p className="row gap-5 between red" role="alert">
          {`Couldn’t send it: ${sending.error.message}. Your text is still here.`}
          <Button type="submit">Try again</Button>
        </p>
      )}
      {above}
      <div className={css.box}>
        <textarea
          ref={field}
          className={css.field}
          rows={1}
          placeholder={title}
          aria-label={title}
          value={text}
          onChange={({ target }) => keep(target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (onKey?.(event.key)) event.preventDefault()
            else if (event.key === 'Escape') event.currentTarget.blur()
            else if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault()
              submit()
            }
          }}
          {...written}
        />
        {children}
        {text === '' ? <Key name="r" /> : null}
        <Button look="quiet" type="submit" icon={SendHorizontal} label="Send" disabled={isHeld} />
      </div>
    </form>
  )
}
