import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, read } from '../../packages/app/test/documentation/blocks.ts'
import { eventually } from '../../packages/app/test/eventually.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Home } from '../../packages/app/test/running-service.ts'
import { migratePostgres } from '../../packages/storage-sql/src/postgres/index.ts'
import { ended, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { anchorOf } from '../../tools/site/.vitepress/anchor-of.ts'

const execute = promisify(execFile)
const ALERTS = path.join(import.meta.dirname, 'alerts.yaml')
const TESTS = path.join(import.meta.dirname, 'alerts.test.yaml')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

/** Of promtool. */
interface UnitTest {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly object[] }[]
}

const rulesOf = async (): Promise<readonly Rule[]> =>
  parse(await readFile(ALERTS, 'utf8')).groups.flatMap(({ rules }: { rules: readonly Rule[] }) => rules)

const scratchFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-monitoring-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('has rules that fire where they should, each of them tested', async () => {
  await execute('promtool', ['check', 'rules', ALERTS])
  await execute('promtool', ['test', 'rules', TESTS])
  const { tests }: { tests: readonly UnitTest[] } = parse(await readFile(TESTS, 'utf8'))
  const fired = tests
    .flatMap(({ alert_rule_test }) => alert_rule_test)
    .filter(({ exp_alerts }) => exp_alerts.length > 0)
    .map(({ alertname }) => alertname)
  expect([...new Set(fired)].sort()).toEqual((await rulesOf()).map(({ alert }) => alert).sort())
})

it('links each alert to its section of the runbook, and has no section without an alert', async () => {
  const rules = await rulesOf()
  const page = read('docs/guides/runbook.md')
  const sections = [...page.matchAll(/^## (Rollcall\w+)$/gm)].map(([, heading = '']) => heading)
  expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
  for (const { alert, annotations } of rules)
    expect(annotations.runbook_url).toBe(
      `https://github.com/rollcall/rollcall/blob/main/docs/guides/runbook.md#${anchorOf(alert)}`,
    )
})

interface Variable {
  readonly name: string
  readonly query: string | { readonly query: string }
}

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

it('asks in alerts and on the dashboard for nothing that /metrics does not have', async () => {
  const server = await startPostgres({ fsync: 'off', shared_buffers: '32MB', max_connections: '50' })
  onTestFinished(() => server.stop())
  await migratePostgres(server.url)
  const [port, otherPort] = [await freePort(), await freePort()]
  await using home = await Home.make({ METRICS_PORT: String(port) })
  await using other = await Home.make({ METRICS_PORT: String(otherPort), DATABASE_URL: server.url })
  await home.serveInProcess()
  await other.serveInProcess()
  await home.run('webhook', 'put', 'shop', '--url', 'https://shop.example/')
  await home.run('audit', 'verify')
  await home.run('backup', 'backup.db')
  for (const one of [port, otherPort]) await requireConventions(one)
  await using prometheus = await Prometheus.start(await scratchFolder(), [port, otherPort])
  let visitor = 0
  const visit = async () => {
    const body = new URLSearchParams({ name: 'Ada', email: `ada-${visitor++}@example.com` })
    await fetch(`${home.url}/subscribe`, { method: 'POST', body })
    await fetch(`${home.url}/readyz`)
    await fetch(`${home.url}/nowhere`)
  }
  const { panels, templating }: { panels: readonly Panel[]; templating: { list: readonly Variable[] } } = JSON.parse(
    await readFile(path.join(import.meta.dirname, 'dashboard.json'), 'utf8'),
  )
  const [, series = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(queryOf(templating.list, 'job')) ?? []
  let jobs: readonly string[] = []
  await eventually(async () => {
    jobs = await prometheus.labelValues(series, label)
    return jobs.length > 0
  }, 'that the dashboard has a job to choose')
  expect(jobs).toEqual(['rollcall'])
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(shown.length).toBeGreaterThan(15)
  const asked = (await rulesOf()).flatMap(({ expr }) => expr.match(/[a-z]\w*\{[^}]*\}/g) ?? [])
  expect(asked.length).toBeGreaterThanOrEqual((await rulesOf()).length)
  const queries = new Set([
    ...shown.map((query) =>
      query.replaceAll('$job', 'rollcall').replaceAll('$namespace', '.*').replaceAll('$__rate_interval', '10s'),
    ),
    // A status that did not occur has no series yet; its label is there.
    ...asked.map((query) => query.replace(/,status="\d+"/, ',status!=""')),
  ])
  for (const query of queries)
    await eventually(async () => {
      await visit()
      return (await prometheus.valuesOf(query)).some((value) => !Number.isNaN(value))
    }, `that Prometheus finds something for ${query}`)
  await eventually(async () => (await prometheus.healthOfRules()).every((health) => health === 'ok'), 'that rules work')
  expect(await prometheus.valuesOf('rollcall_outbox_mails{state="parkt"}')).toEqual([])
})

/** Of names, units and descriptions. */
const requireConventions = async (port: number): Promise<void> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const linting = execute('promtool', ['check', 'metrics'])
  linting.child.stdin?.end(text.replaceAll(/^(?:# (?:HELP|TYPE) )?nodejs_.*\n/gm, ''))
  expect(await linting).toEqual({ stdout: '', stderr: '' })
}

const queryOf = (variables: readonly Variable[], wanted: string): string => {
  const { query = '' } = variables.find(({ name }) => name === wanted) ?? {}
  return typeof query === 'string' ? query : query.query
}

const GIVEN = '127.0.0.1:9100'

/** The configuration of the guide, as it is there. */
const configurationOf = (page: string): string =>
  blocksOf(page).find(({ file }) => file === 'prometheus.yml')?.code ?? ''

it('is configured as the guide has it', async () => {
  const folder = await scratchFolder()
  const file = path.join(folder, 'prometheus.yml')
  await writeFile(file, configurationOf('docs/guides/monitor.md'))
  await copyFile(ALERTS, path.join(folder, 'alerts.yaml'))
  const { stdout } = await execute('promtool', ['check', 'config', file])
  expect(stdout).toContain(`SUCCESS: ${(await rulesOf()).length} rules found`)
})

/** A real one, which scrapes the service every second. */
class Prometheus implements AsyncDisposable {
  readonly #url: string
  readonly #stop: () => Promise<void>

  private constructor(url: string, stop: () => Promise<void>) {
    this.#url = url
    this.#stop = stop
  }

  static async start(folder: string, targets: readonly number[]): Promise<Prometheus> {
    const port = await freePort()
    const configuration = configurationOf('docs/guides/monitor.md')
    expect(configuration).toContain(GIVEN)
    const faster = 'global: { scrape_interval: 1s, evaluation_interval: 1s }\n'
    const file = path.join(folder, 'prometheus.yml')
    await writeFile(
      file,
      `${faster}${configuration.replace(GIVEN, targets.map((target) => `127.0.0.1:${target}`).join("', '"))}`,
    )
    await copyFile(ALERTS, path.join(folder, 'alerts.yaml'))
    const options = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`]
    const child = spawn('prometheus', [...options, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
    const url = `http://127.0.0.1:${port}`
    const stop = async () => {
      child.kill('SIGKILL')
      await ended(child)
    }
    await eventually(
      async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true,
      'that it is ready',
    )
    return new Prometheus(url, stop)
  }

  async #get(place: string) {
    const answer = await fetch(`${this.#url}/api/v1/${place}`)
    const body = JSON.parse(await answer.text())
    if (body.status !== 'success') throw new Error(body.error)
    return body.data
  }

  async valuesOf(query: string): Promise<readonly number[]> {
    const { result } = await this.#get(`query?query=${encodeURIComponent(query)}`)
    return result.map(({ value }: { value: readonly [number, string] }) => Number(value[1]))
  }

  /** As Grafana asks for the values of a variable. */
  async labelValues(series: string, label: string): Promise<readonly string[]> {
    return await this.#get(`label/${label}/values?match[]=${series}`)
  }

  async healthOfRules(): Promise<readonly string[]> {
    const { groups } = await this.#get('rules')
    return groups.flatMap(({ rules }: { rules: readonly { health: string }[] }) => rules.map(({ health }) => health))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop()
  }
}
