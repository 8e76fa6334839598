// Lists every operation under its section title, in the order that help shows them. An operation is loaded when it's
// used, so a command loads only what it needs.

import type { AnswerNotes } from './answer-notes.ts'
import type { Fields, GivenInput } from './kit/field.ts'
import type { Operation } from './kit/operation.ts'

export const SECTIONS = {
  'Work (an agent does these)': {
    fetch: async () => (await import('./threads/fetch.ts')).fetch,
    claim: async () => (await import('./threads/claim.ts')).claim,
    update: async () => (await import('./threads/update.ts')).update,
    'wait-reply': async () => (await import('./threads/wait-reply.ts')).waitReply,
    renew: async () => (await import('./threads/renew.ts')).renew,
    done: async () => (await import('./threads/done.ts')).done,
    fail: async () => (await import('./threads/fail.ts')).fail,
  },
  'Lead (hand out and answer)': {
    send: async () => (await import('./threads/send.ts')).send,
    reply: async () => (await import('./threads/reply.ts')).reply,
    cancel: async () => (await import('./threads/cancel.ts')).cancel,
    watch: async () => (await import('./threads/watch.ts')).watch,
  },
  'Show people': {
    push: async () => (await import('./pushes/push.ts')).push,
    notify: async () => (await import('./pushes/notify.ts')).notify,
    open: async () => (await import('./pushes/open.ts')).open,
  },
  Look: {
    list: async () => (await import('./threads/list.ts')).list,
    show: async () => (await import('./threads/show.ts')).show,
    status: async () => (await import('./threads/status.ts')).status,
  },
  'Connect agents': {
    install: async () => (await import('./clients/install.ts')).install,
    uninstall: async () => (await import('./clients/uninstall.ts')).uninstall,
    mcp: async () => (await import('./server/mcp.ts')).mcp,
    hook: async () => (await import('./clients/hook.ts')).hook,
    'tool-hook': async () => (await import('./clients/tool-hook.ts')).toolHook,
  },
  Serve: {
    serve: async () => (await import('./server/serve.ts')).serve,
    'sign-in': async () => (await import('./identity/sign-in.ts')).signIn,
  },
  'Keep the store': {
    init: async () => (await import('./keeping/init.ts')).init,
    doctor: async () => (await import('./keeping/doctor.ts')).doctor,
    sweep: async () => (await import('./inbox/sweep.ts')).sweep,
    prune: async () => (await import('./keeping/prune.ts')).prune,
    backup: async () => (await import('./keeping/backup.ts')).backup,
    export: async () => (await import('./keeping/export.ts')).exportLog,
    import: async () => (await import('./keeping/import.ts')).importLog,
  },
  'Mail (to an agent, a role, a person)': {
    'mail send': async () => (await import('./mail/mail-send.ts')).mailSend,
    'mail read': async () => (await import('./mail/mail-read.ts')).mailRead,
    'mail peek': async () => (await import('./mail/mail-peek.ts')).mailPeek,
    'mail mark-read': async () => (await import('./mail/mail-mark-read.ts')).mailMarkRead,
    'mail history': async () => (await import('./mail/mail-history.ts')).mailHistory,
    'mail count': async () => (await import('./mail/mail-count.ts')).mailCount,
    'mail receipts': async () => (await import('./mail/mail-receipts.ts')).mailReceipts,
    'mail export': async () => (await import('./keeping/mail-export.ts')).mailExport,
  },
  Agents: {
    'agent register': async () => (await import('./agents/agent-register.ts')).agentRegister,
    'agent list': async () => (await import('./agents/agent-list.ts')).agentList,
    'agent status': async () => (await import('./agents/agent-status.ts')).agentStatus,
    'agent reach': async () => (await import('./agents/agent-reach.ts')).agentReach,
    'agent policy': async () => (await import('./requests/agent-policy.ts')).agentPolicy,
    'agent policies': async () => (await import('./requests/agent-policies.ts')).agentPolicies,
    'agent runs': async () => (await import('./requests/agent-runs.ts')).agentRuns,
    'agent end-run': async () => (await import('./requests/agent-end-run.ts')).agentEndRun,
  },
  'Pushes (what agents show people)': {
    'push history': async () => (await import('./pushes/push-history.ts')).pushHistory,
    'push show': async () => (await import('./pushes/push-show.ts')).pushShow,
    'push read': async () => (await import('./pushes/push-read.ts')).pushRead,
    'push unread': async () => (await import('./pushes/push-unread.ts')).pushUnread,
    'push trash': async () => (await import('./pushes/push-trash.ts')).pushTrash,
    'push restore': async () => (await import('./pushes/push-restore.ts')).pushRestore,
    'push delete': async () => (await import('./pushes/push-delete.ts')).pushDelete,
    'push reply': async () => (await import('./pushes/push-reply.ts')).pushReply,
    'push file': async () => (await import('./pushes/push-file.ts')).pushFile,
    'push watch': async () => (await import('./pushes/push-watch.ts')).pushWatch,
    'push resume': async () => (await import('./pushes/push-resume.ts')).pushResume,
  },
  'Requests (what agents ask people)': {
    'request create': async () => (await import('./requests/request-create.ts')).requestCreate,
    'request ask': async () => (await import('./requests/request-ask.ts')).requestAsk,
    'request review': async () => (await import('./requests/request-review.ts')).requestReview,
    'request backfill': async () =>
      (await import('./requests/request-backfill.ts')).requestBackfill,
    'request list': async () => (await import('./requests/request-list.ts')).requestList,
    'request types': async () => (await import('./requests/request-types.ts')).requestTypes,
    'request get': async () => (await import('./requests/request-get.ts')).requestGet,
    'request wait': async () => (await import('./requests/request-wait.ts')).requestWait,
    'request effect': async () => (await import('./requests/request-effect.ts')).requestEffect,
    'request effects': async () => (await import('./requests/request-effects.ts')).requestEffects,
    'request retry': async () => (await import('./requests/request-retry.ts')).requestRetry,
    'request exec': async () => (await import('./requests/request-exec.ts')).requestExec,
    'request verify': async () => (await import('./requests/request-verify.ts')).requestVerify,
    approve: async () => (await import('./requests/approve.ts')).approve,
    reject: async () => (await import('./requests/reject.ts')).reject,
    'request-revision': async () =>
      (await import('./requests/request-revision.ts')).requestRevision,
    'undo-decision': async () => (await import('./requests/undo-decision.ts')).undoDecision,
    'request decide': async () => (await import('./requests/request-decide.ts')).requestDecide,
    resubmit: async () => (await import('./requests/resubmit.ts')).resubmit,
    'cancel-request': async () => (await import('./requests/cancel-request.ts')).cancelRequest,
    comment: async () => (await import('./requests/comment.ts')).comment,
    'request link': async () => (await import('./requests/request-link.ts')).requestLink,
    'request unlink': async () => (await import('./requests/request-unlink.ts')).requestUnlink,
  },
  'Desk (everything delivered to a person)': {
    desk: async () => (await import('./desk/desk.ts')).desk,
    'desk list': async () => (await import('./desk/desk-list.ts')).deskList,
    'desk days': async () => (await import('./desk/desk-days.ts')).deskDays,
    'desk snooze': async () => (await import('./desk/desk-snooze.ts')).deskSnooze,
    'desk unsnooze': async () => (await import('./desk/desk-unsnooze.ts')).deskUnsnooze,
    'desk mark': async () => (await import('./desk/desk-mark.ts')).deskMark,
  },
  'Wake (start sleeping agents when mail comes)': {
    'wake run': async () => (await import('./waking/wake-run.ts')).wakeRun,
    'wake allow': async () => (await import('./waking/wake-allow.ts')).wakeAllow,
    'wake explain': async () => (await import('./waking/wake-explain.ts')).wakeExplain,
    'wake log': async () => (await import('./waking/wake-log.ts')).wakeLog,
    'wake exec': async () => (await import('./waking/wake-exec.ts')).wakeExec,
  },
  'Workflows (agents that work together)': {
    'workflow run': async () => (await import('./workflows/workflow-run.ts')).workflowRun,
    'workflow start': async () => (await import('./workflows/workflow-start.ts')).workflowStart,
    'workflow new': async () => (await import('./workflows/workflow-new.ts')).workflowNew,
    'workflow keep': async () => (await import('./workflows/workflow-keep.ts')).workflowKeep,
    'workflow turn': async () => (await import('./workflows/workflow-turn.ts')).workflowTurn,
    'workflow check': async () => (await import('./workflows/workflow-check.ts')).workflowCheck,
    'workflow list': async () => (await import('./workflows/workflow-list.ts')).workflowList,
    'workflow send': async () => (await import('./workflows/workflow-send.ts')).workflowSend,
    'workflow peek': async () => (await import('./workflows/workflow-peek.ts')).workflowPeek,
    'workflow stop': async () => (await import('./workflows/workflow-stop.ts')).workflowStop,
    'workflow channels': async () =>
      (await import('./workflows/workflow-channels.ts')).workflowChannels,
    'workflow channel': async () =>
      (await import('./workflows/workflow-channel.ts')).workflowChannel,
    'workflow entries': async () =>
      (await import('./workflows/workflow-entries.ts')).workflowEntries,
  },
  'Workflows: the context (what an agent of a workflow uses)': {
    'workflow context send': async () => (await import('./workflows/context-send.ts')).contextSend,
    'workflow context read': async () => (await import('./workflows/context-read.ts')).contextRead,
    'workflow context peek': async () => (await import('./workflows/context-peek.ts')).contextPeek,
    'workflow context inbox': async () =>
      (await import('./workflows/context-inbox.ts')).contextInbox,
    'workflow context inbox-peek': async () =>
      (await import('./workflows/context-inbox-peek.ts')).contextInboxPeek,
    'workflow context ack': async () => (await import('./workflows/context-ack.ts')).contextAck,
    'workflow context team': async () => (await import('./workflows/context-team.ts')).contextTeam,
    'workflow context no-action': async () =>
      (await import('./workflows/context-no-action.ts')).contextNoAction,
    'workflow context doc read': async () =>
      (await import('./workflows/context-doc-read.ts')).contextDocRead,
    'workflow context doc write': async () =>
      (await import('./workflows/context-doc-write.ts')).contextDocWrite,
    'workflow context doc append': async () =>
      (await import('./workflows/context-doc-append.ts')).contextDocAppend,
    'workflow context doc list': async () =>
      (await import('./workflows/context-doc-list.ts')).contextDocList,
    'workflow context doc create': async () =>
      (await import('./workflows/context-doc-create.ts')).contextDocCreate,
    'workflow context doc delete': async () =>
      (await import('./workflows/context-doc-delete.ts')).contextDocDelete,
    'workflow context doc history': async () =>
      (await import('./workflows/context-doc-history.ts')).contextDocHistory,
  },
  People: {
    'person add': async () => (await import('./agents/person-add.ts')).personAdd,
    'person settings': async () => (await import('./agents/person-settings.ts')).personSettings,
    'person set': async () => (await import('./agents/person-set.ts')).personSet,
  },
  'Workspaces (folders that agents push from)': {
    'workspace add': async () => (await import('./identity/workspace-add.ts')).workspaceAdd,
    'workspace list': async () => (await import('./identity/workspace-list.ts')).workspaceList,
    'workspace rename': async () =>
      (await import('./identity/workspace-rename.ts')).workspaceRename,
    'workspace remove': async () =>
      (await import('./identity/workspace-remove.ts')).workspaceRemove,
  },
  'Tokens (who may call a server)': {
    'token issue': async () => (await import('./identity/token-issue.ts')).tokenIssue,
    'token list': async () => (await import('./identity/token-list.ts')).tokenList,
    'token revoke': async () => (await import('./identity/token-revoke.ts')).tokenRevoke,
  },
}

/** The names that the program runs under. Each except `inbox` is short for a command group (doors/cli/program.ts). */
type ShellName = 'inbox' | 'agent-worker'

/** Everyday commands, shown first in help, for each name of the program. */
export const EVERYDAY: Readonly<Record<ShellName, readonly OperationName[]>> = {
  inbox: [
    'status',
    'send',
    'show',
    'reply',
    'list',
    'desk list',
    'approve',
    'agent list',
    'install',
    'serve',
  ],
  'agent-worker': [
    'workflow run',
    'workflow start',
    'workflow list',
    'workflow send',
    'workflow peek',
    'workflow stop',
    'workflow check',
  ],
}

/** The command that runs when the program is called without one. */
export const ALONE: Readonly<Record<ShellName, OperationName>> = {
  inbox: 'status',
  'agent-worker': 'workflow list',
}

/** Aliases, each with as many words as the operation's name. Help and completion don't list them. */
export const ALIASES: Readonly<Record<string, OperationName>> = { 'workflow ls': 'workflow list' }

/** Former names that still work, each with as many words as the new name. Help and completion don't list them. */
export const RENAMED: Readonly<Record<string, OperationName>> = { 'wake approve': 'wake allow' }

type IntersectionOf<Section> = (Section extends unknown ? (one: Section) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

type Section = (typeof SECTIONS)[keyof typeof SECTIONS]

export const CATALOGUE: IntersectionOf<Section> = Object.assign({}, ...Object.values(SECTIONS))

export type OperationName = keyof typeof CATALOGUE

/** Operations with a tool, in the order clients list them. Don't reorder: add new tools at the end of their set. */
export const TOOLS: readonly OperationName[] = [
  'push',
  'push history',
  'push show',
  'notify',
  'mail read',
  'mail send',
  'mail mark-read',
  'mail receipts',
  'mail history',
  'agent list',
  'agent register',
  'send',
  'fetch',
  'claim',
  'renew',
  'update',
  'reply',
  'done',
  'fail',
  'cancel',
  'list',
  'show',
  'watch',
  'wait-reply',
  'request create',
  'request get',
  'request wait',
  'resubmit',
  'comment',
  'cancel-request',
  'request ask',
  'request review',
  'workflow context send',
  'workflow context read',
  'workflow context peek',
  'workflow context inbox',
  'workflow context ack',
  'workflow context inbox-peek',
  'workflow context team',
  'workflow context no-action',
  'workflow context doc read',
  'workflow context doc write',
  'workflow context doc append',
  'workflow context doc list',
  'workflow context doc create',
  'workflow context doc delete',
]

/** Whether any commands of several words begin with this one. */
export function isGroup(word: string): boolean {
  return Object.keys(CATALOGUE).some((name) => name.startsWith(`${word} `))
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(CATALOGUE, name)
}

const loaded = new Map<OperationName, Operation>()

/** Cached, because repeating an `import()` takes as long as an entire small call. */
export async function loadOperation(name: OperationName): Promise<Operation> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const op = (await CATALOGUE[name]()) as unknown as Operation
  loaded.set(name, op)
  return op
}

export function loadAll(): Promise<Operation[]> {
  return Promise.all((Object.keys(CATALOGUE) as OperationName[]).map(loadOperation))
}

export type LoadedOperation<Name extends OperationName> = Awaited<
  ReturnType<(typeof CATALOGUE)[Name]>
>

export type CallInput<Name extends OperationName> =
  LoadedOperation<Name> extends Operation<infer F extends Fields, infer _> ? GivenInput<F> : never

export type OperationAnswer<Name extends OperationName> =
  LoadedOperation<Name> extends Operation<infer _, infer R> ? R & AnswerNotes : never
