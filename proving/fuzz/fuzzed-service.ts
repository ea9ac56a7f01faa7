import type { JsonWebKey } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Mails } from '../shared/mails.ts'
import { resident } from '../shared/processes.ts'
import type { Program } from '../shared/service.ts'
import { Target } from '../shared/target.ts'
import { waitUntil } from '../shared/wait-until.ts'
import { ask, livenessOf } from '../shared/wire.ts'
import { forgeriesOf } from './forgeries.ts'
import type { Surroundings } from './inputs.ts'
import { GUARDED, PERSONAL } from './values.ts'

const SECRET = 'what signs the links of a service that is only tried'
const PEOPLE = 12
const LINKS = ['confirm', 'refuse', 'unsubscribe'] as const

/** Called with what is wrong, and the id of the request that it is about, if that is known. */
type Found = (problem: string, requestId?: string) => void

/** Checks every line of a log: a JSON object, without an error, an address, a name or a token. */
export const logReader = (secrets: readonly string[], found: Found): ((text: string) => void) => {
  let rest = ''
  const read = (line: string): void => {
    let record: { readonly level?: unknown; readonly request_id?: unknown } | undefined
    try {
      record = JSON.parse(line)
    } catch {
      found(`log-line: ${line.slice(0, 400)}`)
      return
    }
    const id = typeof record?.request_id === 'string' ? record.request_id : undefined
    if (['error', 'fatal'].includes(`${record?.level}`)) found(`log-error: ${line.slice(0, 1_000)}`, id)
    if ([PERSONAL, ...secrets].some((secret) => line.toLowerCase().includes(secret.toLowerCase())))
      found(`log-privacy: ${line.slice(0, 1_000)}`, id)
  }
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') read(line)
  }
}

/** The service in a process of its own, with some data that inputs can refer to, and some that none may change. */
interface FuzzedService extends AsyncDisposable {
  readonly target: Target
  readonly around: Surroundings
  /** Whether what no input may change is as it was. */
  isGuardedUnchanged(): Promise<boolean>
  /** The exit code. */
  stop(): Promise<number | null>
}

export const openFuzzed = async (program: Program, found: Found): Promise<FuzzedService> => {
  await using owned = new AsyncDisposableStack()
  const mails = owned.use(await Mails.open())
  const secrets = [SECRET]
  const read = logReader(secrets, found)
  // The log goes to standard output, so standard error must stay empty.
  const onOutput = (text: string, stream: 'stdout' | 'stderr') =>
    stream === 'stdout' ? read(text) : found(`stderr: ${text}`)
  const settings = {
    ...{ SECRET, PUBLIC_URL: 'https://rollcall.example', SMTP_URL: mails.url, TRUST_PROXY: '1', LOG_LEVEL: 'debug' },
    CORS_ORIGINS: 'https://news.example.com',
  }
  const target = owned.use(await Target.open({ program, onOutput }, settings))
  const tokens = {
    admin: await target.token('root', 'admin'),
    auditor: await target.token('eye', 'auditor'),
    nobody: await target.token('none'),
  }
  secrets.push(...Object.values(tokens).map((token) => token.split('.')[2] ?? token))
  let isStopping = false
  owned.defer(() => {
    isStopping = true
  })
  void target.service.ended.then(({ code, signal }) => {
    if (!isStopping) found(`exit: the process ended with ${code ?? signal}`)
  })
  const around = await surroundings(target.port, mails, tokens)
  const guarded = await makeGuarded(target.port, tokens.admin)
  const all = owned.move()
  return {
    target,
    around,
    isGuardedUnchanged: async () => (await readGuarded(target.port, tokens.admin)) === guarded,
    stop: async () => {
      isStopping = true
      await target.stop()
      return (await target.service.ended).code
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const SEEDS = path.join(import.meta.dirname, 'seeds')

/** The bytes in a file of a kept input, Latin-1: one character per byte. `{admin}` stands for a good token. */
const seedIn = (file: string, admin: string): Buffer => {
  const { bytes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly bytes: string }
  return Buffer.from(bytes.replaceAll('{admin}', admin), 'latin1')
}

/** A few subscriptions, for links and ids in inputs. */
const surroundings = async (port: number, mails: Mails, tokens: Surroundings['tokens']): Promise<Surroundings> => {
  const { body } = await ask(port, 'GET /openapi.json')
  const subscriptions: string[] = []
  const links: string[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const email = `${PERSONAL}-${n}@example.com`
    const answer = await ask(port, 'POST /subscribe', { form: { email } })
    subscriptions.push(/"id":(\d+)/.exec(answer.body)?.[1] ?? '')
    for (const link of LINKS) links.push(`${link}/${await mails.comingToken(email, link)}`)
  }
  const seeds = readdirSync(SEEDS).map((name) => seedIn(path.join(SEEDS, name), tokens.admin))
  const { keys } = JSON.parse((await ask(port, 'GET /.well-known/jwks.json')).body) as { keys: [JsonWebKey] }
  const forged = forgeriesOf(tokens.admin, keys[0])
  return { document: JSON.parse(body) as unknown, tokens, forged, links, subscriptions, seeds }
}

const USERS = Array.from({ length: 5 }, (_, n) => `${GUARDED}-${n + 1}`)

const makeGuarded = async (port: number, token: string): Promise<string> => {
  const put = async (at: string, json: object): Promise<void> => {
    const { status, body } = await ask(port, `PUT ${at}`, { token, json })
    if (status >= 300) throw new Error(`PUT ${at} was answered ${status}: ${body}`)
  }
  for (const id of USERS)
    await put(`/users/${id}`, { email: `${id}@example.com`, name: GUARDED, roles: id.endsWith('1') ? ['admin'] : [] })
  for (const feed of [GUARDED, 'news']) await put(`/feeds/${feed}`, { title: feed })
  for (const id of USERS) await ask(port, 'POST /subscribe', { json: { email: `${id}@example.com`, feed: GUARDED } })
  await waitUntil(async () => {
    const { body } = await ask(port, `GET /subscriptions?feed=${GUARDED}`, { token })
    return USERS.every((id) => body.includes(`${id}@`))
  }, 'what was signed up')
  return await readGuarded(port, token)
}

const readGuarded = async (port: number, token: string): Promise<string> => {
  const paths = [...USERS.map((id) => `/users/${id}`), `/feeds/${GUARDED}`, `/subscriptions?feed=${GUARDED}`]
  const texts: string[] = []
  for (const at of paths) texts.push((await ask(port, `GET ${at}`, { token })).body)
  return texts.join('\n')
}

const EVERY = 500
const GUARD_EVERY = 10
/** Milliseconds within which a working service answers, even on a busy machine. */
const SLOWEST = 60_000
const MOST_MEGABYTES = 700

/** Looks after the health of the service until it is aborted; gives the longest answer in milliseconds, and the memory. */
export const lookAfter = async (service: FuzzedService, found: Found, signal: AbortSignal) => {
  const most = { slowest: 0, megabytes: 0 }
  const { port, service: process } = service.target
  for (let round = 1; process.isRunning; round++) {
    most.megabytes = Math.max(most.megabytes, resident(process.pid))
    if (most.megabytes > MOST_MEGABYTES) found(`memory: ${most.megabytes.toFixed(0)} MB`)
    try {
      most.slowest = Math.max(most.slowest, await livenessOf(port))
      if (most.slowest > SLOWEST) found(`livez: ${most.slowest.toFixed(0)} ms`)
      if ((signal.aborted || round % GUARD_EVERY === 0) && !(await service.isGuardedUnchanged()))
        found('guarded: something that must not change has changed')
    } catch (error) {
      if (process.isRunning) found(`livez: ${error}`)
    }
    if (signal.aborted) break
    await sleep(EVERY)
  }
  return most
}
