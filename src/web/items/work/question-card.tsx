// The worker's question, answered where it stands. A number chooses an option and sends nothing.

import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Diamond } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { call, makeKey } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { useDraft } from '../../live/drafts.ts'
import { useLive } from '../../live/live.ts'
import { DisplayName, useDisplayName } from '../../shell/names.tsx'
import { useSendKey } from '../../shell/send-key.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Key } from '../../ui/key.tsx'
import { Moment } from '../../ui/moment.tsx'
import { clockOf } from '../../ui/time.tsx'
import { Markdown } from '../documents/document.tsx'
import css from './question-card.module.css'
import { type OpenQuestion, optionsIn, type WorkMessage } from './story.ts'

const CARD = 'open-question'

type CardProps = { asked: OpenQuestion; threadId: string }

export function QuestionCard({ asked: { question, state, answer }, threadId }: CardProps) {
  const options = useMemo(() => optionsIn(question), [question])
  return (
    <section className={css.card} id={CARD} aria-label="Question" data-state={state}>
      <header className={css.head}>
        <Diamond size={14} aria-hidden className={css.sign} />
        <b>Question</b>
        <span className={css.quiet}>
          <DisplayName name={question.from_agent} />, <Moment at={question.created_at} />
        </span>
      </header>
      <div className={css.text}>
        <Markdown text={wordsOf(question)} />
      </div>
      {state === 'open' ? (
        <AnswerForm question={question} options={options} threadId={threadId} />
      ) : null}
      {answer === undefined ? null : <Answered answer={answer} worker={question.from_agent} />}
      {state === 'superseded' ? (
        <p className={css.over}>
          <DisplayName name={question.from_agent} /> no longer needs this.
        </p>
      ) : null}
    </section>
  )
}

function wordsOf({ summary, body }: WorkMessage): string {
  if (body === '' || body === summary) return summary
  return body.startsWith(summary) ? body : `${summary}\n\n${body}`
}

/** The same in one line at the top, while the card itself is out of sight. */
export function PinnedQuestion({ question: { summary } }: { question: WorkMessage }) {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const card = document.getElementById(CARD)
    if (card === null) return
    const watch = new IntersectionObserver(([seen]) => setAway(seen?.isIntersecting === false))
    watch.observe(card)
    return () => watch.disconnect()
  }, [])
  if (!isAway) return null
  return (
    <div className={css.pinned}>
      <Diamond size={14} aria-hidden className={css.sign} />
      <span className={css.line} dir="auto">
        {summary}
      </span>
      <Button onClick={() => document.getElementById(CARD)?.scrollIntoView({ block: 'center' })}>
        Answer
      </Button>
    </div>
  )
}

type FormProps = { question: WorkMessage; options: readonly string[]; threadId: string }

function AnswerForm({ question, options, threadId }: FormProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [text, keep] = useDraft(`answer:${question.message_id}`, '')
  const [key] = useState(makeKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const group = useId()
  const called = useDisplayName()
  const { state } = useLive()
  const isOffline = state === 'offline'
  const added = text.trim()
  const words = [chosen, added].filter((one) => one !== null && one !== '').join('\n\n')
  const sending = useMutation({
    mutationFn: () => {
      const data = chosen === null ? {} : { payload_json: JSON.stringify({ option: chosen }) }
      const input = { thread: threadId, body: words, in_reply_to: question.message_id, ...data }
      return call('reply', input, { key })
    },
    onSuccess() {
      keep('')
      void queries.invalidateQueries({ queryKey: ['show', { thread: threadId }] })
      void queries.invalidateQueries({ queryKey: ['list'] })
    },
  })
  const canSend = words !== '' && !sending.isPending && !isOffline
  const send = () => canSend && sending.mutate()
  useCommands(
    useMemo(
      () => [
        ...options.map((option, at) => ({
          title: `Choose ${option}`,
          keys: String(at + 1),
          group: 'Threads',
          run: () => setChosen((before) => (before === option ? null : option)),
        })),
        { title: 'Answer', keys: 'r', group: 'Threads', run: () => field.current?.focus() },
      ],
      [options],
    ),
  )
  const form = useRef<HTMLFormElement>(null)
  useSendKey(form, send)
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {options.length === 0 ? null : (
        <fieldset className={css.options}>
          <legend className={css.legend}>Answers that are offered</legend>
          {options.map((option, at) => (
            <label key={option} className={css.option} data-chosen={chosen === option}>
              <input
                type="radio"
                className={css.radio}
                name={group}
                checked={chosen === option}
                onChange={() => setChosen(option)}
              />
              <span className={css.number} aria-hidden>
                {at + 1}
              </span>
              <span className={css.words} dir="auto">
                {option}
              </span>
              {chosen === option ? <Check size={16} aria-hidden /> : null}
            </label>
          ))}
        </fieldset>
      )}
      {sending.error === null ? null : (
        <p className={css.failed} role="alert">
          {`Couldn't send it: ${sending.error.message}. Your answer is still here.`}
        </p>
      )}
      <div className={css.foot}>
        <textarea
          ref={field}
          className={css.field}
          rows={1}
          aria-label={options.length === 0 ? 'Your answer' : 'Add to your answer'}
          placeholder={
            options.length === 0
              ? `Answer ${called(question.from_agent)}`
              : 'Add words, or write an answer'
          }
          value={text}
          onChange={({ target }) => keep(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <Button
          look="ink"
          type="submit"
          aria-disabled={!canSend}
          title={isOffline ? 'Needs a connection' : undefined}
        >
          {isOffline ? 'Needs a connection' : 'Answer'}
          <Key name="Mod+Enter" />
        </Button>
      </div>
    </form>
  )
}

/** Told means that the words have gone out to the worker, which its receipt says. */
function Answered({ answer, worker }: { answer: WorkMessage; worker: string }) {
  const called = useDisplayName()
  const isOwn = called(answer.from_agent) === 'You'
  const { data } = useQuery({
    ...asking('mail receipts', { message: answer.message_id }),
    enabled: isOwn,
  })
  const receipt = data?.messages[0]?.receipts.find(({ recipient }) => recipient === worker)
  const told = receipt?.presented_at ?? receipt?.read_at ?? receipt?.acted_at ?? null
  const at = clockOf(new Date(answer.created_at))
  const told_ =
    told === null
      ? `It waits for ${called(worker)}.`
      : `${called(worker)} was told at ${clockOf(new Date(told))}.`
  return (
    <div className={css.answered}>
      <Markdown text={wordsOf(answer)} />
      <p className={css.quiet} role="status">
        <Check size={14} aria-hidden />
        {isOwn
          ? `Answered at ${at}. ${told_}`
          : `Answered by ${called(answer.from_agent)} at ${at}.`}
      </p>
    </div>
  )
}
