import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import path from 'node:path'
import { freePort } from '../../packages/app/test/free-port.ts'
import type { Run } from '../cases/bench-case.ts'
import { type Cores, run } from '../command.ts'
import { makeScratch } from '../scratch.ts'
import { Server } from '../server.ts'
import { distinct } from '../traffic.ts'

const BUILD = path.join(import.meta.dirname, '../../packages/rollcall/build.ts')
const DATA = 'data'

let built: string | undefined

/** The program as it is published, built by the first that asks for it. */
export const product = (): string => {
  if (built !== undefined) return built
  const folder = makeScratch('bench-product')
  execFileSync(process.execPath, [BUILD, folder], { stdio: ['ignore', 2, 2] })
  built = path.join(folder, 'bin/rollcall.cjs')
  return built
}

export const databaseIn = (folder: string): string => path.join(folder, DATA, 'rollcall.db')

export const mailsIn = (folder: string): string => path.join(folder, DATA, 'mail')

/** The service as a user starts it, with its data below the folder. */
export const rollcall = async (folder: string, settings: Readonly<Record<string, string>>): Promise<Run['server']> => {
  const port = await freePort()
  return {
    program: product(),
    args: ['serve'],
    env: environment(folder, { PORT: `${port}`, ...settings }),
    cwd: folder,
    port,
    isReady: (status) => status === 200,
  }
}

export interface CommandOrder {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** A command as an operator gives it in this folder. */
export const commandOrder = (folder: string, ...args: readonly string[]): CommandOrder => ({
  program: product(),
  args,
  env: environment(folder, {}),
  cwd: folder,
})

/** What a command prints that an operator gives in this folder. */
export const command = async (folder: string, ...args: readonly string[]): Promise<string> =>
  await commandWith(folder, {}, ...args)

/** The same, with settings. */
export const commandWith = async (
  folder: string,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> => await run(product(), args, undefined, { cwd: folder, env: environment(folder, settings) })

/** Migrates a database at this URL. */
export const migrate = async (folder: string, url: string): Promise<void> => {
  await run(product(), ['migrate'], undefined, { cwd: folder, env: environment(folder, { DATABASE_URL: url }) })
}

/** A token of an administrator, for instances on a database at this URL. */
export const issueTokenOn = async (folder: string, url: string, subject: string): Promise<string> => {
  const args = ['token', 'issue', '--subject', subject, '--ttl', '7d', '--role', 'admin']
  return (
    await run(product(), args, undefined, { cwd: folder, env: environment(folder, { DATABASE_URL: url }) })
  ).trim()
}

export const issueToken = async (folder: string, subject: string, ...roles: readonly string[]): Promise<string> => {
  const holding = roles.flatMap((role) => ['--role', role])
  return (await command(folder, 'token', 'issue', '--subject', subject, '--ttl', '7d', ...holding)).trim()
}

/** Of a service or command with its data below the folder; `settings` by their names without the prefix. */
export const environment = (folder: string, settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  // The Node.js that runs this runs the service as well, whatever else is installed.
  PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  ROLLCALL_DATA_DIR: path.join(folder, DATA),
  ROLLCALL_LOG_LEVEL: 'warn',
  ROLLCALL_RATE_LIMIT: 'off',
  ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value])),
})

/**
 * Makes a data folder with keys and users, to be copied for every repetition.
 * @returns an access token that is valid there
 */
export const makeTemplate = async (
  folder: string,
  { subject, roles, users }: { subject: string; roles: readonly string[]; users: number },
  cores: Cores,
): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await using server = await Server.start({ ...(await rollcall(folder, {})), core: cores.server })
  const token = await issueToken(folder, subject, ...roles)
  await seedUsers(server.url, token, users)
  await server.stop('SIGTERM')
  return token
}

const AT_ONCE = 64

/** Creates the users to be deleted, over HTTP, many at a time. */
export const seedUsers = async (url: string, token: string, count: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const numbers = Array.from({ length: count }, (_, number) => number).values()
  const work = async (): Promise<void> => {
    for (const number of numbers) {
      const status = await put(agent, url, token, distinct(number))
      if (status !== 201) throw new Error(`seeding a user was answered ${status}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    agent.destroy()
  }
}

const put = (agent: Agent, url: string, token: string, digits: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ email: `user.${digits}@example.com`, name: 'Brian Smith', roles: ['auditor'] })
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }
    const asked = request(`${url}/users/user-${digits}`, { agent, method: 'PUT', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    asked.on('error', reject)
    asked.end(body)
  })
