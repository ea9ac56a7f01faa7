import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../packages/app/src/config.ts'
import { expectFollowed } from '../../packages/app/test/documentation/following.ts'
import { Reader } from '../../packages/app/test/documentation/reader.ts'
import { type ToolName, toolPath } from '../testing/tools.ts'

const execute = promisify(execFile)
const CHART = path.join(import.meta.dirname, 'rollcall')
const VARIANTS = ['sqlite', 'postgres'] as const
type Variant = (typeof VARIANTS)[number]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-chart-'))
  for (const variant of VARIANTS) await writeFile(manifestsOf(variant), await template(...valuesOf(variant)))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const manifestsOf = (variant: Variant): string => path.join(folder, `${variant}.yaml`)
const valuesOf = (variant: Variant) => ['--values', path.join(CHART, `ci/${variant}-values.yaml`)] as const

const tool = async (name: ToolName, ...args: readonly string[]): Promise<string> =>
  (await execute(toolPath(name), args, { maxBuffer: 32 * 1024 * 1024 })).stdout

const template = (...args: readonly string[]) => tool('helm', 'template', 'news', CHART, ...args)

const objectsIn = (manifests: string) =>
  parseAllDocuments(manifests)
    .map((document) => document.toJS())
    .filter((object) => object !== null)

const podsIn = (manifests: string) =>
  objectsIn(manifests)
    .filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
    .map(({ spec }) => spec.template.spec)

describe.each(VARIANTS)('the chart with %s', (variant) => {
  it('is what Helm recommends', async () => {
    const lines = await tool('helm', 'lint', '--strict', ...valuesOf(variant), CHART)
    expect(lines).toContain('1 chart(s) linted, 0 chart(s) failed')
    expect(lines).not.toMatch(/\[(?:INFO|WARNING|ERROR)\]/)
  })

  // The oldest that the chart takes, and the newest that there are schemas of.
  it.each(['1.27', '1.37'])('is what Kubernetes %s takes', async (version) => {
    const lines = await tool('kubernetes-validate', '--strict', '--kubernetes-version', version, manifestsOf(variant))
    expect(lines.match(/passed for resource/g)?.length).toBe(
      objectsIn(await readFile(manifestsOf(variant), 'utf8')).filter(({ kind }) => kind !== 'ServiceMonitor').length,
    )
    const schemas = await schemasOf(version, await readFile(manifestsOf(variant), 'utf8'))
    // Its schema is the operator's, not that of Kubernetes.
    const skip = ['-skip', 'ServiceMonitor']
    const location = ['-schema-location', `${schemas}/{{.ResourceKind}}.json`]
    const summary = await tool('kubeconform', '-strict', '-summary', ...skip, ...location, manifestsOf(variant))
    expect(summary).toMatch(/Valid: [4-9], Invalid: 0, Errors: 0/)
  })

  it('is found at fault only where there is a reason', async () => {
    const argued = JSON.parse(await readFile(path.join(import.meta.dirname, 'argued.json'), 'utf8'))
    const scored = await tool(
      'kube-score',
      'score',
      '--output-format',
      'json',
      '--exit-one-on-warning=false',
      manifestsOf(variant),
    ).catch(
      // It exits with 1 where anything is critical.
      ({ stdout }: { stdout: string }) => stdout,
    )
    const found = JSON.parse(scored).flatMap(({ checks }: { checks: readonly Check[] }) =>
      checks.filter(({ grade, skipped }) => !skipped && grade < PERFECT).map(({ check }) => check.name),
    )
    expect([...new Set(found)].sort()).toEqual(Object.keys(argued).sort())
  })

  it('starts a service that knows all of its settings, and ends it in time', async () => {
    const [pod] = podsIn(await readFile(manifestsOf(variant), 'utf8'))
    const [container] = pod.containers
    const environment: [string, string][] = container.env.map(({ name, value }: { name: string; value: string }) => [
      name,
      value,
    ])
    const named = Object.fromEntries(
      await Promise.all(
        environment.map(async ([name, value]) => [name, name.endsWith('_FILE') ? await secretFile(name) : value]),
      ),
    )
    const config = readConfig({ ...named, ROLLCALL_HOST: '0.0.0.0' })
    expect(config.publicUrl).toBe('https://news.example.com')
    expect(config.consoleUrl).toBe(
      { sqlite: 'http://127.0.0.1:9090', postgres: 'https://console.example.com' }[variant],
    )
    const leadsToConsole = podsIn(await template(...valuesOf(variant)))[0].containers[0].ports.some(
      ({ name }: { name: string }) => name === 'console',
    )
    expect([leadsToConsole, config.CONSOLE_HOST]).toEqual(
      { sqlite: [false, '127.0.0.1'], postgres: [true, '0.0.0.0'] }[variant],
    )
    const needed = (config.SHUTDOWN_DELAY + config.SHUTDOWN_TIMEOUT) / 1000
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(needed)
    // Two checks of readiness.
    expect(config.SHUTDOWN_DELAY / 1000).toBeGreaterThanOrEqual(2 * container.readinessProbe.periodSeconds)
    expect(container.livenessProbe.httpGet.path).toBe('/livez')
    expect(container.readinessProbe.httpGet.path).toBe('/readyz')
  })

  it('has no hook, no secret and no right', async () => {
    const manifests = await readFile(manifestsOf(variant), 'utf8')
    expect(manifests).not.toContain('helm.sh/hook')
    expect(objectsIn(manifests).map(({ kind }) => kind)).not.toContain('Secret')
    const [{ containers, volumes, ...pod }] = podsIn(manifests)
    expect(volumes).toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ secretName: 'rollcall' }) }),
    )
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(containers[0].securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })
})

it('has Prometheus scrape the job that the alert rules are about', async () => {
  const objects = objectsIn(await readFile(manifestsOf('postgres'), 'utf8'))
  const { spec } = objects.find(({ kind }) => kind === 'ServiceMonitor')
  const scraped = objects.filter(({ kind, metadata }) => {
    const wanted = Object.entries(spec.selector.matchLabels)
    return kind === 'Service' && wanted.every(([name, value]) => metadata.labels[name] === value)
  })
  expect(scraped.map(({ metadata }) => metadata.labels[spec.jobLabel])).toEqual(['rollcall'])
  expect(scraped[0].spec.ports.map(({ name }: { name: string }) => name)).toContain(spec.endpoints[0].port)
})

it('leads to the console only by a Service of its own, and where it has an address', async () => {
  const namesOf = (manifests: string) => objectsIn(manifests).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  const objects = objectsIn(await readFile(manifestsOf('postgres'), 'utf8'))
  const named = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name)
  expect(named('Service', 'news-rollcall-console').spec.ports).toEqual([
    { name: 'http', port: 80, targetPort: 'console' },
  ])
  expect(JSON.stringify(named('Ingress', 'news-rollcall'))).not.toContain('console')
  const rule = named('NetworkPolicy', 'news-rollcall').spec.ingress.find(
    ({ ports }: { ports: { port: string }[] }) => ports[0]?.port === 'console',
  )
  expect(rule.from).toEqual([
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } },
  ])
  expect(namesOf(await readFile(manifestsOf('sqlite'), 'utf8'))).not.toContain('Service news-rollcall-console')
})

describe('values that cannot work are refused', () => {
  const url = 'publicUrl=https://news.example.com'

  it.each([
    ['SQLite with two pods', `${url},replicaCount=2`, "at '/replicaCount': maximum: got 2, want 1"],
    ['no public address', 'replicaCount=1', "at '/publicUrl'"],
    ['PostgreSQL without its secrets', `${url},database=postgres`, "at '/secretKeys'"],
    ['keys of no Secret', `${url},secretKeys={SMTP_URL}`, "at '/secretName'"],
    ['a secret among the settings', `${url},settings.SMTP_URL=smtp://relay`, "invalid propertyName 'SMTP_URL'"],
    ['a console without https', `${url},console.url=http://console.example.com`, "at '/console/url'"],
    ['a console among the settings', `${url},settings.CONSOLE_PORT=9090`, "invalid propertyName 'CONSOLE_PORT'"],
    ['a value that is misspelt', `${url},replicas=2`, "additional properties 'replicas' not allowed"],
    ['a monitor of no metrics', `${url},metrics.serviceMonitor.enabled=true`, "at '/metrics/enabled'"],
  ])('%s', async (_what, values, complaint) => {
    await expect(template('--set', values)).rejects.toThrow(complaint)
  })

  it('and by default nothing else is', async () => {
    expect(objectsIn(await template('--set', url)).map(({ kind }) => kind)).toEqual([
      'Service',
      'Service',
      'StatefulSet',
    ])
  })
})

it('takes the values of the guide', async () => {
  await expectFollowed('docs/guides/kubernetes.md', async (page) => {
    await using reader = await Reader.open({ notYetServed: true })
    await reader.follow(page)
    const made: Readonly<Record<string, readonly string[]>> = {
      'values.yaml': ['Ingress', 'Service', 'Service', 'StatefulSet'],
      'values-postgres.yaml': ['Deployment', 'Ingress', 'PodDisruptionBudget', 'Service', 'Service'],
    }
    for (const [file, kinds] of Object.entries(made)) {
      const manifests = await template('--values', path.join(reader.home.folder, file))
      expect(
        objectsIn(manifests)
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual(kinds)
    }
    const { keys } = JSON.parse(await readFile(path.join(reader.home.folder, 'SIGNING_KEYS'), 'utf8'))
    expect(keys).toEqual([expect.objectContaining({ kty: 'OKP', d: expect.any(String) })])
    return reader.executed
  })
})

const PERFECT = 10

interface Check {
  readonly check: { readonly name: string }
  readonly grade: number
  readonly skipped: boolean
}

/** What a Secret would hold. */
const secretFile = async (name: string): Promise<string> => {
  const file = path.join(folder, name)
  const values: Readonly<Record<string, string>> = {
    ROLLCALL_DATABASE_URL_FILE: 'postgres://rollcall:password@db.example.com/rollcall',
    ROLLCALL_SMTP_URL_FILE: 'smtps://user:password@smtp.example.com',
  }
  await writeFile(file, values[name] ?? 'x'.repeat(64), { mode: 0o600 })
  return file
}

/** Kubeconform reads no definition from another file: each schema that is needed, with all of them in it. */
const schemasOf = async (version: string, manifests: string): Promise<string> => {
  const python = path.join(path.dirname(toolPath('kubernetes-validate')), '../lib')
  const [interpreter = ''] = await readdir(python)
  const all = path.join(
    python,
    interpreter,
    'site-packages/kubernetes_validate/kubernetes-json-schema',
    `v${version}.0-local-strict`,
  )
  const { $defs: definitions } = JSON.parse(await readFile(path.join(all, '_definitions.json'), 'utf8'))
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return inlined(definitions[String(value.$ref).replace(/^.*#\/\$defs\//, '')])
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inlined(inner)]))
  }
  const into = await mkdtemp(path.join(folder, 'schemas-'))
  for (const { kind, apiVersion } of objectsIn(manifests)) {
    if (kind === 'ServiceMonitor') continue
    const [group = '', ofGroup] = apiVersion.split('/')
    const place = ofGroup === undefined ? group : `${group.split('.')[0]}-${ofGroup}`
    const name = `${kind.toLowerCase()}-${place}.json`
    const schema = parse(await readFile(path.join(all, name), 'utf8'))
    await writeFile(path.join(into, `${kind.toLowerCase()}.json`), JSON.stringify(inlined(schema)))
  }
  return into
}
