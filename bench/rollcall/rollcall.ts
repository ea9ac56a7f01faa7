import path from 'node:path'
import type { Trial } from '../cases/bench-case.ts'
import { run } from '../command.ts'
import { freePort } from '../server.ts'

const ROLLCALL = path.join(import.meta.dirname, '../../node_modules/.bin/rollcall')
const DATA = 'data'

export const databaseIn = (folder: string): string => path.join(folder, DATA, 'rollcall.db')

export const mailsIn = (folder: string): string => path.join(folder, DATA, 'mail')

/** The service as a user would start it, its data below the folder. */
export const rollcall = async (
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Trial['server']> => {
  const port = await freePort()
  return {
    program: ROLLCALL,
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

/** A command as an operator would give it in this folder. */
export const commandOrder = (folder: string, ...args: readonly string[]): CommandOrder => ({
  program: ROLLCALL,
  args,
  env: environment(folder, {}),
  cwd: folder,
})

/** What a command prints that an operator gives in this folder. */
export const command = async (folder: string, ...args: readonly string[]): Promise<string> =>
  await run(ROLLCALL, args, undefined, { cwd: folder, env: environment(folder, {}) })

/** Brings a database up to date that is elsewhere. */
export const migrate = async (folder: string, url: string): Promise<void> => {
  await run(ROLLCALL, ['migrate'], undefined, { cwd: folder, env: environment(folder, { DATABASE_URL: url }) })
}

export const issueToken = async (folder: string, subject: string, ...roles: readonly string[]): Promise<string> => {
  const holding = roles.flatMap((role) => ['--role', role])
  return (await command(folder, 'token', 'issue', '--subject', subject, '--ttl', '7d', ...holding)).trim()
}

const environment = (folder: string, settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  // The Node.js that runs this runs the service as well, whatever else is installed.
  PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  ROLLCALL_DATA_DIR: path.join(folder, DATA),
  ROLLCALL_LOG_LEVEL: 'warn',
  ROLLCALL_RATE_LIMIT: 'off',
  ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value])),
})
