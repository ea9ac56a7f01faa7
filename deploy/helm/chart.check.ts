import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../packages/app/src/config.ts'
import { type ToolName, toolPath } from '../testing/tools.ts'
import { CHART, REFUSED, VARIANT_NAMES, VARIANTS, type Variant } from './values.ts'

const execute = promisify(execFile)
/** Their schemas are the operator's, not those of Kubernetes. */
const OF_THE_OPERATOR = ['ServiceMonitor', 'PrometheusRule']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-chart-'))
  for (const variant of VARIANT_NAMES) {
    await writeFile(valuesFile(variant), VARIANTS[variant])
    await writeFile(manifestsOf(variant), await template(...valuesOf(variant)))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const manifestsOf = (variant: Variant): string => path.join(folder, `${variant}.yaml`)
const valuesFile = (variant: Variant): string => path.join(folder, `values of ${variant}.yaml`)
const valuesOf = (variant: Variant) => ['--values', valuesFile(variant)] as const

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

describe.each(VARIANT_NAMES)('the chart with %s', (variant) => {
  it('is what Helm recommends', async () => {
    const lines = await tool('helm', 'lint', '--strict', ...valuesOf(variant), CHART)
    expect(lines).toContain('1 chart(s) linted, 0 chart(s) failed')
    expect(lines).not.toMatch(/\[(?:INFO|WARNING|ERROR)\]/)
  })

  // The oldest that the chart takes, and the newest that there are schemas of.
  it.each(['1.27', '1.37'])('is what Kubernetes %s takes', async (version) => {
    const manifests = await readFile(manifestsOf(variant), 'utf8')
    const count = objectsIn(manifests).filter(({ kind }) => !OF_THE_OPERATOR.includes(kind)).length
    const lines = await tool('kubernetes-validate', '--strict', '--kubernetes-version', version, manifestsOf(variant))
    expect(lines.match(/passed for resource/g)?.length).toBe(count)
    const location = ['-schema-location', `${await schemasOf(version, manifests)}/{{.ResourceKind}}.json`]
    const options = ['-strict', '-summary', '-skip', OF_THE_OPERATOR.join(','), ...location]
    expect(await tool('kubeconform', ...options, manifestsOf(variant))).toContain(
      `Valid: ${count}, Invalid: 0, Errors: 0`,
    )
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
    const reasons = { ...argued.always, ...(variant === 'defaults' && argued['by default']) }
    expect([...new Set(found)].sort()).toEqual(Object.keys(reasons).sort())
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
    const [consoleUrl, isReached, consoleHost] = CONSOLES[variant]
    expect(config.consoleUrl).toBe(consoleUrl)
    const leadsToConsole = podsIn(await template(...valuesOf(variant)))[0].containers[0].ports.some(
      ({ name }: { name: string }) => name === 'console',
    )
    expect([leadsToConsole, config.CONSOLE_HOST]).toEqual([isReached, consoleHost])
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
    const [{ containers, volumes = [], ...pod }] = podsIn(manifests)
    const secrets = volumes.flatMap(
      ({ projected }: Volume) => projected?.sources.map(({ secret }) => secret.name) ?? [],
    )
    expect(secrets).toEqual({ defaults: [], postgres: ['rollcall', 'news-db-app'] }[variant as string] ?? ['rollcall'])
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(containers[0].securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(containers[0].volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' })
    expect(volumes).toContainEqual({ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } })
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

it('backs up beside the service, where no Service and no network leads', async () => {
  const objects = objectsIn(await readFile(manifestsOf('sqlite'), 'utf8'))
  const job = objects.find(({ kind }) => kind === 'CronJob').spec.jobTemplate.spec.template
  const [state, backups] = job.spec.volumes.flatMap(
    ({ persistentVolumeClaim }: { persistentVolumeClaim?: { claimName: string } }) =>
      persistentVolumeClaim?.claimName ?? [],
  )
  const { metadata, spec } = objects.find(({ kind }) => kind === 'StatefulSet')
  expect([state, backups]).toEqual([`${spec.volumeClaimTemplates[0].metadata.name}-${metadata.name}-0`, 'backups'])
  const beside = job.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]
  expect(spec.template.metadata.labels).toMatchObject(beside.labelSelector.matchLabels)
  for (const { spec: service } of objects.filter(({ kind }) => kind === 'Service'))
    expect(job.metadata.labels).not.toMatchObject(service.selector)
  const policy = objects.find(({ kind, spec: { podSelector } }) => {
    return kind === 'NetworkPolicy' && podSelector.matchLabels['app.kubernetes.io/name'] === 'rollcall-backup'
  })
  expect(policy.spec).toEqual({ podSelector: { matchLabels: job.metadata.labels }, policyTypes: ['Ingress', 'Egress'] })
})

it('backs up with the settings and the keys of the service', async () => {
  const objects = objectsIn(
    await template(...valuesOf('sqlite'), '--set', 'secretKeys={SECRET,SMTP_URL}', '--set-json', `extraEnv=${EXTRA}`),
  )
  const job = objects.find(({ kind }) => kind === 'CronJob').spec.jobTemplate.spec.template.spec
  const [service] = objects.flatMap(({ kind, spec }) => (kind === 'StatefulSet' ? [spec.template.spec] : []))
  expect(job.containers[0].env).toEqual(service.containers[0].env)
  expect(job.containers[0].env).toContainEqual({
    name: 'ROLLCALL_SECRET_FILE',
    value: '/run/secrets/rollcall/SECRET',
  })
  expect(job.containers[0].env).toContainEqual({ name: 'TZ', value: 'UTC' })
  expect(job.containers[0].volumeMounts).toEqual([
    ...service.containers[0].volumeMounts,
    { name: 'backups', mountPath: '/backups' },
  ])
  expect(job.volumes).toEqual(expect.arrayContaining(service.volumes))
})

it('scales by the processor, over zones, and leaves the number of pods to that', async () => {
  const objects = objectsIn(await readFile(manifestsOf('postgres'), 'utf8'))
  const named = (wanted: string) => objects.find(({ kind }) => kind === wanted)
  const { metadata, spec } = named('Deployment')
  expect(named('HorizontalPodAutoscaler').spec.scaleTargetRef.name).toBe(metadata.name)
  expect(spec).not.toHaveProperty('replicas')
  expect(spec.template.spec.topologySpreadConstraints[0].topologyKey).toBe('topology.kubernetes.io/zone')
  expect(named('PodDisruptionBudget').spec.maxUnavailable).toBe(1)
})

it('makes the data folder before something is mounted in it', async () => {
  const [first] = podsIn(await readFile(manifestsOf('postgres'), 'utf8'))[0].initContainers
  expect(first.volumeMounts).toEqual([{ name: 'state', mountPath: '/var/lib/rollcall' }])
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-state-'))
  const [node, ...args] = first.command.map((word: string) => word.replace('/var/lib/rollcall', folder))
  await execute(node, args)
  expect((await stat(path.join(folder, 'data'))).mode & 0o777).toBe(0o700)
  await rm(folder, { recursive: true })
})

it('brings the alerts, for the Prometheus operator', async () => {
  const objects = objectsIn(await readFile(manifestsOf('postgres'), 'utf8'))
  const { spec } = objects.find(({ kind }) => kind === 'PrometheusRule')
  const rules = await readFile(path.join(import.meta.dirname, '../monitoring/alerts.yaml'), 'utf8')
  expect(spec).toEqual(parse(rules.replaceAll('job="rollcall"', 'job="rollcall",namespace="default"')))
})

it.each(REFUSED)('refuses $what', async ({ values, complaint }) => {
  const file = path.join(folder, 'refused.yaml')
  await writeFile(file, JSON.stringify(values))
  await expect(template('--values', file)).rejects.toThrow(complaint)
})

it('refuses an Ingress for an address with a path, which nothing would take away', async () => {
  const at = (publicUrl: string) => template('--set', 'ingress.enabled=true', '--set', `publicUrl=${publicUrl}`)
  await expect(at('https://www.example.com/news/')).rejects.toThrow(
    'The publicUrl has the path /news, which the Ingress of this chart does not take away. Give the service a host',
  )
  expect(await at('https://news.example.com/')).toContain('- path: /\n')
  expect(await template('--set', 'publicUrl=https://www.example.com/news')).not.toContain('kind: Ingress')
})

it.each<[Variant, readonly string[]]>([
  ['defaults', ['Service', 'Service', 'StatefulSet']],
  ['sqlite of the guide', ['Ingress', 'NetworkPolicy', 'Service', 'Service', 'StatefulSet']],
  ['postgres of the guide', ['Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'Service']],
])('makes what is asked for, and nothing else: %s', async (variant, kinds) => {
  const objects = objectsIn(await readFile(manifestsOf(variant), 'utf8'))
  expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds)
})

/** Where browsers find the console, whether a port leads to it, and where it listens. */
const CONSOLES: Readonly<Record<Variant, readonly [url: string | undefined, isReached: boolean, host: string]>> = {
  sqlite: ['http://127.0.0.1:9090', false, '127.0.0.1'],
  postgres: ['https://console.example.com', true, '0.0.0.0'],
  'sqlite of the guide': [undefined, false, '127.0.0.1'],
  'postgres of the guide': [undefined, false, '127.0.0.1'],
  defaults: [undefined, false, '127.0.0.1'],
}

interface Volume {
  readonly projected?: { readonly sources: readonly { readonly secret: { readonly name: string } }[] }
}

const EXTRA = JSON.stringify([{ name: 'TZ', value: 'UTC' }])

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
    if (OF_THE_OPERATOR.includes(kind)) continue
    const [group = '', ofGroup] = apiVersion.split('/')
    const place = ofGroup === undefined ? group : `${group.split('.')[0]}-${ofGroup}`
    const name = `${kind.toLowerCase()}-${place}.json`
    const schema = parse(await readFile(path.join(all, name), 'utf8'))
    await writeFile(path.join(into, `${kind.toLowerCase()}.json`), JSON.stringify(inlined(schema)))
  }
  return into
}
