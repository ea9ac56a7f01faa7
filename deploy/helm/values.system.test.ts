import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../../packages/app/test/documentation/blocks.ts'
import { expectFollowed } from '../../packages/app/test/documentation/following.ts'
import { contentOf, Reader } from '../../packages/app/test/documentation/reader.ts'
import { CHART, GUIDE, REFUSED, VARIANT_NAMES, VARIANTS } from './values.ts'

type Values = Readonly<Record<string, unknown>>

interface Finding {
  readonly source: string
  readonly path: readonly string[]
  readonly message: string
}

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As Helm lays values over those of the chart. */
const over = (below: Values, above: Values): Values => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([name, value]) => {
      const own = below[name]
      return [name, isGroup(own) && isGroup(value) ? over(own, value) : value]
    }),
  ),
})

let folder: string
let findings: readonly Finding[]

const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.json`

/** Spectral has the validator; the schema of the values is its only rule. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-values-'))
  const schema = JSON.parse(await readFile(path.join(CHART, 'values.schema.json'), 'utf8'))
  const then = { function: 'schema', functionOptions: { schema, allErrors: true } }
  const rules = { rules: { values: { given: '$', severity: 'error', message: '{{error}}', then } } }
  await writeFile(path.join(folder, 'rules.json'), JSON.stringify(rules))
  const defaults: Values = parse(await readFile(path.join(CHART, 'values.yaml'), 'utf8'))
  const all = [
    ...VARIANT_NAMES.map((name): [string, Values] => [name, parse(VARIANTS[name])]),
    ...REFUSED.map(({ what, values }): [string, Values] => [what, values]),
  ]
  await mkdir(path.join(folder, 'values'))
  for (const [name, values] of all)
    await writeFile(path.join(folder, 'values', fileOf(name)), JSON.stringify(over(defaults, values)))
  execFileSync(process.execPath, [path.join(ROOT, 'tools/install.cjs'), 'tools/api-lint'], { stdio: 'inherit' })
  const spectral = [path.join(ROOT, 'tools/api-lint/node_modules/.bin/spectral'), 'lint', 'values/*.json']
  const options = ['--ruleset', 'rules.json', '--format', 'json', '--quiet']
  const { stdout } = await promisify(execFile)(process.execPath, [...spectral, ...options], { cwd: folder }).catch(
    // It exits with 1 where it has found something.
    (error: { stdout: string }) => error,
  )
  findings = JSON.parse(stdout)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const foundIn = (name: string) =>
  findings
    .filter(({ source }) => path.basename(source) === fileOf(name))
    .map(({ path: place, message }) => ({ place: place.join('.'), message }))

describe('the schema of the values takes', () => {
  it.each(VARIANT_NAMES)('%s', (name) => {
    expect(foundIn(name)).toEqual([])
  })
})

describe('the schema of the values refuses', () => {
  it.each(REFUSED)('$what', ({ what, place }) => {
    expect(foundIn(what)).toContainEqual(expect.objectContaining({ place }))
  })
})

it('makes a secret and keys as the guide has it', async () => {
  await expectFollowed(GUIDE, async (page) => {
    await using reader = await Reader.open({ notYetServed: true })
    await reader.follow(page)
    expect((await contentOf(reader, 'SECRET')).trim()).toMatch(/^[0-9a-f]{64}$/)
    const links = JSON.parse(await contentOf(reader, 'LINK_KEYS'))
    expect(links.keys).toEqual([{ kty: 'oct', kid: '1', k: expect.stringMatching(/^[\w-]{43}$/) }])
    const { keys } = JSON.parse(await contentOf(reader, 'SIGNING_KEYS'))
    expect(keys).toEqual([expect.objectContaining({ kty: 'OKP', d: expect.any(String) })])
    return reader.executed
  })
})
