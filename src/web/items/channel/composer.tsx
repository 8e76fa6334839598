// Where the person writes to a channel. @ completes agents' names, and a hint says what the mention will do.

import { X } from 'lucide-react'
import { type RefObject, useEffect, useId } from 'react'
import { flushSync } from 'react-dom'
import { mentionsIn } from '../../../core/workflows/mentions.ts'
import { inSentence, useDisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { LetterForm, useLetter } from '../thread/letter.tsx'
import type { ChannelAgent } from './around.tsx'
import { completeMention, useCompletion } from './completion.ts'
import css from './composer.module.css'
import type { TalkEntry } from './entries.ts'

type Props = {
  instance: string
  /** The agents with the latest messages come first. */
  agents: readonly ChannelAgent[]
  answered: TalkEntry | null
  onAnswered: (entry: TalkEntry | null) => void
  /** Resolves to warnings to show. */
  send: (text: string, answered: TalkEntry | null, key: string) => Promise<string[]>
}

export function Composer({ instance, agents, answered, onAnswered, send }: Props) {
  const letter = useLetter({
    title: `Message ${instance}`,
    draftOf: `channel:${instance}`,
    send: (words, key) => send(words, answered, key),
    onSent: () => onAnswered(null),
  })
  const { text, keep, field, sending } = letter
  const names = agents.map(({ name }) => name)
  const completion = useCompletion(field, text, names)
  const list = useId()
  useFocusOnAnswer(field, answered)
  const choose = (name: string) => {
    const { current } = field
    if (current === null) return
    const next = completeMention(text, current.selectionStart, name)
    // The name must be in the field before the next key press: setting the caret later would split what was typed in
    // between.
    flushSync(() => {
      keep(next.text)
      completion.close()
    })
    current.focus()
    current.setSelectionRange(next.at, next.at)
  }
  const onKey = (key: string) => {
    if (completion.onKey(key, choose)) return true
    if (key !== 'Escape' || answered === null) return false
    onAnswered(null)
    return true
  }
  return (
    <LetterForm
      letter={letter}
      label="Message"
      className={css.bar}
      onKey={onKey}
      written={{
        placeholder: `Message #${instance}, @ to mention an agent`,
        'aria-autocomplete': 'list',
        'aria-controls': completion.names.length > 0 ? list : undefined,
        'aria-activedescendant':
          completion.names.length > 0 ? `${list}-${completion.chosen}` : undefined,
        maxLength: 8000,
        onInput: completion.look,
        onSelect: completion.look,
        onBlur: completion.close,
      }}
      above={
        <>
          {sending.data === undefined || sending.data.length === 0 ? null : (
            <div className="grid gap-2 min-0 break" role="status">
              {sending.data.map((note) => (
                <p key={note}>{`Sent, but ${note}`}</p>
              ))}
            </div>
          )}
          {answered === null ? null : (
            <Answering entry={answered} onDrop={() => onAnswered(null)} />
          )}
        </>
      }
    >
      <span className={css.hint} role="status">
        {hintOf(text, agents)}
      </span>
      {completion.names.length === 0 ? null : (
        <div id={list} className={css.names} role="listbox" aria-label="Agents to mention">
          {completion.names.map((name, at) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points to the chosen option
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
              <Avatar name={name} size="line" />
              <span dir="auto">{name}</span>
              <span className="push quiet small">
                {agents.find((one) => one.name === name)?.status ?? ''}
              </span>
            </div>
          ))}
        </div>
      )}
    </LetterForm>
  )
}

function Answering({ entry, onDrop }: { entry: TalkEntry; onDrop: () => void }) {
  const called = useDisplayName()
  return (
    <p className="row gap-4 quiet small">
      <span className="truncate grow" dir="auto">
        {`Reply to ${inSentence(called(entry.from))}: ${entry.message.slice(0, 120)}`}
      </span>
      <Button look="quiet" icon={X} label="Cancel reply" onClick={onDrop} />
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

function hintOf(text: string, agents: readonly ChannelAgent[]): string {
  if (text.trim() === '') return ''
  const names = agents.map(({ name }) => name)
  const unknown = [...text.matchAll(ANY_NAME)]
    .map(([, name = '']) => name)
    .find((name) => name !== 'user' && !names.includes(name))
  if (unknown !== undefined) {
    // The name may not be fully typed yet.
    const isBegun = names.some((name) => name.startsWith(unknown))
    return isBegun ? '' : `No one here is called ${unknown}`
  }
  const called = mentionsIn(text, { names })
  if (called.length === 0) return 'Mentions no one. Use @ to wake an agent'
  const stopped = agents.find(({ name, stopping }) => called.includes(name) && stopping)
  if (stopped !== undefined) return `${stopped.name} was stopped and won’t be woken`
  const asleep = agents.find(({ name, status }) => called.includes(name) && status === 'dormant')
  if (asleep !== undefined) return `${asleep.name} is dormant and will be woken`
  const off = agents.find(({ name, status }) => called.includes(name) && status === 'off')
  return off === undefined ? '' : `${off.name} is off`
}
