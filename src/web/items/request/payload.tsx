// The payload of a request, drawn by its type. A type without a view of its own, and a payload whose view fails, is shown as
// it is: nothing that an agent can ask is ever invisible.

import type { ReactNode } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import type { KnownType } from '../../../core/requests/request-types.ts'
import { Boundary } from '../../ui/boundary.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Code } from '../documents/document.tsx'
import { ConfigChange } from './config-change.tsx'
import { KeyValues } from './key-values.tsx'
import { KnowledgeUpload } from './knowledge-upload.tsx'
import css from './payload.module.css'
import { Question } from './question.tsx'
import type { PayloadView } from './request-query.ts'
import { ToolInvocation } from './tool-invocation.tsx'
import { WorkspaceReview } from './workspace-review.tsx'

/** Every type that is known has a view, or this does not compile. */
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
        <p className={css.notice}>This kind of request has no view of its own.</p>
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
    <div className={css.raw}>
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
      <p className={css.notice}>This view failed to draw. The request as it was sent is below.</p>
      <Raw payload={payload} />
    </>
  )
}
