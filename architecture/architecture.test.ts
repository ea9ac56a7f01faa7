import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plant, planted } from './planted.ts'
import { rules } from './rules.ts'
import { readTree } from './tree.ts'

const tree = readTree(join(import.meta.dirname, '..'))

it('reads every package of the house', () => {
  const packages = new Set([...tree.keys()].map((path) => path.split('/')[1]))
  for (const name of [
    'core',
    'storage-sql',
    'mail',
    'webhook',
    'feedback-ses',
    'feedback-webhooks',
    'access-token',
    'proof-of-work',
    'platform-node',
    'http-koa',
    'scim',
    'cli',
    'client',
    'app',
  ]) {
    expect(packages).toContain(name)
  }
})

it('shows every rule to bite', () => {
  expect(planted.map(({ rule }) => rule)).toEqual(rules.map(({ name }) => name))
})

describe.each(rules)('$name', (rule) => {
  it('is kept', () => {
    expect(rule.violations(tree)).toEqual([])
  })

  const { bites, spares } = planted.find(({ rule: name }) => name === rule.name) ?? { bites: {}, spares: {} }

  it.each(each(bites))('bites in %s: %s', (path, _, source) => {
    expect(rule.violations(plant({ [path]: source }))).toEqual([expect.stringContaining(path)])
  })

  it.each(each(spares))('spares %s: %s', (path, _, source) => {
    expect(rule.violations(plant({ [path]: source }))).toEqual([])
  })
})

function each(sources: Record<string, string[]>): [path: string, title: string, source: string][] {
  return Object.entries(sources).flatMap(([path, list]) =>
    list.map((source): [string, string, string] => [path, source.slice(0, 80), source]),
  )
}
