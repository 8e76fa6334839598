/**
 * The programs that agents run in. Mailroom can be installed into each, and each can resume its sessions.
 */
export const CLIENTS = ['claude', 'codex', 'cursor', 'gemini', 'opencode'] as const
export type ClientName = (typeof CLIENTS)[number]
