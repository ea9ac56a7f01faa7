import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  allowedChanges,
  breakingChanges,
  type Changes,
  currentDocument,
  findOasdiff,
  lastRelease,
  without,
} from '../scripts/release/openapi-changes.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'))
const { since, allowed } = allowedChanges()
const oasdiff = findOasdiff()

it('lists reasons for this release only: they expire with the next', () => {
  expect(since).toBe(version)
  for (const { reason } of allowed) expect(reason).toMatch(/^\S.{20,}\.$/)
})

// npm has oasdiff for Linux x64, where the checks of a release run.
const COMPARABLE = oasdiff !== undefined || (process.platform === 'linux' && process.arch === 'x64')

describe.runIf(COMPARABLE)('compared with the document of the last release', () => {
  const changesSince = (document: object): Changes => breakingChanges(lastRelease(), document, oasdiff ?? 'oasdiff')

  // Mend what is found here; or list it in packages/http-koa/openapi/breaking-changes.json with the reason.
  it('has no breaking change that is not listed with its reason', () => {
    const lists = allowed.map(({ changes }) => changes)
    expect(without(changesSince(currentDocument()), lists)).toEqual([])
  })

  it('has every breaking change that is listed', () => {
    const found = changesSince(currentDocument())
    expect(allowed.flatMap(({ changes }) => without(changes, [found]))).toEqual([])
  })

  it.each<[what: string, change: (document: Described) => void, found: RegExp]>([
    ['an operation that is gone', ({ paths }) => delete paths['/feeds'], /GET \/feeds: .*removed/],
    [
      'a member of a record that is gone',
      ({ components }) => delete components.schemas.Subscription?.properties?.status,
      /GET \/subscriptions\/\{subscriptionId\}: removed the (required )?property `status`/,
    ],
    [
      'a field that must be given now',
      ({ components }) => components.schemas.SubscribeForm?.required?.push('name'),
      /POST \/subscribe: .*`name` became required/,
    ],
  ])('would find %s', (_, change, found) => {
    const document = structuredClone(currentDocument()) as unknown as Described
    change(document)
    const lists = allowed.map(({ changes }) => changes)
    expect(without(changesSince(document), lists)).toContainEqual(expect.stringMatching(found))
  })
})

interface Described {
  readonly paths: Record<string, unknown>
  readonly components: {
    readonly schemas: Record<string, { readonly properties?: Record<string, unknown>; readonly required?: string[] }>
  }
}
