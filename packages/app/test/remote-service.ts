import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { type CliHost, createCli } from '@rollcall/cli'
import { operator, type Settings } from '@rollcall/core'
import { createHttpServer, createInProcessFetch } from '@rollcall/http-koa'
import { migrateSqlite } from '@rollcall/storage-sql/sqlite'
import { type Composition, openComposition } from '../src/composition.ts'
import { readConfig } from '../src/config.ts'
import { httpOptionsOf } from '../src/http-options.ts'
import { silentLog } from '../src/log.ts'

export const OPERATOR = operator('test')

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly stdin?: string | Readable
  readonly signal?: AbortSignal
}

class Sink extends Writable {
  text = ''

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}

async function* noChecks(): AsyncGenerator<never> {}

const nowhere = async (): Promise<never> => {
  throw new Error('this machine has no service of its own')
}

const runWith = async (
  open: CliHost['open'],
  argv: readonly string[],
  { stdin, signal }: RunOptions = {},
): Promise<Ran> => {
  const [stdout, stderr] = [new Sink(), new Sink()]
  const host = {
    version: '1.2.3',
    operator: () => OPERATOR,
    situation: async () => ({ folder: '/', program: 'rollcall' }),
    open,
    keeps: async () => false,
    serve: nowhere,
    remoteDefaults: () => ({}),
  }
  const ofStorage = {
    migrate: nowhere,
    pendingMigrations: nowhere,
    migrateData: nowhere,
    backUp: nowhere,
    verifyBackup: nowhere,
    restore: nowhere,
    mailFiles: nowhere,
    embeddedForm: nowhere,
    consoleUrl: () => {
      throw new Error('There is no console here.')
    },
  }
  const cli = createCli({ ...host, ...ofStorage, diagnose: noChecks })
  const exitCode = await cli(argv, {
    ...{ stdin: typeof stdin === 'object' ? stdin : new PassThrough().end(stdin ?? ''), stdout, stderr },
    ...{ noColor: true, interactive: false, signal: signal ?? new AbortController().signal },
  })
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

/** A command line on a machine that has no service: whatever it can do, it does over HTTP. */
export const runAway = (argv: readonly string[], options?: RunOptions): Promise<Ran> => runWith(nowhere, argv, options)

/** A real server over SQLite, in this process. */
export class RemoteService implements AsyncDisposable {
  readonly composition: Composition
  readonly server: Server
  /** Its data; what a test writes beside them goes with them. */
  readonly folder: string

  private constructor(folder: string, composition: Composition, server: Server) {
    this.folder = folder
    this.composition = composition
    this.server = server
  }

  static async open({ deleteGrace = 0 }: Partial<Settings> = {}): Promise<RemoteService> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-remote-'))
    const config = readConfig({ ROLLCALL_DATA_DIR: folder, ROLLCALL_DELETE_GRACE: `${deleteGrace / 1_000}s` })
    await migrateSqlite(config.databaseFile)
    const composition = await openComposition(config, silentLog)
    const { useCases, jwks } = composition
    const publicUrl = 'https://rollcall.example'
    const server = createHttpServer({
      ...{ useCases, jwks, publicUrl, trace: true, trustProxy: 0, corsOrigins: [], log: silentLog },
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return new RemoteService(folder, composition, server)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async token(subject: string, ...roles: readonly string[]): Promise<string> {
    const { issueToken } = this.composition.useCases
    return (await issueToken.execute({ subject, roles, lifetime: 3_600 }, OPERATOR)).token
  }

  /** The command line with `--server`, with the rights of an administrator by default. */
  async commandLine(...roles: readonly string[]) {
    const token = await this.token('root', ...(roles.length === 0 ? ['admin'] : roles))
    return (argv: readonly string[], options: RunOptions = {}): Promise<Ran> =>
      runAway([...argv, '--server', this.url, '--token', token], options)
  }

  /** The same command line on the machine of the service. */
  async runHere(argv: readonly string[], options?: RunOptions): Promise<Ran> {
    const { useCases } = this.composition
    const fetch = createInProcessFetch(httpOptionsOf(this.composition), OPERATOR)
    return await runWith(async () => ({ fetch, useCases, close: async () => undefined }), argv, options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close()
    this.server.closeAllConnections()
    await this.composition.useCases.refusals.flush()
    await this.composition.close()
    await rm(this.folder, { recursive: true })
  }
}
