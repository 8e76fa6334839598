// The payload of a request, drawn by its type. Unknown types, and payloads whose view fails, are shown as they were sent, so
// nothing an agent asks for is ever invisible.

import type { ReactNode } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import type { KnownType } from '../../../core/requests/request-types.ts'
import { Boundary } from '../../ui/boundary.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Code, Markdown } from '../documents/document.tsx'
import { ConfigChange } from './config-change.tsx'
import { KeyValues } from './key-values.tsx'
import { KnowledgeUpload } from './knowledge-upload.tsx'
import css from './payload.module.css'
import type { PayloadView } from './request-query.ts'
import { ToolInvocation } from './tool-invocation.tsx'
import { WorkspaceReview } from './workspace-review.tsx'

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
    <Boundary key={type} otherwise={<Failed payload={payload} />}>
      <View payload={payload} isAnswerable={isAnswerable} />
    </Boundary>
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

/** The answer form below shows the options while the question can be answered. */
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
