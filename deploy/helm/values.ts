import { readFileSync } from 'node:fs'
import path from 'node:path'
import { blocksOf } from '../../packages/app/test/documentation/blocks.ts'

export const CHART = path.join(import.meta.dirname, 'rollcall')
export const GUIDE = 'docs/guides/kubernetes.md'

const inGuide = (name: string): string => {
  const block = blocksOf(GUIDE).find(({ file }) => file === name)
  if (block === undefined) throw new Error(`${GUIDE} has no ${name}.`)
  return block.code
}

const ofContinuousIntegration = (name: string): string => readFileSync(path.join(CHART, 'ci', name), 'utf8')

/** Values that the chart is installed with, as YAML, by what the check calls them. */
export const VARIANTS = {
  sqlite: ofContinuousIntegration('sqlite-values.yaml'),
  postgres: ofContinuousIntegration('postgres-values.yaml'),
  'sqlite of the guide': inGuide('values.yaml'),
  'postgres of the guide': inGuide('values-postgres.yaml'),
  defaults: 'publicUrl: https://news.example.com\n',
} as const

export type Variant = keyof typeof VARIANTS

export const VARIANT_NAMES = Object.keys(VARIANTS) as readonly Variant[]

const publicUrl = 'https://news.example.com'

interface Refused {
  readonly what: string
  readonly values: Readonly<Record<string, unknown>>
  /** In the values. */
  readonly place: string
  /** Of Helm. */
  readonly complaint: string
}

/** Values that cannot work. */
export const REFUSED: readonly Refused[] = [
  {
    what: 'SQLite with two pods',
    values: { publicUrl, replicaCount: 2 },
    place: 'replicaCount',
    complaint: "at '/replicaCount': maximum: got 2, want 1",
  },
  { what: 'no public address', values: { replicaCount: 1 }, place: 'publicUrl', complaint: "at '/publicUrl'" },
  {
    what: 'PostgreSQL without its secrets',
    values: { publicUrl, database: 'postgres' },
    place: 'secretKeys',
    complaint: "at '/secretKeys'",
  },
  {
    what: 'SQLite that scales',
    values: { publicUrl, autoscaling: { enabled: true } },
    place: 'autoscaling.enabled',
    complaint: "at '/autoscaling/enabled'",
  },
  {
    what: 'backups that go nowhere',
    values: { publicUrl, backup: { enabled: true } },
    place: 'backup.claimName',
    complaint: "at '/backup/claimName'",
  },
  {
    what: 'backups of PostgreSQL',
    values: {
      ...{ publicUrl, database: 'postgres', secretName: 'rollcall' },
      secretKeys: ['DATABASE_URL', 'LINK_KEYS', 'SECRET', 'SIGNING_KEYS'],
      backup: { enabled: true, claimName: 'backups' },
    },
    place: 'backup.enabled',
    complaint: "at '/backup/enabled'",
  },
  {
    what: 'a setting among the variables of others',
    values: { publicUrl, extraEnv: [{ name: 'ROLLCALL_SMTP_URL', value: 'smtp://relay' }] },
    place: 'extraEnv.0.name',
    complaint: "at '/extraEnv/0/name'",
  },
  {
    what: 'keys of no Secret',
    values: { publicUrl, secretKeys: ['SMTP_URL'] },
    place: 'secretName',
    complaint: "at '/secretName'",
  },
  {
    what: 'a secret among the settings',
    values: { publicUrl, settings: { SMTP_URL: 'smtp://relay' } },
    place: 'settings',
    complaint: "invalid propertyName 'SMTP_URL'",
  },
  {
    what: 'a console without https',
    values: { publicUrl, console: { url: 'http://console.example.com' } },
    place: 'console.url',
    complaint: "at '/console/url'",
  },
  {
    what: 'a console among the settings',
    values: { publicUrl, settings: { CONSOLE_PORT: '9090' } },
    place: 'settings',
    complaint: "invalid propertyName 'CONSOLE_PORT'",
  },
  {
    what: 'a value that is misspelt',
    values: { publicUrl, replicas: 2 },
    place: '',
    complaint: "additional properties 'replicas' not allowed",
  },
  {
    what: 'a monitor of no metrics',
    values: { publicUrl, metrics: { serviceMonitor: { enabled: true } } },
    place: 'metrics.enabled',
    complaint: "at '/metrics/enabled'",
  },
  {
    what: 'alerts on no metrics',
    values: { publicUrl, metrics: { prometheusRule: { enabled: true } } },
    place: 'metrics.enabled',
    complaint: "at '/metrics/enabled'",
  },
]
