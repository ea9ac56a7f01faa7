import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.join(import.meta.dirname, '../../../..')

/** A block of code on a page: in its head `[name]` is a file that the reader makes of it. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly file: string | undefined
  readonly code: string
}

export const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8')

export const blocksOf = (page: string, text = read(page)): Block[] =>
  [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: head = '', 2: code = '' }) => {
    const { language = '', file } = /^(?<language>\S*)(?: \[(?<file>[^\]]+)\])?$/.exec(head)?.groups ?? {}
    return { page, line: text.slice(0, index).split('\n').length, language, file, code }
  })

const isAnswer = ({ language, code }: Block): boolean =>
  language === 'text' || (language === 'http' && code.startsWith('HTTP/'))

/** What a reader does: commands of a shell, or an HTTP request. */
export const isExecuted = (block: Block): boolean =>
  block.file === undefined && ['sh', 'bash', 'http'].includes(block.language) && !isAnswer(block)

/** Code that stands on its own: another test runs it, and compares what is printed. */
const isProgram = (block: Block | undefined): boolean =>
  block?.file === undefined && ['js', 'ts'].includes(block?.language ?? '')

export interface Step extends Block {
  /** What the page says that comes of it. */
  readonly answers: readonly string[]
}

/** All that a reader of the page does, in its order: blocks that are executed, and files that are made. */
export const stepsOf = (page: string, text = read(page)): Step[] => {
  const steps: (Block & { answers: string[] })[] = []
  const blocks = blocksOf(page, text)
  for (const [index, block] of blocks.entries()) {
    if (isExecuted(block) || block.file !== undefined) steps.push({ ...block, answers: [] })
    else if (isAnswer(block) && !isProgram(blocks[index - 1])) {
      const last = steps.findLast(isExecuted)
      if (last === undefined) throw new Error(`${page}:${block.line}: there is nothing that this could be printed by.`)
      last.answers.push(block.code)
    }
  }
  return steps
}

const inFolder = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`)

/** Every page with blocks that a reader may execute. */
export const PAGES: readonly string[] = [
  'README.md',
  'docs/README.md',
  'docs/start.md',
  ...inFolder('docs/guides'),
  ...inFolder('docs/reference'),
  ...readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
]
