/** The programs agents run in: Mailroom can be installed into each, and each can go on with a session of its own. */
export const CLIENTS = ['claude', 'codex', 'cursor', 'gemini', 'opencode'] as const
export type ClientName = (typeof CLIENTS)[number]
