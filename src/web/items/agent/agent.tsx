import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { namesBehind } from '../../../core/requests/requirement.ts'
import { call } from '../../api/call.ts'
import { inShell } from '../../api/in-shell.ts'
import { asking, me } from '../../api/queries.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Detail, Fact } from '../../ui/detail.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useMinute } from '../../ui/time.tsx'
import { Markdown } from '../documents/document.tsx'
import { ReplyBar } from '../thread/reply-bar.tsx'
import css from './agent.module.css'
import { Held, Part, Sent, Waking } from './agent-sections.tsx'
import {
  AgentStatusLabel,
  evidenceOf,
  type ListedAgent,
  LOOK_AGAIN_MS,
  useWaiting,
} from './agent-status.tsx'

export function OpenAgent({ id }: { id: string }) {
  const { data, error } = useQuery({
    ...asking('agent status', { agent: id }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  if (data === undefined) {
    const gone = 'This agent doesn’t exist.'
    return <NotFound label="Agent" backTo="/agents" error={error} gone={gone} />
  }
  return <AgentDetail agent={data.agent} />
}

function AgentDetail({ agent }: { agent: ListedAgent }) {
  const { agent_id: id, role, said } = agent
  return (
    <Detail
      className={css.agent}
      titleId="agent-title"
      backTo="/agents"
      meta={
        <>
          <Avatar name={id} />
          <h2 id="agent-title" className="truncate min-0 text-pane" tabIndex={-1} dir="auto">
            {id}
          </h2>
          <span className="truncate min-0 quiet" dir="auto">
            {role}
          </span>
        </>
      }
      closeLabel="Close"
      foot={
        <ReplyBar
          draftOf={`agent:${id}`}
          to={id}
          verb="Message"
          send={async (text, key) => {
            const input = { to: id, body: text }
            const { message, not_woken = [] } = await call('mail send', input, { key })
            return { message: message?.id ?? '', why: not_woken[0]?.why ?? null }
          }}
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <div className={css.scroll} tabIndex={0}>
        <Facts agent={agent} />
        {said === null ? null : (
          <Part title="Last message">
            <p className="quiet break">
              <Moment at={said.created_at} />
              {', in '}
              <Link
                className="link text-underline"
                to="/threads/$id"
                params={{ id: said.thread_id }}
                search={{}}
              >
                this thread
              </Link>
            </p>
            <Markdown text={said.body === '' ? said.summary : said.body} />
          </Part>
        )}
        <Held agent={id} />
        <Sent to={id} />
        <Waking agent={agent} />
        <Policy agent={agent} />
      </div>
    </Detail>
  )
}

function Facts({ agent }: { agent: ListedAgent }) {
  const { agent_id, role, status, evidence, instance, parent_agent_id, paired_person } = agent
  const waiting = useWaiting().get(agent_id)
  const now = useMinute()
  const called = useDisplayName()
  return (
    <dl className="grid gap-4">
      <Fact name="Status">
        <AgentStatusLabel status={status} isWaiting={waiting !== undefined} />
      </Fact>
      {waiting === undefined ? null : (
        <Fact name="Waiting for">
          <Link
            className="link text-underline"
            to={waiting.what === 'request' ? '/approvals/$id' : '/threads/$id'}
            params={{ id: waiting.id }}
            search={{}}
          >
            {waiting.title}
          </Link>
        </Fact>
      )}
      <Fact name="Evidence">{evidenceOf(agent, now)}</Fact>
      <Fact name="Last seen">
        {evidence.seen_at === null ? 'Never' : <Moment at={evidence.seen_at} />}
      </Fact>
      <Fact name="Inbox">{agent.unread === 0 ? 'Empty' : `${agent.unread} unread`}</Fact>
      <Fact name="Role">{role === '' ? 'None' : role}</Fact>
      {instance === '' ? null : <Fact name="Instance">{instance}</Fact>}
      {paired_person === null ? null : <Fact name="Paired with">{called(paired_person)}</Fact>}
      {parent_agent_id === null ? null : <Fact name="Started by">{called(parent_agent_id)}</Fact>}
      <Fact name="Registered">
        <Moment at={agent.registered_at} />
      </Fact>
    </dl>
  )
}

/** The requirements that apply to an agent: by its name, the name it registered with, or the role of either. */
function Policy({ agent: { agent_id } }: { agent: ListedAgent }) {
  const { data } = useQuery(asking('agent policies', {}))
  const { data: server } = useQuery(me)
  const agents = useQuery(asking('agent list', { limit: 500 })).data?.agents ?? []
  const names = namesBehind(agent_id)
  const roles = agents
    .filter((one) => names.includes(one.agent_id))
    .map(({ role }) => `role:${role}`)
  const holders = [...names, ...roles]
  const own = data?.requirements.filter(({ applies_to }) => holders.includes(applies_to)) ?? []
  return (
    <Part title="Policy">
      {data !== undefined && own.length === 0 ? (
        <p className="quiet break">
          It doesn’t need approval for anything. To change that, run this in a shell:
        </p>
      ) : null}
      {own.length === 0 ? (
        <code className="break text-code surface-0 round-row py-4 px-5">
          {inShell(server, `agent policy ${agent_id} --require TYPE`)}
        </code>
      ) : (
        <ul className={css.rules}>
          {own.map(({ applies_to, requires }) => (
            <li key={`${applies_to} ${requires}`}>
              {'Needs approval for '}
              <code>{requires}</code>
              {applies_to === agent_id ? '' : `, as ${applies_to}`}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
