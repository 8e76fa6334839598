// Every operation, by name. Each is loaded when it is used: a command pays for itself alone.

import type { Operation } from './operation.ts'

export const CATALOGUE = {
  init: async () => (await import('./init.ts')).init,
  send: async () => (await import('./send.ts')).send,
  fetch: async () => (await import('./fetch.ts')).fetch,
  claim: async () => (await import('./claim.ts')).claim,
  renew: async () => (await import('./renew.ts')).renew,
  update: async () => (await import('./update.ts')).update,
  reply: async () => (await import('./reply.ts')).reply,
  done: async () => (await import('./done.ts')).done,
  fail: async () => (await import('./fail.ts')).fail,
  cancel: async () => (await import('./cancel.ts')).cancel,
  list: async () => (await import('./list.ts')).list,
  show: async () => (await import('./show.ts')).show,
  watch: async () => (await import('./watch.ts')).watch,
  'mail send': async () => (await import('./mail-send.ts')).mailSend,
  'mail read': async () => (await import('./mail-read.ts')).mailRead,
  'mail peek': async () => (await import('./mail-peek.ts')).mailPeek,
  'mail mark-read': async () => (await import('./mail-mark-read.ts')).mailMarkRead,
  'mail history': async () => (await import('./mail-history.ts')).mailHistory,
  'mail receipts': async () => (await import('./mail-receipts.ts')).mailReceipts,
  'wait-reply': async () => (await import('./wait-reply.ts')).waitReply,
  status: async () => (await import('./status.ts')).status,
  sweep: async () => (await import('./sweep.ts')).sweep,
  doctor: async () => (await import('./doctor.ts')).doctor,
  backup: async () => (await import('./backup.ts')).backup,
  export: async () => (await import('./export.ts')).exportLog,
  import: async () => (await import('./import.ts')).importLog,
  prune: async () => (await import('./prune.ts')).prune,
  'mail export': async () => (await import('./mail-export.ts')).mailExport,
  'agent register': async () => (await import('./agent-register.ts')).agentRegister,
  'agent list': async () => (await import('./agent-list.ts')).agentList,
  'agent status': async () => (await import('./agent-status.ts')).agentStatus,
  push: async () => (await import('./push.ts')).push,
  notify: async () => (await import('./notify.ts')).notify,
  open: async () => (await import('./open.ts')).open,
  'push history': async () => (await import('./push-history.ts')).pushHistory,
  'push show': async () => (await import('./push-show.ts')).pushShow,
  'push read': async () => (await import('./push-read.ts')).pushRead,
  'push unread': async () => (await import('./push-unread.ts')).pushUnread,
  'push trash': async () => (await import('./push-trash.ts')).pushTrash,
  'push restore': async () => (await import('./push-restore.ts')).pushRestore,
  'push delete': async () => (await import('./push-delete.ts')).pushDelete,
  'push reply': async () => (await import('./push-reply.ts')).pushReply,
  'push file': async () => (await import('./push-file.ts')).pushFile,
  'push watch': async () => (await import('./push-watch.ts')).pushWatch,
  'push resume': async () => (await import('./push-resume.ts')).pushResume,
  'wake run': async () => (await import('./wake-run.ts')).wakeRun,
  'wake approve': async () => (await import('./wake-approve.ts')).wakeApprove,
  'wake explain': async () => (await import('./wake-explain.ts')).wakeExplain,
  'wake log': async () => (await import('./wake-log.ts')).wakeLog,
  'wake exec': async () => (await import('./wake-exec.ts')).wakeExec,
  serve: async () => (await import('./serve.ts')).serve,
  install: async () => (await import('./install.ts')).install,
  uninstall: async () => (await import('./uninstall.ts')).uninstall,
  hook: async () => (await import('./hook.ts')).hook,
  mcp: async () => (await import('./mcp.ts')).mcp,
  'person add': async () => (await import('./person-add.ts')).personAdd,
  'sign-in': async () => (await import('./sign-in.ts')).signIn,
  'workspace add': async () => (await import('./workspace-add.ts')).workspaceAdd,
  'workspace list': async () => (await import('./workspace-list.ts')).workspaceList,
  'workspace rename': async () => (await import('./workspace-rename.ts')).workspaceRename,
  'workspace remove': async () => (await import('./workspace-remove.ts')).workspaceRemove,
  'token issue': async () => (await import('./token-issue.ts')).tokenIssue,
  'token list': async () => (await import('./token-list.ts')).tokenList,
  'token revoke': async () => (await import('./token-revoke.ts')).tokenRevoke,
}

export type OperationName = keyof typeof CATALOGUE

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
