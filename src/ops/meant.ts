// Words that people type for a command because other programs call it so, and the command that is meant. Loaded only to
// refuse a word that is no command.

import type { OperationName } from './catalogue.ts'

type OtherWord = { name: OperationName; with?: string }

const REGISTER: OtherWord = { name: 'agent register', with: 'NAME' }
const TURN_OFF: OtherWord = { name: 'agent status', with: 'NAME --status off' }
const SHOW: OtherWord = { name: 'show', with: 'ID' }

export const MEANT: Readonly<Record<string, OtherWord>> = {
  add: { name: 'send', with: 'NAME "what to do"' },
  new: { name: 'send', with: 'NAME "what to do"' },
  create: { name: 'send', with: 'NAME "what to do"' },
  assign: { name: 'send', with: 'NAME "what to do"' },
  answer: { name: 'reply', with: 'ID "text"' },
  login: { name: 'sign-in' },
  signin: { name: 'sign-in' },
  start: { name: 'serve' },
  web: { name: 'serve', with: '--open' },
  ui: { name: 'serve', with: '--open' },
  tasks: { name: 'list' },
  threads: { name: 'list' },
  todo: { name: 'list', with: '--status pending' },
  ps: { name: 'agent list' },
  agents: { name: 'agent list' },
  who: { name: 'agent list' },
  view: SHOW,
  cat: SHOW,
  get: SHOW,
  search: { name: 'mail history', with: '--text WORDS' },
  message: { name: 'mail send', with: 'NAME "text"' },
  setup: { name: 'install', with: 'claude' },
  connect: { name: 'install', with: 'claude' },
  'agent add': REGISTER,
  'agent create': REGISTER,
  'agent new': REGISTER,
  'agent remove': TURN_OFF,
  'agent delete': TURN_OFF,
  'agent stop': TURN_OFF,
  'agent show': { name: 'agent status', with: 'NAME' },
  'mail list': { name: 'mail peek' },
  'mail inbox': { name: 'mail read' },
  'mail show': SHOW,
  'mail reply': { name: 'reply', with: 'ID "text"' },
  'mail search': { name: 'mail history', with: '--text WORDS' },
  'push list': { name: 'push history' },
  'push send': { name: 'push', with: 'FILE' },
  'request show': { name: 'request get', with: 'ID' },
  'request approve': { name: 'approve', with: 'ID' },
  'request reject': { name: 'reject', with: 'ID' },
  'request comment': { name: 'comment', with: 'ID "text"' },
  'request cancel': { name: 'cancel-request', with: 'ID' },
  'token create': { name: 'token issue', with: 'NAME' },
  'token add': { name: 'token issue', with: 'NAME' },
  'token remove': { name: 'token revoke', with: 'TOKEN' },
  'workspace create': { name: 'workspace add', with: 'FOLDER' },
  'person create': { name: 'person add', with: 'NAME' },
}
