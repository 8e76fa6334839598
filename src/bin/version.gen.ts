// Generated from package.json by scripts/generate.ts. Do not edit.

export const VERSION = "0.1.0"
