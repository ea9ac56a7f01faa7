import { freePort } from '../../packages/app/test/free-port.ts'
import { counted, type Row } from '../shared/report.ts'
import { Target } from '../shared/target.ts'
import { type Answer, ask } from '../shared/wire.ts'
import { startNginx, startVarnish } from './fronts.ts'
import { Place } from './place.ts'
import type { WorldScenario } from './scenarios.ts'
import { TOOLS } from './tools.ts'
import { type WorldContext, WorldRun } from './world-run.ts'

/** nginx, and Varnish behind it. */
const PROXIES = { TRUST_PROXY: '2' }
const AT_ONCE = 6
/** Milliseconds. */
const READING = 20_000
const PERSONS = ['one', 'two']
const LINKS = ['confirm', 'refuse', 'unsubscribe'] as const

const startCaches = async (place: Place, front: number, service: number): Promise<void> => {
  const between = await freePort()
  await startVarnish(place, between, service)
  await startNginx(place, front, between)
}

interface Reading {
  readonly path: string
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
}

/** Many kinds of callers, in two languages, who read the same addresses: all that each of them reads. */
const readings = async ({ fixture }: WorldRun): Promise<readonly Reading[]> => {
  const { target, ledger } = fixture
  const { token } = fixture.client
  const paths = ['/', '/subscribe', '/preferences', '/openapi.json', '/.well-known/jwks.json', '/feeds/default']
  const callers: Record<string, string | undefined> = {
    stranger: undefined,
    forged: `${token.slice(0, -8)}AAAAAAAA`,
    admin: token,
    auditor: await target.token('reader', 'auditor'),
  }
  for (const name of PERSONS) {
    const person = ledger.newPerson()
    await fixture.act(person, { kind: 'put-user', name })
    await fixture.act(person, { kind: 'subscribe', name })
    paths.push(`/users/${person.userId}`)
    for (const link of LINKS) paths.push(`/${link}/${await ledger.mailbox.comingToken(person.email, link)}`)
    // What its token says of roles does not count, as it is a stored user.
    callers[name] = await target.token(person.userId, 'auditor')
  }
  const kinds = Object.entries(callers).flatMap(([name, caller]) =>
    ['en', 'de'].flatMap((language) =>
      ['application/json', 'text/html'].map((accept) => ({
        name: `${name} (${language}, ${accept})`,
        headers: {
          ...{ Accept: accept, 'Accept-Language': language },
          ...(caller === undefined ? {} : { Authorization: `Bearer ${caller}` }),
        } as Record<string, string>,
      })),
    ),
  )
  return paths.flatMap((path) => kinds.map((kind) => ({ path, ...kind })))
}

/** Without what is of one answer only: the id of a request, and the signed time of a form. */
const shown = ({ status, headers, body }: Answer): string =>
  JSON.stringify([
    ...[status, headers['content-type'], headers['content-language']],
    body.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{13}\.[0-9a-f]{32}/g, ''),
  ])

/** Each reader must get what the service itself gives it. */
const behindCaches = async (context: WorldContext): Promise<readonly Row[]> => {
  using place = new Place()
  const front = await freePort()
  await using run = await WorldRun.make(context, { server: await place.postgresUrl(), front, settings: PROXIES })
  const { target } = run.fixture
  await startCaches(place, front, target.port)
  await run.start()
  const all = await readings(run)
  const differences: string[] = []
  let [read, cached] = [0, 0]
  const { refused } = await run.under('many callers read behind two caches', async () => {
    const over = AbortSignal.timeout(READING)
    const work = async (): Promise<void> => {
      while (!over.aborted && differences.length < 5) {
        const { path, name, headers } = all[Math.floor(Math.random() * all.length)] as Reading
        const [direct, fronted] = [
          await target.ask(`GET ${path}`, { headers }),
          await ask(front, `GET ${path}`, { headers }),
        ]
        read++
        if (fronted.headers['x-cache-status'] === 'HIT' || Number(fronted.headers.age ?? 0) > 0) cached++
        if (shown(direct) !== shown(fronted)) differences.push(`${name} reads ${path}: ${shown(fronted).slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  })
  return [
    counted('answers by way of caches that another caller should have had', read, differences),
    { figure: 'answers that came from a cache', found: cached, bound: undefined },
    { figure: 'requests answered 5xx by way of caches', found: refused, bound: 0 },
    ...(await run.end()),
  ]
}

const LIMIT = 5
const CLIENTS = ['127.1.1.1', '127.2.2.2', '127.3.3.3']
const FORGERIES = ['203.0.113.7', '198.51.100.9, 203.0.113.8', 'unknown', '127.0.0.1']

/** Each client has an address of its own; only what the proxies saw may count. */
const addresses = async ({ program }: WorldContext): Promise<Row> => {
  using place = new Place()
  const front = await freePort()
  await using target = await Target.make({ program }, { ...PROXIES, RATE_LIMIT: `${LIMIT}/1h` })
  await startCaches(place, front, target.port)
  await target.start()
  const wrong: string[] = []
  let asked = 0
  const expectStatus = async (expected: number, from: string, forged?: string): Promise<void> => {
    const headers: Record<string, string> = forged === undefined ? {} : { 'X-Forwarded-For': forged }
    const { status } = await ask(front, 'POST /subscribe', {
      form: { email: `a${asked++}@example.com` },
      headers,
      from,
    })
    if (status !== expected) wrong.push(`${from}, ${forged}: ${status}`)
  }
  for (const client of CLIENTS) {
    for (let n = 0; n < LIMIT; n++) await expectStatus(200, client)
    for (const forged of [undefined, ...FORGERIES]) await expectStatus(429, client, forged)
  }
  return counted('clients behind two proxies that count as others', asked, wrong)
}

export const caches: WorldScenario = {
  name: 'caches',
  about: 'nginx and Varnish in front, both with a cache; many callers read the same addresses',
  tools: [TOOLS.nginx, TOOLS.varnish, TOOLS.compiler],
  run: async (context) => [...(await behindCaches(context)), await addresses(context)],
}
