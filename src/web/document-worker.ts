// Parses documents outside the page: a hostile document can only keep this worker busy until the page terminates it.

import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { Lexer, type Token } from 'marked'
import type {
  CodePiece,
  DocumentBlock,
  Inline,
  ParseAnswer,
  ParseWish,
} from './items/documents/tree.ts'

const LANGUAGES = {
  bash,
  css,
  diff,
  go,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)
hljs.registerAliases(['sh', 'shell', 'zsh'], { languageName: 'bash' })
hljs.registerAliases(['js', 'jsx', 'ts', 'tsx', 'javascript'], { languageName: 'typescript' })
hljs.registerAliases(['html', 'svg'], { languageName: 'xml' })
hljs.registerAliases(['yml'], { languageName: 'yaml' })
hljs.registerAliases(['py'], { languageName: 'python' })

/** Highlighting makes code easier to read, and no one reads a megabyte of it here. */
const MOST_HIGHLIGHTED = 100_000
/** Only an attack is nested deeper than this. */
const DEEPEST = 24

addEventListener('message', ({ data }: MessageEvent<ParseWish>) => {
  const { id, kind, text, language } = data
  const blocks: DocumentBlock[] =
    kind === 'markdown'
      ? new Lexer({ gfm: true }).lex(text).flatMap((token) => blockOf(token, 0))
      : [{ is: 'code', language: language ?? '', pieces: highlight(text, language ?? '') }]
  postMessage({ id, blocks } satisfies ParseAnswer)
})
// Tells the page that the worker is ready, which starts the time limit for a document.
postMessage(null)

function blockOf(token: Token, depth: number): DocumentBlock[] {
  if (depth > DEEPEST) return [{ is: 'paragraph', inlines: [{ is: 'text', text: token.raw }] }]
  const inner = (tokens: Token[] | undefined) =>
    (tokens ?? []).flatMap((one) => blockOf(one, depth + 1))
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return []
    case 'heading':
      return [{ is: 'heading', level: token.depth, inlines: inlinesOf(token.tokens, depth) }]
    case 'paragraph':
    case 'text':
      return [{ is: 'paragraph', inlines: inlinesOf(token.tokens ?? [token], depth) }]
    case 'code':
      return [
        { is: 'code', language: token.lang ?? '', pieces: highlight(token.text, token.lang ?? '') },
      ]
    case 'blockquote':
      return [{ is: 'quote', blocks: inner(token.tokens) }]
    case 'hr':
      return [{ is: 'line' }]
    case 'list':
      return [
        {
          is: 'list',
          start: token.ordered ? Number(token.start || 1) : null,
          items: token.items.map((item: { tokens: Token[]; task: boolean; checked?: boolean }) => ({
            task: item.task ? (item.checked ?? false) : null,
            blocks: inner(item.tokens),
          })),
        },
      ]
    case 'table':
      return [
        {
          is: 'table',
          align: token.align,
          head: token.header.map((cell: { tokens: Token[] }) => inlinesOf(cell.tokens, depth)),
          rows: token.rows.map((row: { tokens: Token[] }[]) =>
            row.map((cell) => inlinesOf(cell.tokens, depth)),
          ),
        },
      ]
    default:
      // HTML and unknown tokens are shown as source.
      return [{ is: 'paragraph', inlines: [{ is: 'text', text: token.raw.trimEnd() }] }]
  }
}

function inlinesOf(tokens: Token[] | undefined, depth: number): Inline[] {
  if (depth > DEEPEST) return (tokens ?? []).map(({ raw }) => ({ is: 'text', text: raw }))
  return (tokens ?? []).flatMap((token): Inline[] => {
    const inner = () => inlinesOf(token.type === 'image' ? [] : tokensIn(token), depth + 1)
    switch (token.type) {
      // The list item already includes its checkbox.
      case 'checkbox':
        return []
      case 'strong':
        return [{ is: 'strong', inlines: inner() }]
      case 'em':
        return [{ is: 'em', inlines: inner() }]
      case 'del':
        return [{ is: 'del', inlines: inner() }]
      case 'codespan':
        return [{ is: 'code', text: plain(token.text) }]
      case 'br':
        return [{ is: 'break' }]
      case 'link':
        return [{ is: 'link', href: String(token.href), inlines: inner() }]
      case 'image':
        return [{ is: 'image', src: String(token.href), alt: plain(token.text) }]
      case 'escape':
        return [{ is: 'text', text: token.text }]
      case 'text':
        return tokensIn(token).length > 0 ? inner() : [{ is: 'text', text: plain(token.text) }]
      default:
        return [{ is: 'text', text: token.raw }]
    }
  })
}

function tokensIn(token: Token): Token[] {
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : []
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The lexer escapes some characters for HTML. The page inserts them as plain text, so they're unescaped here. */
function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

/** Splits highlighted code into pieces with scopes. Reads the highlighter's tree, because its output is HTML. */
function highlight(text: string, language: string): CodePiece[] {
  const name = language.split(/\s/)[0]?.toLowerCase() ?? ''
  if (text.length > MOST_HIGHLIGHTED || hljs.getLanguage(name) === undefined) return [{ text }]
  const { _emitter: emitter } = hljs.highlight(text, { language: name }) as unknown as {
    _emitter: { rootNode: CodeNode }
  }
  return piecesOf(emitter.rootNode, undefined)
}

type CodeNode = { scope?: string; children: (CodeNode | string)[] }

function piecesOf(node: CodeNode, scope: string | undefined): CodePiece[] {
  const own = node.scope?.split('.')[0] ?? scope
  return node.children.flatMap((child) =>
    typeof child === 'string'
      ? [{ text: child, ...(own === undefined ? {} : { scope: own }) }]
      : piecesOf(child, own),
  )
}
