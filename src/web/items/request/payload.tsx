// Shows the payload of a request according to its type. Unknown types, and payloads whose view fails, are shown as they
// were sent, so nothing an agent asks for is ever hidden.

import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import type { KnownType } from '../../../core/requests/request-types.ts'
import { amountOf } from '../../ui/amounts.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Key } from '../../ui/key.tsx'
import { Code, Markdown } from '../documents/document.tsx'
import { sizeOf } from '../documents/file.ts'
import { ConfigChange } from './changes.tsx'
import { Risk } from './labels.tsx'
import css from './payload.module.css'
import type { PayloadMembers, PayloadView } from './request-query.ts'
import { isSecretName, MASK } from './secrets.ts'

/** Doesn't compile unless every known type has a view. */
const VIEWS: Record<KnownType, (props: PayloadView) => ReactNode> = {
  config_change: ConfigChange,
  knowledge_upload: KnowledgeUpload,
  tool_invocation: ToolInvocation,
  workspace_review: WorkspaceReview,
  question: Question,
}

type PayloadProps = { type: string; payload: Json; isRaw: boolean; isAnswerable: boolean }

export function Payload({ type, payload, isRaw, isAnswerable }: PayloadProps) {
  if (isRaw) return <Raw payload={payload} />
  const View = Object.hasOwn(VIEWS, type) ? VIEWS[type as KnownType] : undefined
  if (!isObject(payload)) return <Raw payload={payload} />
  if (View === undefined) {
    return (
      <>
        <p className={css.notice}>There is no special view for this type of request.</p>
        <KeyValues value={payload} />
      </>
    )
  }
  return (
    <CatchBoundary getResetKey={() => type} errorComponent={() => <Failed payload={payload} />}>
      <View payload={payload} isAnswerable={isAnswerable} />
    </CatchBoundary>
  )
}

function Raw({ payload }: { payload: Json }) {
  const text = JSON.stringify(payload, null, 2)
  return (
    <div className="relative">
      <span className={css.copy}>
        <CopyButton text={text} />
      </span>
      <Code text={text} language="json" />
    </div>
  )
}

function Failed({ payload }: { payload: Json }) {
  return (
    <>
      <p className={css.notice}>This view failed. Here is the request as it was sent.</p>
      <Raw payload={payload} />
    </>
  )
}

/** While the question can be answered, the answer form below shows the options instead. */
function Question({ payload, isAnswerable }: PayloadView) {
  const options = Array.isArray(payload.options) ? payload.options : []
  return (
    <div className="clip round-card edge">
      <div className={css.body}>
        <Markdown text={String(payload.text)} />
        {options.length === 0 || isAnswerable ? null : (
          <ol className={css.list}>
            {options.map((option, at) => (
              <li key={String(option)} dir="auto">
                {`${at + 1}. ${String(option)}`}
              </li>
            ))}
          </ol>
        )}
        {payload.schema === undefined || isAnswerable ? null : <KeyValues value={payload.schema} />}
      </div>
    </div>
  )
}

function ToolInvocation({ payload }: { payload: PayloadMembers }) {
  const { tool, arguments: given, description, risk } = payload
  return (
    <>
      <div className="clip round-card edge">
        <div className={css.head}>
          <b className="code">{String(tool)}</b>
          {description === undefined ? null : <span className="quiet">{String(description)}</span>}
        </div>
        <div className={css.body}>
          <KeyValues value={given ?? {}} />
        </div>
      </div>
      <div className={css.section}>
        <h3>Risk</h3>
        {isObject(risk) ? <Risk level={String(risk.level)} /> : null}
        {isObject(risk) && risk.score !== undefined ? (
          <span className="quiet">{`score ${String(risk.score)}`}</span>
        ) : null}
      </div>
      {isObject(risk) ? (
        <>
          <Points of={risk.reasons} />
          <div className={css.section}>
            <h3>What it can affect</h3>
          </div>
          <Points of={risk.touches} />
        </>
      ) : (
        <p className="quiet">No risk assessment was provided.</p>
      )}
    </>
  )
}

function Points({ of }: { of: Json | undefined }) {
  const points = Array.isArray(of) ? of : []
  if (points.length === 0) return <p className="quiet">None listed.</p>
  return (
    <ul className={css.list}>
      {points.map((point) => (
        <li key={String(point)} dir="auto">
          {String(point)}
        </li>
      ))}
    </ul>
  )
}

type UploadedFile = {
  name: string
  media_type: string
  size: number
  path?: string
  text?: string
  replaces?: string
}

const LARGE = 10_000_000

function KnowledgeUpload({ payload }: { payload: PayloadMembers }) {
  const files = payload.files as Json[] as unknown as UploadedFile[]
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const readable = files.flatMap(({ text }, at) => (text === undefined ? [] : [at]))
  const [chosen, setChosen] = useState(readable[0])
  const shown = chosen === undefined ? undefined : files[chosen]
  const go = (step: number) => () =>
    setChosen((before) => readable[readable.indexOf(before ?? -1) + step] ?? before)
  const group = 'Approvals'
  useCommands([
    { title: 'Next file', keys: 'n', group, run: go(1) },
    { title: 'Previous file', keys: 'p', group, run: go(-1) },
  ])
  return (
    <>
      <div className="clip round-card edge">
        <div className={css.head}>
          <b>{amountOf(files.length, 'file')}</b>
          <span className="quiet">{`${sizeOf(total)}, to ${String(payload.destination)}`}</span>
          {readable.length < 2 ? null : (
            <span className="push">
              <Key name="p" /> <Key name="n" />
            </span>
          )}
        </div>
        <ul className={css.files}>
          {files.map((file, at) => (
            <li key={`${at}${file.name}`}>
              <button
                type="button"
                aria-current={at === chosen ? 'true' : undefined}
                disabled={file.text === undefined}
                onClick={() => setChosen(at)}
              >
                <span className="code" dir="auto">
                  {file.name}
                </span>
                <span className="quiet">{file.replaces === undefined ? 'New' : 'Replaces'}</span>
                <span className="quiet">
                  {`${file.media_type}, ${sizeOf(file.size)}${file.replaces === undefined ? '' : `, replaces ${file.replaces}`}`}
                </span>
                <Warning file={file} files={files} />
              </button>
            </li>
          ))}
        </ul>
      </div>
      {shown?.text === undefined ? null : (
        <>
          <div className={css.section}>
            <h3>{shown.name}</h3>
          </div>
          <div className={css.body}>
            {shown.media_type === 'text/markdown' ? (
              <Markdown text={shown.text} />
            ) : (
              <Code text={shown.text} />
            )}
          </div>
        </>
      )}
    </>
  )
}

function Warning({ file, files }: { file: UploadedFile; files: readonly UploadedFile[] }) {
  const twin = files.find(
    (one) => one !== file && (one.name === file.name || isSameText(one, file)),
  )
  if (twin !== undefined) {
    return (
      <span className="amber">
        {twin.name === file.name ? 'Listed twice' : `Same text as ${twin.name}`}
      </span>
    )
  }
  return file.size > LARGE ? <span className="amber">Over 10 MB</span> : null
}

function isSameText(a: UploadedFile, b: UploadedFile): boolean {
  return a.text !== undefined && a.text !== '' && a.text === b.text
}

type ProposedChange = { kind: string; path: string; summary: string; patch?: string }
const FIRST = 3

function WorkspaceReview({ payload }: { payload: PayloadMembers }) {
  const changes = (Array.isArray(payload.changes)
    ? payload.changes
    : []) as unknown as ProposedChange[]
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? changes : changes.slice(0, FIRST)
  const rest = changes.length - shown.length
  return (
    <>
      <div className="pt-4 pb-6">
        <Markdown text={String(payload.body)} />
      </div>
      <div className="clip round-card edge">
        <div className={css.head}>
          <b>{amountOf(changes.length, 'proposed change')}</b>
        </div>
        {shown.map((change, at) => (
          <Proposed key={`${at}${change.path}`} change={change} />
        ))}
      </div>
      {rest > 0 ? (
        <Button look="quiet" onClick={() => setShowsAll(true)}>{`Show ${rest} more`}</Button>
      ) : null}
    </>
  )
}

function Proposed({ change: { kind, path, summary, patch } }: { change: ProposedChange }) {
  return (
    <details className={css.changed} open={patch !== undefined && patch.length < 2000}>
      <summary>
        <b>{kind}</b>
        <span className="code">{path}</span>
        <p dir="auto">{summary}</p>
      </summary>
      {patch === undefined ? (
        <p className={css.body}>The changed lines weren’t included.</p>
      ) : (
        <Code text={patch} language="diff" />
      )}
    </details>
  )
}

function KeyValues({ value }: { value: Json }) {
  if (!isObject(value)) return <p className="code pre-wrap">{JSON.stringify(value, null, 2)}</p>
  const entries = Object.entries(value)
  if (entries.length === 0) return <p className="quiet">Empty</p>
  return (
    <dl className={css.values}>
      {entries.map(([key, one]) => (
        <div key={key} className={css.pair}>
          <dt dir="auto">{key}</dt>
          <dd dir="auto">{isSecretName(key) ? <Secret /> : <Value value={one} />}</dd>
        </div>
      ))}
    </dl>
  )
}

function Secret() {
  return (
    <>
      <span className="code pre-wrap">{MASK}</span> <span className="quiet">hidden</span>
    </>
  )
}

function Value({ value }: { value: Json }) {
  if (isObject(value) && Object.keys(value).length > 0) return <KeyValues value={value} />
  return <Long text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
}

const LETTERS = 600
const LINES = 12

/** Long values are cut off until the person expands them. */
function Long({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const start = text.slice(0, LETTERS).split('\n').slice(0, LINES).join('\n')
  if (isWhole || start === text) return <span className="code pre-wrap">{text}</span>
  return (
    <>
      <span className="code pre-wrap">{`${start} …`}</span>
      <Button look="quiet" onClick={() => setWhole(true)}>
        {`Show all ${text.length.toLocaleString()} characters`}
      </Button>
    </>
  )
}
