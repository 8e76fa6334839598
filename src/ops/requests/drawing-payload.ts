// The payload of a request, as people see it: for each known type its own way, and for others as it is. All of it is
// somebody else's words, so all of it stands after a bar.

import { isObject, type Json } from '../../core/json.ts'
import { changesBetween } from '../../core/requests/changes.ts'
import { isKnownType, type KnownType } from '../../core/requests/request-types.ts'
import type { Page } from '../kit/drawing/page.ts'
import { words } from '../kit/drawing/quoted.ts'

type PayloadObject = { [key: string]: Json }

/** The proposed changes that are shown of a review; `request get --raw` shows all of them. */
const SHOWN_CHANGES = 3

const RENDERERS: Record<KnownType, (payload: PayloadObject) => string[]> = {
  config_change({ target, current = {}, proposed = {} }) {
    const changes = changesBetween(current, proposed)
    const lines = changes.map(
      ({ path, before, after }) => `${path}: ${said(before)} → ${said(after)}`,
    )
    return [`target: ${plain(target)}`, ...(lines.length === 0 ? ['nothing changes'] : lines)]
  },
  knowledge_upload({ destination, files }) {
    const all = listOf(files)
    const [first] = all
    const lines = all.map(({ name, media_type, size, replaces }) => {
      const instead = replaces === undefined ? '' : `, replaces ${plain(replaces)}`
      return `${plain(name)}  ${plain(media_type)}  ${plain(size)} bytes${instead}`
    })
    const preview = typeof first?.text === 'string' ? ['', ...first.text.split('\n')] : []
    return [`to: ${plain(destination)}`, ...lines, ...preview]
  },
  tool_invocation({ tool, arguments: given, description, risk }) {
    const why = description === undefined ? [] : [plain(description)]
    return [`tool: ${plain(tool)}`, ...why, JSON.stringify(given, null, 2), ...riskLines(risk)]
  },
  workspace_review({ body, target_path, changes }) {
    const all = listOf(changes)
    const lines = all.slice(0, SHOWN_CHANGES).map(({ kind, path, summary }) => {
      return `${plain(kind)} ${plain(path)}: ${plain(summary)}`
    })
    const left = all.length - SHOWN_CHANGES
    const more = left > 0 ? [`and ${left} more: see all of it with --raw`] : []
    return [`for: ${plain(target_path)}`, plain(body), ...lines, ...more]
  },
  question({ text, options, schema }) {
    const choices = Array.isArray(options) ? options.map((one) => `- ${plain(one)}`) : []
    return [
      plain(text),
      ...choices,
      ...(schema === undefined ? [] : [JSON.stringify(schema, null, 2)]),
    ]
  },
}

export function drawPayload(type: string, payload: Json, page: Page): string {
  const lines =
    isKnownType(type) && isObject(payload) && !page.isRaw
      ? RENDERERS[type](payload)
      : [JSON.stringify(payload, null, 2)]
  return `${words(lines.join('\n'), page)}\n`
}

function riskLines(risk: Json | undefined): string[] {
  if (!isObject(risk)) return []
  const { level, reasons, touches } = risk
  const texts = (list: Json | undefined) => (Array.isArray(list) ? list.map(plain) : [])
  return [
    `risk: ${plain(level)}`,
    ...texts(reasons),
    ...texts(touches).map((one) => `touches ${one}`),
  ]
}

function listOf(list: Json | undefined): PayloadObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function plain(value: Json | undefined): string {
  return typeof value === 'string' ? value : said(value)
}

function said(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
