export const CLIENTS = ['claude', 'codex', 'cursor', 'gemini', 'opencode'] as const
export type ClientName = (typeof CLIENTS)[number]
