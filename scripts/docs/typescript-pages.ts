import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Exported, exportsOf } from './declarations.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const TYPES = path.join(ROOT, 'node_modules/.cache/types')

interface Manifest {
  readonly name: string
  readonly description?: string
  readonly exports?: Readonly<Record<string, string>>
}

/** The pages of the TypeScript API, from the declarations that `tsc -b` has written, by the names of the packages. */
export const typescriptPages = (): ReadonlyMap<string, string> => {
  const pages = new Map<string, string>()
  for (const folder of readdirSync(path.join(ROOT, 'packages'))) {
    const manifest: Manifest = JSON.parse(readFileSync(path.join(ROOT, 'packages', folder, 'package.json'), 'utf8'))
    const sections = Object.entries(manifest.exports ?? {}).flatMap(([entry, file]) => {
      const declarations = declarationsOf(folder, file)
      return declarations === undefined ? [] : [sectionOf(path.posix.join(manifest.name, entry), declarations)]
    })
    if (sections.length > 0)
      pages.set(`${folder}.md`, `# ${manifest.name}\n\n${manifest.description ?? ''}\n\n${sections.join('')}`)
  }
  return pages
}

const declarationsOf = (folder: string, file: string): string | undefined => {
  const name = file.replace(/\.ts$/, '.d.ts')
  return [folder, `${folder}-test`].map((one) => path.join(TYPES, one, name)).find((one) => existsSync(one))
}

const sectionOf = (entry: string, file: string): string => {
  const all = [...exportsOf(file).values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  return all.length === 0 ? '' : `## ${entry}\n\n${all.map(partOf).join('')}`
}

const partOf = ({ name, comment, text }: Exported): string => {
  const code = text.replaceAll(/^export (?:declare )?/g, '').replaceAll(/^ *#private;\n/gm, '')
  return `### ${name}\n\n${proseOf(comment)}\`\`\`ts\n${code.trimEnd()}\n\`\`\`\n\n`
}

/** A doc comment as Markdown. */
const proseOf = (comment: string): string => {
  const text = comment
    .replaceAll(/^[ \t]*\* ?/gm, '')
    .trim()
    .replaceAll(/\{@link (\S+)\}/g, '`$1`')
    .replaceAll(/^@throws \{(\w+)\} ?/gm, '- Throws `$1`: ')
    .replaceAll(/^@param (\S+) ?/gm, '- `$1`: ')
    .replaceAll(/^@returns? ?/gm, '- Returns ')
    .replaceAll(/(?<=^(?!- ).+)\n(?=- )/gm, '\n\n')
  return text === ''
    ? ''
    : `${text
        .split('`')
        .map((part, index) => (index % 2 === 0 ? plain(part) : part))
        .join('`')}\n\n`
}

const plain = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')
