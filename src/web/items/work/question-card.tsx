import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Diamond } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { OperationAnswer } from '../../../ops/catalogue.ts'
import { call, makeKey } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { clearDraft } from '../../live/drafts.ts'
import { DisplayName, useDisplayName } from '../../shell/names.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { clockOf } from '../../ui/time.tsx'
import { Markdown } from '../documents/document.tsx'
import { AnswerForm, type GivenAnswer } from './answer-form.tsx'
import css from './question-card.module.css'

const CARD = 'open-question'

type CardProps = { asked: OpenQuestion; threadId: string }

export function QuestionCard({ asked: { question, state, answer }, threadId }: CardProps) {
  return (
    <section className={css.card} id={CARD} aria-label="Question" data-state={state}>
      <header className={css.head}>
        <Diamond size={14} aria-hidden className={css.sign} />
        <b>Question</b>
        <span className="row gap-3 quiet">
          <DisplayName name={question.from_agent} />, <Moment at={question.created_at} />
        </span>
      </header>
      <div className={css.text}>
        <Markdown text={textOf(question)} />
      </div>
      {state === 'open' ? <QuestionForm question={question} threadId={threadId} /> : null}
      {answer === undefined ? null : <Answered answer={answer} worker={question.from_agent} />}
      {state === 'superseded' ? (
        <p className="pb-5 px-6">
          <DisplayName name={question.from_agent} /> no longer needs an answer.
        </p>
      ) : null}
    </section>
  )
}

function textOf({ summary, body }: WorkMessage): string {
  if (body === '' || body === summary) return summary
  return body.startsWith(summary) ? body : `${summary}\n\n${body}`
}

/** Shows the question in one line at the top while its card is scrolled out of view. */
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
    <div className="row gap-4 surface-2 line-bottom py-3 px-6 sticky">
      <Diamond size={14} aria-hidden className={css.sign} />
      <span className="truncate grow medium" dir="auto">
        {summary}
      </span>
      <Button onClick={() => document.getElementById(CARD)?.scrollIntoView({ block: 'center' })}>
        Answer
      </Button>
    </div>
  )
}

function QuestionForm({ question, threadId }: { question: WorkMessage; threadId: string }) {
  const draftKey = `answer:${question.message_id}`
  const [key] = useState(makeKey)
  const called = useDisplayName()
  const sending = useMutation({
    // Never sent later automatically, because the question may have been withdrawn by then.
    networkMode: 'always',
    mutationFn: ({ option, text }: GivenAnswer) => {
      const data = option === '' ? {} : { payload_json: JSON.stringify({ option }) }
      const body = [option, text].filter((one) => one !== '').join('\n\n')
      const input = { thread: threadId, body, in_reply_to: question.message_id, ...data }
      return call('reply', input, { key })
    },
    onSuccess() {
      clearDraft(draftKey)
      void queries.invalidateQueries({ queryKey: ['show', { thread: threadId }] })
      void queries.invalidateQueries({ queryKey: ['list'] })
    },
  })
  const { error, isPending, mutate } = sending
  return (
    <AnswerForm
      draftKey={draftKey}
      options={optionsIn(question)}
      takesText
      placeholder={`Answer ${called(question.from_agent)}`}
      group="Threads"
      isReady={!isPending}
      error={
        error === null
          ? undefined
          : `Couldn’t send it: ${error.message}. Your answer is still here.`
      }
      onAnswer={mutate}
    />
  )
}

/** Shows when the worker received the answer, once it has. */
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
  const receiptNote =
    told === null
      ? `${called(worker)} hasn’t read it yet.`
      : `${called(worker)} received it at ${clockOf(new Date(told))}.`
  return (
    <div className="grid gap-3 surface-1 line-top py-5 px-6">
      <Markdown text={textOf(answer)} />
      <p className="row gap-3 quiet" role="status">
        <Check size={14} aria-hidden />
        {isOwn
          ? `Answered at ${at}. ${receiptNote}`
          : `Answered by ${called(answer.from_agent)} at ${at}.`}
      </p>
    </div>
  )
}

type ShownWork = OperationAnswer<'show'>
export type WorkThread = ShownWork['thread']
export type WorkLease = ShownWork['lease']
export type WorkMessage = ShownWork['messages'][number]

export type OpenQuestion = {
  question: WorkMessage
  state: 'open' | 'answered' | 'superseded'
  answer: WorkMessage | undefined
}

/** The worker's latest question. Earlier ones have been answered or replaced. */
export function questionIn(
  thread: WorkThread,
  messages: readonly WorkMessage[],
): OpenQuestion | undefined {
  const question = messages.findLast(({ kind }) => kind === 'question')
  if (question === undefined) return undefined
  const answer = messages.findLast((one) => answers(one, question))
  if (answer !== undefined) return { question, state: 'answered', answer }
  return { question, state: thread.status === 'blocked' ? 'open' : 'superseded', answer: undefined }
}

function answers(one: WorkMessage, question: WorkMessage): boolean {
  if (one.kind !== 'answer' || one.seq < question.seq) return false
  if (one.from_agent === question.from_agent) return false
  return one.in_reply_to === undefined || one.in_reply_to === question.message_id
}

/** Whether a later question replaced this one before anyone answered it. */
export function isSuperseded(one: WorkMessage, messages: readonly WorkMessage[]): boolean {
  if (one.kind !== 'question') return false
  const isLatest = !messages.some(({ kind, seq }) => kind === 'question' && seq > one.seq)
  return !isLatest && !messages.some((answer) => answers(answer, one))
}

const MOST_OPTIONS = 9

/** The answers that the worker offers: the strings in `options` in the question's data. */
function optionsIn({ payload_json: data }: WorkMessage): string[] {
  if (typeof data !== 'object' || data === null || !('options' in data)) return []
  const { options } = data
  if (!Array.isArray(options)) return []
  const texts = options.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  return [...new Set(texts)].slice(0, MOST_OPTIONS)
}
