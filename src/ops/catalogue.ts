// Every operation, by name. Each is loaded when it is used: a command pays for itself alone.

import type { Operation } from './kit/operation.ts'

export const CATALOGUE = {
  init: async () => (await import('./keeping/init.ts')).init,
  send: async () => (await import('./threads/send.ts')).send,
  fetch: async () => (await import('./threads/fetch.ts')).fetch,
  claim: async () => (await import('./threads/claim.ts')).claim,
  renew: async () => (await import('./threads/renew.ts')).renew,
  update: async () => (await import('./threads/update.ts')).update,
  reply: async () => (await import('./threads/reply.ts')).reply,
  done: async () => (await import('./threads/done.ts')).done,
  fail: async () => (await import('./threads/fail.ts')).fail,
  cancel: async () => (await import('./threads/cancel.ts')).cancel,
  list: async () => (await import('./threads/list.ts')).list,
  show: async () => (await import('./threads/show.ts')).show,
  watch: async () => (await import('./threads/watch.ts')).watch,
  'mail send': async () => (await import('./mail/mail-send.ts')).mailSend,
  'mail read': async () => (await import('./mail/mail-read.ts')).mailRead,
  'mail peek': async () => (await import('./mail/mail-peek.ts')).mailPeek,
  'mail mark-read': async () => (await import('./mail/mail-mark-read.ts')).mailMarkRead,
  'mail history': async () => (await import('./mail/mail-history.ts')).mailHistory,
  'mail receipts': async () => (await import('./mail/mail-receipts.ts')).mailReceipts,
  'wait-reply': async () => (await import('./threads/wait-reply.ts')).waitReply,
  status: async () => (await import('./threads/status.ts')).status,
  sweep: async () => (await import('./inbox/sweep.ts')).sweep,
  doctor: async () => (await import('./keeping/doctor.ts')).doctor,
  backup: async () => (await import('./keeping/backup.ts')).backup,
  export: async () => (await import('./keeping/export.ts')).exportLog,
  import: async () => (await import('./keeping/import.ts')).importLog,
  prune: async () => (await import('./keeping/prune.ts')).prune,
  'mail export': async () => (await import('./keeping/mail-export.ts')).mailExport,
  'agent register': async () => (await import('./agents/agent-register.ts')).agentRegister,
  'agent list': async () => (await import('./agents/agent-list.ts')).agentList,
  'agent status': async () => (await import('./agents/agent-status.ts')).agentStatus,
  push: async () => (await import('./pushes/push.ts')).push,
  notify: async () => (await import('./pushes/notify.ts')).notify,
  open: async () => (await import('./pushes/open.ts')).open,
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
  'wake run': async () => (await import('./waking/wake-run.ts')).wakeRun,
  'wake allow': async () => (await import('./waking/wake-allow.ts')).wakeAllow,
  'wake explain': async () => (await import('./waking/wake-explain.ts')).wakeExplain,
  'wake log': async () => (await import('./waking/wake-log.ts')).wakeLog,
  'wake exec': async () => (await import('./waking/wake-exec.ts')).wakeExec,
  serve: async () => (await import('./server/serve.ts')).serve,
  install: async () => (await import('./clients/install.ts')).install,
  uninstall: async () => (await import('./clients/uninstall.ts')).uninstall,
  hook: async () => (await import('./clients/hook.ts')).hook,
  mcp: async () => (await import('./server/mcp.ts')).mcp,
  'person add': async () => (await import('./agents/person-add.ts')).personAdd,
  'sign-in': async () => (await import('./identity/sign-in.ts')).signIn,
  'workspace add': async () => (await import('./identity/workspace-add.ts')).workspaceAdd,
  'workspace list': async () => (await import('./identity/workspace-list.ts')).workspaceList,
  'workspace rename': async () => (await import('./identity/workspace-rename.ts')).workspaceRename,
  'workspace remove': async () => (await import('./identity/workspace-remove.ts')).workspaceRemove,
  'token issue': async () => (await import('./identity/token-issue.ts')).tokenIssue,
  'token list': async () => (await import('./identity/token-list.ts')).tokenList,
  'token revoke': async () => (await import('./identity/token-revoke.ts')).tokenRevoke,
}

export type OperationName = keyof typeof CATALOGUE

/** Those that have a tool, in the order in which clients list them: it does not change. */
export const TOOLS: readonly OperationName[] = [
  ...(['push', 'push history', 'push show', 'notify'] as const),
  ...(['mail read', 'mail send', 'mail mark-read', 'mail receipts', 'mail history'] as const),
  ...(['agent list', 'agent register'] as const),
  ...(['send', 'fetch', 'claim', 'renew', 'update', 'reply', 'done', 'fail', 'cancel'] as const),
  ...(['list', 'show', 'watch', 'wait-reply'] as const),
]

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(CATALOGUE, name)
}

/** As doors see it, which read from it what it takes and gives. */
export async function loadOperation(name: OperationName): Promise<Operation> {
  return (await CATALOGUE[name]()) as unknown as Operation
}

export function loadAll(): Promise<Operation[]> {
  return Promise.all((Object.keys(CATALOGUE) as OperationName[]).map(loadOperation))
}
