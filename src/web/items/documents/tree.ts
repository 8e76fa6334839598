// A parsed document: plain data, so that no HTML ever reaches the page.

export type Inline =
  | { is: 'text'; text: string }
  | { is: 'code'; text: string }
  | { is: 'break' }
  | { is: 'strong' | 'em' | 'del'; inlines: Inline[] }
  | { is: 'link'; href: string; inlines: Inline[] }
  | { is: 'image'; src: string; alt: string }

export type CodePiece = { text: string; scope?: string }

export type DocumentBlock =
  | { is: 'heading'; level: number; inlines: Inline[] }
  | { is: 'paragraph'; inlines: Inline[] }
  | { is: 'code'; language: string; pieces: CodePiece[] }
  | { is: 'quote'; blocks: DocumentBlock[] }
  | { is: 'line' }
  | { is: 'list'; start: number | null; items: { task: boolean | null; blocks: DocumentBlock[] }[] }
  | {
      is: 'table'
      align: ('center' | 'left' | 'right' | null)[]
      head: Inline[][]
      rows: Inline[][][]
    }

export type ParseWish = {
  id: number
  kind: 'markdown' | 'code'
  text: string
  language?: string | undefined
}
export type ParseAnswer = { id: number; blocks: DocumentBlock[] }
