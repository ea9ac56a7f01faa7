import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'
import { freePort } from '../../packages/app/test/free-port.ts'
import { Home } from '../../packages/app/test/running-service.ts'
import { migratePostgres } from '../../packages/storage-sql/src/postgres/index.ts'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'

const execute = promisify(execFile)
const ALERTS = path.join(import.meta.dirname, 'alerts.yaml')

/** What Prometheus would have of one scrape: each series with its value. */
type Samples = ReadonlyMap<string, string>

const TARGET = 'job="rollcall",instance="one"'

const samplesIn = (text: string): Samples =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, labels, value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined || value === undefined || Number.isNaN(Number(value))) return []
      return [[`${name}{${labels === undefined ? '' : `${labels},`}${TARGET}}`, value] as const]
    }),
  )

/** For promtool: one scrape a minute. */
const seriesOf = (scrapes: readonly Samples[]) =>
  [...new Set(scrapes.flatMap((samples) => [...samples.keys()]))].map((series) => ({
    series,
    values: scrapes.map((samples) => samples.get(series) ?? '_').join(' '),
  }))

interface Rule {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly runbook_url: string }
}

const BEFORE = 8
const DURING = 14

it('fires the alerts of an outage of the database, and no others, on what is scraped then', async () => {
  const server = await startPostgres({ fsync: 'off', shared_buffers: '32MB', max_connections: '50' })
  onTestFinished(() => server.stop())
  await migratePostgres(server.url)
  const port = await freePort()
  await using home = await Home.make({ DATABASE_URL: server.url, METRICS_PORT: String(port) })
  await home.serveInProcess()
  const scrapes: Samples[] = []
  const minute = async (n: number) => {
    for (let visit = 0; visit < 5; visit++) {
      const body = new URLSearchParams({ email: `ada-${n}-${visit}@example.com` })
      await (await fetch(`${home.url}/subscribe`, { method: 'POST', body })).arrayBuffer()
    }
    await (await fetch(`${home.url}/readyz`)).arrayBuffer()
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(answer.status).toBe(200)
    scrapes.push(new Map([...samplesIn(await answer.text()), [`up{${TARGET}}`, '1']]))
  }
  for (let n = 0; n < BEFORE; n++) await minute(n)
  await server.crash()
  for (let n = 0; n < DURING; n++) await minute(BEFORE + n)
  expect(scrapes.at(-1)?.get(`rollcall_storage_up{${TARGET}}`)).toBe('0')

  const rules: readonly Rule[] = parse(await readFile(ALERTS, 'utf8')).groups.flatMap(
    ({ rules: some }: { rules: readonly Rule[] }) => some,
  )
  const OF_OUTAGE: Readonly<Record<string, object>> = {
    RollcallNotReady: {
      labels: { job: 'rollcall', instance: 'one' },
      summary: 'one says that it is not ready: its storage does not answer or takes no writes.',
    },
    RollcallUnavailable: { labels: { job: 'rollcall' }, summary: '100% of the requests are answered 503.' },
  }
  const expected = ({ alert, labels, annotations }: Rule) => {
    const fires = OF_OUTAGE[alert] as { labels: object; summary: string } | undefined
    if (fires === undefined) return []
    const { runbook_url } = annotations
    return [{ exp_labels: { ...labels, ...fires.labels }, exp_annotations: { summary: fires.summary, runbook_url } }]
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-outage-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await copyFile(ALERTS, path.join(folder, 'alerts.yaml'))
  const file = path.join(folder, 'outage.test.yaml')
  const alert_rule_test = rules.flatMap((rule) => [
    { eval_time: `${BEFORE - 1}m`, alertname: rule.alert, exp_alerts: [] },
    { eval_time: `${BEFORE + DURING - 1}m`, alertname: rule.alert, exp_alerts: expected(rule) },
  ])
  const test = { interval: '1m', input_series: seriesOf(scrapes), alert_rule_test }
  await writeFile(file, stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests: [test] }))
  await execute('promtool', ['test', 'rules', file])
})
