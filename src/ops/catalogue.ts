// Every operation, by name. Each is loaded when it is used: a command pays for itself alone.

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
  'wait-reply': async () => (await import('./wait-reply.ts')).waitReply,
  status: async () => (await import('./status.ts')).status,
  sweep: async () => (await import('./sweep.ts')).sweep,
  doctor: async () => (await import('./doctor.ts')).doctor,
  backup: async () => (await import('./backup.ts')).backup,
  export: async () => (await import('./export.ts')).exportLog,
  import: async () => (await import('./import.ts')).importLog,
  prune: async () => (await import('./prune.ts')).prune,
  'agent register': async () => (await import('./agent-register.ts')).agentRegister,
  'agent list': async () => (await import('./agent-list.ts')).agentList,
  'agent status': async () => (await import('./agent-status.ts')).agentStatus,
  'person add': async () => (await import('./person-add.ts')).personAdd,
}

export type OperationName = keyof typeof CATALOGUE
