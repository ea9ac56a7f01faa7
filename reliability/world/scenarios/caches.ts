import { freePort } from '../../../packages/app/test/free-port.ts'
import { Fixture } from '../../../proving/shared/fixture.ts'
import type { CheckReport } from '../../../proving/shared/report.ts'
import { ask } from '../ask.ts'
import { startNginx } from '../pieces/nginx.ts'
import { Place } from '../pieces/place.ts'
import { postgresIn } from '../pieces/postgres.ts'
import { TOOLS } from '../pieces/tools.ts'
import { startVarnish } from '../pieces/varnish.ts'
import { WorldRun } from '../world-run.ts'
import { replayOf, type WorldContext, type WorldScenario } from '../world-scenario.ts'
import { Readers } from './readers.ts'

/** nginx and Varnish. */
const PROXIES = 2

export const caches: WorldScenario = {
  name: 'caches',
  about: 'nginx and Varnish in front, both with a cache; many callers read the same addresses',
  tools: [TOOLS.nginx, TOOLS.varnish, TOOLS.compiler],
  run: async (context) => [await behindCaches(context), await addresses(context)],
}

/** nginx, and Varnish behind it. */
const startCaches = async (place: Place, front: number, service: number): Promise<void> => {
  const between = await freePort()
  await startVarnish(place, between, service)
  await startNginx(place, front, between)
}

const behindCaches = async (context: WorldContext): Promise<CheckReport> => {
  using place = new Place()
  const server = (await postgresIn(place)).url
  const front = await freePort()
  await using run = await WorldRun.create(context, { server, front, settings: { TRUST_PROXY: `${PROXIES}` } })
  const { home } = run.fixture
  await startCaches(place, front, home.port)
  const service = await run.start()
  const readers = await Readers.prepare(run.fixture, { service: home.port, front })
  const { counts } = await run.under('many callers read behind two caches', async () => {
    const differences = await readers.read(run.random, AbortSignal.timeout(context.seconds * 1_000))
    for (const difference of differences) run.report('W3', difference)
  })
  const failed = counts.refused + counts.faults
  if (failed > 0) run.report('W3', `${failed} requests were answered 5xx`)
  const read = { ...readers.counts }
  await run.end(service)
  return {
    name: 'caches in front',
    store: 'postgres',
    replay: replayOf('caches', context, `--seconds ${context.seconds}`),
    findings: run.findings,
    rows: run.rows.map((row) => ({ ...row, 'read, from a cache': `${read.read}, ${read.cached}` })),
  }
}

const LIMIT = 5
const ANOTHER_FORGERY = ['203.0.113.7', '198.51.100.9, 203.0.113.8', 'unknown', '127.0.0.1']

/** Each client has an address of its own; only what the proxies saw may count. */
const addresses = async (context: WorldContext): Promise<CheckReport> => {
  using place = new Place()
  const front = await freePort()
  await using fixture = await Fixture.create({
    program: context.program(),
    front,
    settings: { TRUST_PROXY: `${PROXIES}`, RATE_LIMIT: `${LIMIT}/1h` },
  })
  await startCaches(place, front, fixture.home.port)
  await fixture.mustStart()
  let asked = 0
  const signUp = async (from: string, forged?: string): Promise<number> => {
    const body = new URLSearchParams({ name: 'Zoë', email: `address-${asked++}@example.com` }).toString()
    const headers: Record<string, string> = { 'Content-Type': 'application/x-www-form-urlencoded' }
    if (forged !== undefined) headers['X-Forwarded-For'] = forged
    return (await ask(front, '/subscribe', { method: 'POST', headers, body, from })).status
  }
  const expectStatus = async (expected: number, about: string, from: string, forged?: string): Promise<void> => {
    const status = await signUp(from, forged)
    if (status !== expected) fixture.ledger.report('W4', `${about}: ${status} instead of ${expected}`)
  }
  const clients = ['127.1.1.1', '127.2.2.2', '127.3.3.3']
  for (const client of clients) {
    for (let n = 0; n < LIMIT; n++) await expectStatus(200, `request ${n + 1} of ${client}`, client)
    await expectStatus(429, `one more of ${client}`, client)
    for (const forged of ANOTHER_FORGERY)
      await expectStatus(429, `one more of ${client}, with X-Forwarded-For: ${forged}`, client, forged)
  }
  return {
    name: 'addresses of clients behind two proxies',
    store: 'sqlite',
    replay: replayOf('caches', context),
    findings: fixture.ledger.findings.filter(({ invariant }) => invariant === 'W4'),
    rows: [{ clients: clients.length, requests: asked, 'limit of each': LIMIT }],
  }
}
