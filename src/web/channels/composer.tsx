// The words of the person in a channel. @ offers the names that can be called; beside the words stands what they will do.

import { useMutation } from '@tanstack/react-query'
import { SendHorizontal, X } from 'lucide-react'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { mentionsIn } from '../../core/channels/mentions.ts'
import { makeKey } from '../api/call.ts'
import { useDraft } from '../inbox/drafts.ts'
import { useCommands } from '../shell/commands.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { Mark } from '../ui/mark.tsx'
import { useCalled, within } from '../ui/names.tsx'
import type { ChannelAgent } from './around.tsx'
import { completed, useCompletion } from './completion.ts'
import css from './composer.module.css'
import type { TalkEntry } from './entries.ts'

type Props = {
  instance: string
  /** The agents that spoke last come first. */
  agents: readonly ChannelAgent[]
  answered: TalkEntry | null
  onAnswered: (entry: TalkEntry | null) => void
  /** Gives back what the person should know about it, or nothing. */
  send: (text: string, answered: TalkEntry | null, key: string) => Promise<string[]>
}

export function Composer({ instance, agents, answered, onAnswered, send }: Props) {
  const [text, keep, drop] = useDraft(`channel:${instance}`)
  const [key, setKey] = useState(makeKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const sending = useMutation({
    mutationFn: (words: string) => send(words.trim(), answered, key),
    networkMode: 'always',
    onSuccess(_, words) {
      drop(words)
      onAnswered(null)
      setKey(makeKey())
    },
  })
  const submit = () => text.trim() !== '' && !sending.isPending && sending.mutate(text)
  const names = useMemo(() => agents.map(({ name }) => name), [agents])
  const completion = useCompletion(field, text, names)
  const list = useId()
  useFocusOnAnswer(field, answered)
  useCommands(
    useMemo(
      () => [
        {
          ...{ title: `Message ${instance}`, keys: 'r', group: 'Writing' },
          run: () => field.current?.focus(),
        },
      ],
      [instance],
    ),
  )
  const choose = (name: string) => {
    const { current } = field
    if (current === null) return
    const next = completed(text, current.selectionStart, name)
    // The name is in the field before the next key: a caret that is set later tears apart what was typed meanwhile.
    flushSync(() => {
      keep(next.text)
      completion.close()
    })
    current.focus()
    current.setSelectionRange(next.at, next.at)
  }
  return (
    <form
      className={css.bar}
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {sending.error === null ? null : (
        <p className={css.failed} role="alert">
          {`Couldn't send it: ${sending.error.message}. It is kept here.`}
          <Button type="submit">Try again</Button>
        </p>
      )}
      {sending.data === undefined || sending.data.length === 0 ? null : (
        <div className={css.told} role="status">
          {sending.data.map((note) => (
            <p key={note}>{`Sent, but ${note}`}</p>
          ))}
        </div>
      )}
      {answered === null ? null : <Answering entry={answered} onDrop={() => onAnswered(null)} />}
      <div className={css.box}>
        <textarea
          ref={field}
          className={css.field}
          rows={1}
          placeholder={`Message #${instance}, @ to call an agent`}
          aria-label={`Message ${instance}`}
          aria-autocomplete="list"
          aria-controls={completion.names.length > 0 ? list : undefined}
          aria-activedescendant={
            completion.names.length > 0 ? `${list}-${completion.chosen}` : undefined
          }
          maxLength={8000}
          value={text}
          onChange={({ target }) => {
            keep(target.value)
            completion.look()
          }}
          onSelect={completion.look}
          onBlur={completion.close}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (completion.onKey(event.key, choose)) event.preventDefault()
            else if (event.key === 'Escape') {
              if (answered === null) event.currentTarget.blur()
              else onAnswered(null)
            } else if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault()
              submit()
            }
          }}
        />
        <span className={css.hint} role="status">
          {hintOf(text, agents)}
        </span>
        {text === '' ? <Key name="r" /> : null}
        <Button
          look="quiet"
          type="submit"
          icon={SendHorizontal}
          label="Send"
          disabled={text.trim() === '' || sending.isPending}
        />
        {completion.names.length === 0 ? null : (
          <div id={list} className={css.names} role="listbox" aria-label="Who to call">
            {completion.names.map((name, at) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen one
              <div
                key={name}
                id={`${list}-${at}`}
                className={css.option}
                role="option"
                aria-selected={at === completion.chosen}
                onPointerDown={(event) => {
                  event.preventDefault()
                  choose(name)
                }}
              >
                <Mark name={name} size="line" />
                <span dir="auto">{name}</span>
                <span className={css.quiet}>
                  {agents.find((one) => one.name === name)?.status ?? ''}
                </span>
              </div>
            ))}
          </div>
        )}
      </div>
    </form>
  )
}

function Answering({ entry, onDrop }: { entry: TalkEntry; onDrop: () => void }) {
  const called = useCalled()
  return (
    <p className={css.answering}>
      <span className={css.about} dir="auto">
        {`Reply to ${within(called(entry.from))}: ${entry.message.slice(0, 120)}`}
      </span>
      <Button look="quiet" icon={X} label="No reply" onClick={onDrop} />
    </p>
  )
}

function useFocusOnAnswer(
  field: RefObject<HTMLTextAreaElement | null>,
  answered: TalkEntry | null,
) {
  const id = answered?.id
  useEffect(() => {
    if (id !== undefined) field.current?.focus()
  }, [id, field])
}

const ANY_NAME = /@([a-zA-Z][a-zA-Z0-9_-]*)/g

/** The effect of the words, as far as that is not plain. */
function hintOf(text: string, agents: readonly ChannelAgent[]): string {
  if (text.trim() === '') return ''
  const names = agents.map(({ name }) => name)
  const unknown = [...text.matchAll(ANY_NAME)]
    .map(([, name = '']) => name)
    .find((name) => name !== 'user' && !names.includes(name))
  if (unknown !== undefined) {
    // The name may be on its way to be one of them.
    const isBegun = names.some((name) => name.startsWith(unknown))
    return isBegun ? '' : `No one here is called ${unknown}`
  }
  const called = mentionsIn(text, { names })
  if (called.length === 0) return 'Nobody is called with @'
  const stopped = agents.find(({ name, stopping }) => called.includes(name) && stopping)
  if (stopped !== undefined) return `${stopped.name} was stopped and is not woken`
  const asleep = agents.find(({ name, status }) => called.includes(name) && status === 'dormant')
  if (asleep !== undefined) return `${asleep.name} is dormant and will be woken`
  const off = agents.find(({ name, status }) => called.includes(name) && status === 'off')
  return off === undefined ? '' : `${off.name} is off`
}
