import { PassThrough, Writable } from 'node:stream'
import { type CliHost, createCli, type OutputStream } from '@rollcall/cli'
import { type Caller, operator } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { createInProcessFetch, type HttpLog } from '@rollcall/http-koa'

/** An output stream that remembers what it was given. */
export class Screen extends Writable implements OutputStream {
  text = ''
  readonly isTTY: boolean
  readonly columns: number

  constructor({ isTTY = false, columns = 80 } = {}) {
    super()
    this.isTTY = isTTY
    this.columns = columns
  }

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.text += String(chunk)
    this.emit('shown')
    done()
  }

  /** Resolves when the text is on the screen. */
  async shows(text: string): Promise<void> {
    while (!this.text.includes(text)) await new Promise((resolve) => this.once('shown', resolve))
  }
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array
  /** Somebody sits there: types each answer when its question is on the screen. */
  readonly answers?: readonly (readonly [question: string, keys: string])[]
  /** What happens before anything is typed. */
  readonly before?: Promise<void>
  readonly stdout?: Screen
  readonly stderr?: Screen
  readonly noColor?: boolean
  readonly dumb?: boolean
  readonly signal?: AbortSignal
}

export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export const OPERATOR: Caller = operator('tester')

const SILENT: HttpLog = { debug() {}, info() {}, warn() {}, error() {} }
const HTTP = {
  ...{ jwks: () => ({}), publicUrl: 'https://rollcall.example', trace: false, trustProxy: 0 },
  ...{ corsOrigins: [], log: SILENT },
}

const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }

/** A whole service in memory, with the command line over it. */
export const openTestCli = (changes: Partial<CliHost> = {}, ofCore: Parameters<typeof openMemoryService>[0] = {}) => {
  const service = openMemoryService(ofCore)
  const opened = { times: 0, closed: 0 }
  const host: CliHost = {
    version: '1.2.3',
    operator: () => OPERATOR,
    situation: async () => notAsked(),
    remoteDefaults: () => ({}),
    consoleUrl: () => 'http://127.0.0.1:9090',
    keeps: async () => false,
    open: async () => {
      opened.times++
      return {
        fetch: createInProcessFetch(
          { ...HTTP, useCases: service.useCases, now: () => service.clock.now() },
          host.operator(),
        ),
        useCases: service.useCases,
        close: async () => {
          opened.closed++
          await service.useCases.refusals.flush()
        },
      }
    },
    serve: async () => 0,
    migrate: async () => [],
    pendingMigrations: async () => [],
    async *diagnose() {},
    mailFiles: async () => notAsked(),
    embeddedForm: async () => notAsked(),
    migrateData: async () => notAsked(),
    backUp: async () => notAsked(),
    verifyBackup: async () => notAsked(),
    restore: async () => notAsked(),
    ...changes,
  }
  const cli = createCli(host)
  const run = async (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const interactive = options.answers !== undefined
    const stdin = new PassThrough()
    const stdout = options.stdout ?? new Screen({ isTTY: interactive })
    const stderr = options.stderr ?? new Screen({ isTTY: interactive })
    if (!interactive) stdin.end(options.stdin ?? '')
    const { noColor = false, dumb = false, signal = new AbortController().signal } = options
    const typing = type(stdin, stderr, options)
    const exitCode = await cli(argv, { stdin, stdout, stderr, noColor, dumb, interactive, signal })
    await typing
    return { exitCode, stdout: stdout.text, stderr: stderr.text }
  }
  const putUser = async (id: string, roles: readonly string[] = []): Promise<void> => {
    const command = { userId: id, email: `${id}@example.com`, name: `Name of ${id}`, roles }
    await service.useCases.putUser.execute(command, OPERATOR)
  }
  const subscribe = async (email: string, feed = 'default', name = ''): Promise<number> => {
    const { id } = await service.useCases.subscribe.execute({ email, feed, name, source: SOURCE })
    return id
  }
  return { ...service, run, opened, putUser, subscribe }
}

const notAsked = (): never => {
  throw new Error('This test does not ask for it.')
}

const type = async (stdin: PassThrough, stderr: Screen, { answers = [], before }: RunOptions): Promise<void> => {
  for (const [question, keys] of answers) {
    await stderr.shows(question)
    await before
    if (keys === '') stdin.end()
    else stdin.write(keys)
  }
}

export const jsonLines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
