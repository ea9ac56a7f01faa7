import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { type Credentials, credentials } from './credentials.ts'
import { PERSONAL } from './dictionary.ts'
import type { Surroundings } from './input.ts'
import { keptSeeds, vectorTexts } from './seeds.ts'
import { LoggedService } from './service/logged-service.ts'
import { GuardedThings } from './service/watch.ts'

const SECRET = 'what signs the links of a service that is only tried'

/** A service on its own folder, with some data that inputs can refer to. */
export interface OpenService extends AsyncDisposable {
  readonly service: LoggedService
  readonly around: Surroundings
  readonly guarded: GuardedThings
}

/** `found` is called for problems in the log, and when the process ends. */
export const openService = async (
  store: 'sqlite' | 'postgres',
  found: (problem: string, requestId: string | undefined) => void,
): Promise<OpenService> => {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-fuzz-'))
  const removeAtOnce = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeAtOnce)
  opened.defer(async () => {
    process.off('exit', removeAtOnce)
    await rm(folder, { recursive: true, force: true })
  })
  // The account that PostgreSQL runs under must be able to enter.
  await chmod(folder, 0o711)
  const server = store === 'postgres' ? await startPostgres({ fsync: 'off' }, folder) : undefined
  if (server) opened.defer(() => server.stop())
  const keys = credentials()
  const { admin, auditor, noRoles, own } = keys
  const dataDir = path.join(folder, 'data')
  const settings = {
    DATA_DIR: dataDir,
    SECRET,
    PUBLIC_URL: 'https://rollcall.example',
    SIGNING_KEYS: own.jwks,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'debug',
    TRUST_PROXY: '1',
    CORS_ORIGINS: 'https://news.example.com',
    ...(server ? { DATABASE_URL: server.url } : {}),
  }
  const secrets = [SECRET, ...[admin, auditor, noRoles].map((token) => token.split('.')[2] ?? token)]
  const service = opened.use(await LoggedService.start({ folder, port: await freePort(), settings, secrets, found }))
  const around = await prepare(service.url, dataDir, keys)
  const guarded = new GuardedThings(service.url, admin)
  await guarded.make()
  const all = opened.move()
  return { service, around, guarded, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const PEOPLE = 12
const LINK = /https?:\/\/[^/\s"]+\/(confirm|refuse|unsubscribe|preferences)\/([\w.-]*\w)/g

/** Makes a few subscriptions, for links and ids in inputs. */
export const prepare = async (url: string, dataDir: string, credentials: Credentials): Promise<Surroundings> => {
  const subscriptionIds: string[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const email = `${PERSONAL}-${n}@example.com`
    const answer = await fetch(`${url}/subscribe`, { method: 'POST', body: new URLSearchParams({ email }) })
    const { subscription } = (await answer.json()) as { subscription: { id: number } }
    subscriptionIds.push(String(subscription.id))
  }
  const links = await linksIn(path.join(dataDir, 'mail'))
  const streams = keptSeeds().map(({ bytes }) => Buffer.from(bytes.replaceAll('{admin}', credentials.admin), 'latin1'))
  return { credentials, links, subscriptionIds, texts: vectorTexts(), streams }
}

/** @throws {Error} no mail with a link comes */
const linksIn = async (folder: string): Promise<string[]> => {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100)) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    if (names.length < PEOPLE) continue
    const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
    const text = mails.join('\n').replace(/=\r?\n/g, '')
    return [...new Set([...text.matchAll(LINK)].map(([, purpose, token]) => `${purpose}/${token}`))]
  }
  throw new Error('no mails with links came')
}
