import { useQuery } from '@tanstack/react-query'
import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  ClockFading,
  LoaderCircle,
  type LucideIcon,
  ShieldCheck,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { changesBetween } from '../../../core/requests/changes.ts'
import { shellWord } from '../../../core/shell-word.ts'
import { inShell } from '../../api/in-shell.ts'
import { me } from '../../api/queries.ts'
import { DisplayName } from '../../shell/names.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { localizeTimes, Moment } from '../../ui/moment.tsx'
import { type Hue, Sign, Status } from '../status/request-status.tsx'
import { Changes } from './changes.tsx'
import css from './request.module.css'
import type { WholeRequest } from './request-query.ts'

export function Outcome({ whole }: { whole: WholeRequest }) {
  const { request, decision, effect } = whole
  if (request.decided_at === null || decision === null) return null
  return (
    <>
      <dl className="mt-7">
        <Line name="Decision">
          <Status status={decision.status} />
          <span>
            by <DisplayName name={decision.by} isWithin />, <Moment at={decision.at} />
          </span>
          {decision.answer === undefined ? null : (
            <p className="min-0 quiet basis-full">{`“${decision.answer}”`}</p>
          )}
          {decision.values === undefined ? null : (
            <p className="min-0 quiet basis-full">{JSON.stringify(decision.values)}</p>
          )}
          {decision.notes === '' || decision.notes === decision.answer ? null : (
            <p className="min-0 quiet basis-full">{`“${decision.notes}”`}</p>
          )}
        </Line>
        {effect === null ? null : <EffectLine whole={whole} />}
        {decision.warrant === undefined ? null : <WarrantLine whole={whole} />}
      </dl>
      <Edited whole={whole} />
    </>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.row}>
      <dt className="quiet">{name}</dt>
      <dd className={css.value}>{children}</dd>
    </div>
  )
}

const EFFECTS: Record<string, { word: string; icon: LucideIcon; hue: Hue }> = {
  waiting: { word: 'Queued', icon: ClockFading, hue: 'amber' },
  running: { word: 'Running', icon: LoaderCircle, hue: 'teal' },
  done: { word: 'Done', icon: CircleCheck, hue: 'green' },
  failed: { word: 'Failed', icon: CircleAlert, hue: 'red' },
  unknown: { word: 'Unknown', icon: CircleHelp, hue: 'amber' },
}

function EffectLine({ whole: { request, effect } }: { whole: WholeRequest }) {
  const { data } = useQuery(me)
  if (effect === null) return null
  const { state, reason, exit_code, started_at, ended_at, last_words, attempt } = effect
  const known = EFFECTS[state]
  const took =
    started_at === null || ended_at === null
      ? ''
      : ` in ${Math.max(1, Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000))} sec`
  const exit = exit_code === null ? '' : `, exit ${exit_code}`
  const tries = attempt > 1 ? `, try ${attempt}` : ''
  const retry = inShell(data, `request retry ${request.request_id}`)
  return (
    <Line name="Effect">
      {known === undefined ? <span>{state}</span> : <Sign {...known} />}
      <span>{`${took}${exit}${tries}`.replace(/^[ ,]+/, '')}</span>
      {reason === '' ? null : (
        <p className="min-0 quiet basis-full">{localizeTimes(reason, Date.now())}</p>
      )}
      {last_words === '' ? null : (
        <details className="min-0 quiet basis-full">
          <summary>Show output</summary>
          <pre className={css.pre}>{last_words}</pre>
        </details>
      )}
      {state === 'failed' || state === 'unknown' ? (
        <p className={css.command}>
          <code>{retry}</code>
          <CopyButton text={retry}>Copy</CopyButton>
        </p>
      ) : null}
    </Line>
  )
}

function WarrantLine({ whole: { request, decision } }: { whole: WholeRequest }) {
  const { data } = useQuery(me)
  const { used_at, used_by, request_id } = request
  const digest = decision?.warrant?.payload_sha256 ?? ''
  const payload = shellWord(JSON.stringify(decision?.payload ?? {}))
  const verify = inShell(data, `request verify ${request_id} --payload ${payload}`)
  return (
    <Line name="Warrant">
      <Sign
        icon={ShieldCheck}
        hue="quiet"
        word={used_at === null ? 'Signed, not used yet' : 'Signed, already used'}
      />
      {used_at === null ? null : (
        <span>
          by <DisplayName name={used_by ?? ''} isWithin />, <Moment at={used_at} />
        </span>
      )}
      <code className="quiet">{`${digest.slice(0, 4)}…${digest.slice(-4)}`}</code>
      <CopyButton text={verify}>Copy the verify command</CopyButton>
    </Line>
  )
}

/** Shows how the approved payload differs from the request, if it was approved with changes. */
function Edited({ whole: { decision, revisions } }: { whole: WholeRequest }) {
  const asked = revisions.at(-1)?.payload
  if (decision === null || decision.status !== 'approved' || asked === undefined) return null
  const changes = changesBetween(asked, decision.payload)
  if (changes.length === 0) return null
  return (
    <section className="mt-7" aria-labelledby="edited-title">
      <h3 id="edited-title" className="semi">
        Approved with changes
      </h3>
      <p className="quiet">
        <DisplayName name={decision.by} /> approved something different from the request:
      </p>
      <Changes changes={changes} heads={['Asked', 'Approved']} />
    </section>
  )
}
