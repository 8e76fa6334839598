// Generated from sql/ by scripts/generate.ts. Do not edit.

export const SCHEMA_VERSION = 10
