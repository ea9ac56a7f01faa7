import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import type { ProviderSettings } from '@rollcall/access-token/provider-settings'
import { closestName } from '@rollcall/core'
import { accessProblem, hasErrorCode, isLoopback } from '@rollcall/platform-node'
import * as v from 'valibot'
import { consoleUrlOf } from './console-settings.ts'
import { httpUrl } from './every-address.ts'
import { providerSettings } from './provider-settings.ts'
import { parseDatabaseUrl } from './setting-values.ts'
import { OF_COMMANDS, SETTINGS, type SettingName } from './settings.ts'
import { sharedPorts } from './shared-ports.ts'
import { StartupError } from './startup-error.ts'

type Values = v.InferOutput<typeof SETTINGS>

/** Everything that can be configured, checked, and never changed again. */
export type Config = Readonly<
  Values & {
    /** Of no meaning if the database is on a PostgreSQL server. */
    readonly databaseFile: string
    /** Where the newest seal of the audit trail is kept outside the database. */
    readonly anchorFile: string
    /** The address of the database, with its schema, if it is on a PostgreSQL server. It may hold a password. */
    readonly postgresUrl: string | undefined
    /** The file that has the address, if one does. */
    readonly databaseUrlFile: string | undefined
    readonly publicUrl: string
    /** Where browsers find the console; undefined if there is none. */
    readonly consoleUrl: string | undefined
    readonly noColor: boolean
    readonly provider: ProviderSettings | undefined
  }
>

export type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'ROLLCALL_'

/**
 * The environment of this process, with what `.env` in its folder adds to it.
 * @throws {StartupError} it cannot be read, or others could have written it or can read it
 */
export const readEnvironment = (folder = process.cwd()): Environment => {
  const file = path.join(folder, '.env')
  try {
    const stats = statSync(file)
    const found = stats.isFile() ? accessProblem(file, stats) : undefined
    if (found?.refused) throw new StartupError(`The file ${file} ${found.problem}. ${found.remedy}`)
    return { ...parseEnv(textIn(readFileSync(file))), ...process.env }
  } catch (error) {
    if (error instanceof StartupError) throw error
    if (hasErrorCode(error, 'ENOENT')) return process.env
    throw new StartupError('The file .env cannot be read. Fix its permissions, or remove it.', { cause: error })
  }
}

/** Without a byte order mark. */
const textIn = (bytes: Uint8Array): string => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // As one in UTF-16, whose letters are read with a NUL each.
  }
  throw new StartupError('The file .env is not text in UTF-8. Save it as UTF-8.')
}

const wantsNoColor = ({ NO_COLOR = '', TERM }: Environment): boolean => NO_COLOR !== '' || TERM === 'dumb'

/** Whether the output is to be plain. Never throws: help is shown even if `.env` cannot be read. */
export const noColorWanted = (): boolean => {
  try {
    return wantsNoColor(readEnvironment())
  } catch {
    // The code that needs the configuration reports it.
    return wantsNoColor(process.env)
  }
}

/** Whether the terminal shows escape sequences instead of acting on them. */
export const isDumbTerminal = (): boolean => process.env.TERM === 'dumb'

/** What a command line that names no server goes by. Never throws, likewise. */
export const serverOfCommands = (): {
  readonly server?: string | undefined
  readonly tokenFile?: string | undefined
} => {
  try {
    const { ROLLCALL_SERVER, ROLLCALL_TOKEN_FILE } = readEnvironment()
    return { server: ROLLCALL_SERVER || undefined, tokenFile: ROLLCALL_TOKEN_FILE || undefined }
  } catch {
    return {}
  }
}

/**
 * Reads and checks the whole configuration.
 * @throws {StartupError} naming every bad value with what is allowed, and every unknown name with the nearest known one
 */
export const readConfig = (environment: Environment = readEnvironment()): Config => {
  const { config, problems } = examineConfig(environment)
  if (config === undefined) throw new StartupError(problems.join(' '))
  return config
}

/** The configuration, or all that is wrong with it: each a sentence that says what to do. */
export const examineConfig = (
  environment: Environment,
): { readonly config: Config | undefined; readonly problems: readonly string[] } => {
  const problems: string[] = []
  const given = withFiles(ours(environment, problems), problems)
  const result = v.safeParse(SETTINGS, given, { abortPipeEarly: true })
  if (!result.success) return { config: undefined, problems: [...problems, ...result.issues.map(problem)] }
  const values = result.output
  const url = collecting(problems, () => publicUrl(values))
  const provider = collecting(problems, () => providerSettings(values))
  const consoleUrl = collecting(problems, () => consoleUrlOf(values))
  problems.push(...sharedPorts(values))
  if (values.FEEDBACK_IMAP_URL !== undefined && values.BOUNCE_ADDRESS === undefined)
    problems.push(`${PREFIX}FEEDBACK_IMAP_URL: set ${PREFIX}BOUNCE_ADDRESS, too: only reports to it are believed.`)
  if (url === undefined || problems.length > 0) return { config: undefined, problems }
  const config = completed({ ...values, consoleUrl }, url, provider, environment)
  const taken = [
    config.databaseFile,
    ...['secret', 'link-keys.json', 'signing-keys.json'].map((name) => path.resolve(config.DATA_DIR, name)),
  ]
  if (taken.includes(config.anchorFile))
    return {
      config: undefined,
      problems: [`${PREFIX}AUDIT_ANCHOR: ${config.anchorFile} holds something else. Name a file of its own.`],
    }
  return { config: Object.freeze(config), problems }
}

const completed = (
  values: Values & Pick<Config, 'consoleUrl'>,
  publicUrl: string,
  provider: ProviderSettings | undefined,
  environment: Environment,
): Config => {
  return {
    ...values,
    anchorFile: path.resolve(values.AUDIT_ANCHOR ?? path.join(values.DATA_DIR, 'audit-anchor')),
    databaseFile: path.resolve(sqliteFile(values) ?? path.join(values.DATA_DIR, 'rollcall.db')),
    postgresUrl: postgresUrl(values),
    databaseUrlFile: environment[`${PREFIX}DATABASE_URL_FILE`] || undefined,
    publicUrl,
    provider,
    noColor: wantsNoColor(environment),
  }
}

/** What cannot be read is one problem more. */
const collecting = <T>(problems: string[], read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    problems.push(error.message)
    return undefined
  }
}

/** With the schema in it, as everything that connects is given one address. */
const postgresUrl = ({
  DATABASE_URL,
  DATABASE_SCHEMA,
}: Pick<Values, 'DATABASE_URL' | 'DATABASE_SCHEMA'>): string | undefined => {
  if (DATABASE_URL === undefined || !('postgres' in DATABASE_URL)) return undefined
  return inSchema(DATABASE_URL.postgres, DATABASE_SCHEMA)
}

/** The address of a database, with the schema that the setting names. */
export const inSchema = (postgres: string, schema: string | undefined): string => {
  if (schema === undefined) return postgres
  const [address = '', ...fragment] = postgres.split('#')
  return [`${address}${address.includes('?') ? '&' : '?'}schema=${schema}`, ...fragment].join('#')
}

/**
 * The address of the PostgreSQL server, as its file has it now, if it is in one: its user and its password may change while
 * the service runs. Empty while it is no such address, as while the file is written.
 * @throws {StartupError} the file cannot be read
 */
export const currentPostgresUrl = (config: Config): string => {
  const { databaseUrlFile: file } = config
  const DATABASE_URL = file === undefined ? config.DATABASE_URL : parseDatabaseUrl(contentOf(file, 'DATABASE_URL_FILE'))
  return postgresUrl({ ...config, DATABASE_URL }) ?? ''
}

const sqliteFile = ({ DATABASE_URL }: Values): string | undefined =>
  DATABASE_URL !== undefined && 'sqlite' in DATABASE_URL ? DATABASE_URL.sqlite : undefined

const problem = (issue: v.BaseIssue<unknown>): string => `${PREFIX}${issue.path?.[0]?.key}: ${issue.message}`

const ours = (environment: Environment, problems: string[]): Record<string, string> => {
  const known = Object.keys(SETTINGS.entries)
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || value === undefined || value === '' || ignoredNames(name, value)) continue
    const setting = name.slice(PREFIX.length)
    if (OF_COMMANDS.includes(setting)) continue
    if (known.includes(setting.replace(/_FILE$/, ''))) given[setting] = value
    else
      problems.push(`${name} is not known. Did you mean ${PREFIX}${closestName(setting, [...known, ...OF_COMMANDS])}?`)
  }
  return given
}

/** `NAME_FILE` stands for a file that holds the value of `NAME`. */
const withFiles = (given: Record<string, string>, problems: string[]): Partial<Record<SettingName, string>> => {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!name.endsWith('_FILE')) values[name] = value
  }
  for (const [name, file] of Object.entries(given)) {
    if (!name.endsWith('_FILE')) continue
    const setting = name.slice(0, -'_FILE'.length)
    if (values[setting] !== undefined) problems.push(`Set ${PREFIX}${setting} or ${PREFIX}${name}, not both.`)
    const content = collecting(problems, () => contentOf(file, name))
    if (content === '') problems.push(`${PREFIX}${name} names the file ${file}, which is empty.`)
    else if (content !== undefined) values[setting] = content
  }
  return values
}

const contentOf = (file: string, name: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartupError(
      `${PREFIX}${name} names the file ${file}, which cannot be read. Fix its permissions or the name.`,
      {
        cause: error,
      },
    )
  }
}

const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Values): string => {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL
  if (!isLoopback(HOST)) {
    const example = `${PREFIX}PUBLIC_URL=https://news.example.com`
    throw new StartupError(`${PREFIX}HOST is reachable from outside, so say what links in mails begin with: ${example}`)
  }
  return httpUrl(HOST, PORT)
}

export const startedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined

// Kubernetes makes these for a Service called `rollcall` or `rollcall-console`, in every container.
const MADE_BY_KUBERNETES =
  /^ROLLCALL_(?:[A-Z0-9_]+_)?(?:SERVICE_(?:HOST|PORT(?:_.*)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_.*)?)$/

const ignoredNames = (name: string, value: string): boolean =>
  MADE_BY_KUBERNETES.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value))
