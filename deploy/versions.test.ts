import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { aboutSetting, SETTINGS, type SettingName } from '../packages/app/src/settings.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const { version } = JSON.parse(read('package.json'))

it('has the chart at the version of the packages', () => {
  expect(parse(read('deploy/helm/rollcall/Chart.yaml'))).toMatchObject({ version, appVersion: version })
})

const namedIn = (file: string): readonly string[] =>
  [...read(file).matchAll(/\brollcall:(\d+\.[\w.-]*)/g)].map(([, one = '']) => one)

it.each([
  'deploy/compose/compose.yaml',
  'deploy/compose/compose.postgres.yaml',
  'docs/guides/containers.md',
  'docs/guides/monitor.md',
])('names the image at the version of the packages: %s', (file) => {
  expect([...new Set(namedIn(file))]).toEqual([version])
})

it('has a release raise the version in every file that names the image', () => {
  const all = globSync(['README.md', 'docs/**/*.md', 'deploy/**/*.{md,yaml}'], { cwd: ROOT })
  const naming = all.filter((file) => namedIn(file).includes(version))
  expect(naming.length).toBeGreaterThan(3)
  const [, list = ''] = /NAMING_THE_VERSION = \[([^\]]*)\]/.exec(read('scripts/release/release.ts')) ?? []
  const raised = globSync(
    [...list.matchAll(/'([^']+)'/g)].map(([, one = '']) => one),
    { cwd: ROOT },
  )
  expect(raised).toEqual(expect.arrayContaining(naming))
})

it.each([
  ['deploy/helm/rollcall/templates/_helpers.tpl', /path: \/readyz[^-]*?timeoutSeconds: (\d+)/],
  ['deploy/compose/haproxy.cfg', /timeout check (\d+)s/],
  ['deploy/compose/compose.yaml', /healthcheck\.cjs\][^-]*?timeout: (\d+)s/],
  ['deploy/compose/compose.postgres.yaml', /healthcheck\.cjs\][^-]*?timeout: (\d+)s/],
  ['Dockerfile', /HEALTHCHECK .*--timeout=(\d+)s/],
  ['deploy/image/healthcheck.cjs', /AbortSignal\.timeout\((\d+)000\)/],
])('waits for /readyz for longer than it takes at most: %s', (file, pattern) => {
  const [, most] = /`\/readyz` by (\d+)\./.exec(read('docs/reference/postgresql.md')) ?? []
  const [, waits] = pattern.exec(read(file)) ?? []
  expect(Number(waits)).toBeGreaterThan(Number(most))
})

it('names what others make by a version that no longer changes, and actions by their commit', () => {
  const services = Object.values<{ image: string }>(parse(read('deploy/compose/compose.postgres.yaml')).services)
  const images = services.map(({ image }) => image).filter((image) => !image.includes('rollcall'))
  expect(images.toSorted()).toEqual([
    expect.stringMatching(/^haproxy:\d+\.\d+\.\d+$/),
    expect.stringMatching(/^postgres:\d+\.\d+$/),
  ])
  const used = read('.github/workflows/release.yml').match(/uses: .*/g)
  expect(used?.length).toBeGreaterThan(0)
  for (const action of used ?? []) expect(action).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

it('builds the image with the Node.js of the lockfile', () => {
  const { packages } = JSON.parse(read('tools/node/package-lock.json'))
  const given = Object.fromEntries(
    [...read('Dockerfile').matchAll(/^ARG (NODE_\w+)=(\w.*)$/gm)].map((one) => one.slice(1)),
  )
  const [amd64, arm64] = ['x64', 'arm64'].map((processor) => packages[`node_modules/node-linux-${processor}`])
  const hexOf = (integrity: string): string => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  expect(amd64.version).toBe(arm64.version)
  expect(given).toEqual({
    NODE_VERSION: amd64.version,
    NODE_SHA512_AMD64: hexOf(amd64.integrity),
    NODE_SHA512_ARM64: hexOf(arm64.integrity),
  })
})

it('lets the chart take every setting that is a secret from a Secret, and from nowhere else', () => {
  const { properties } = JSON.parse(read('deploy/helm/rollcall/values.schema.json'))
  const secrets = (Object.keys(SETTINGS.entries) as SettingName[]).filter((name) => aboutSetting(name).secret)
  expect(secrets.toSorted()).toEqual(properties.secretKeys.items.enum)
  expect(properties.settings.propertyNames.not.enum).toEqual(expect.arrayContaining(secrets))
})
