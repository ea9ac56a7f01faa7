import { PassThrough, Writable } from 'node:stream'
import { runCli } from '../src/cli.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Surroundings {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin?: string | undefined
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

let last: Promise<unknown> = Promise.resolve()

/**
 * A command line, to its end, by all that runs in a process of its own but the process: to start one takes as long as
 * twenty commands. There is one folder, environment and standard output, so that each waits for the one before.
 */
export const runInProcess = (argv: readonly string[], surroundings: Surroundings): Promise<Ran> => {
  const run = last.then(() => runAs(argv, surroundings))
  last = run.catch(() => undefined)
  return run
}

const runAs = async (argv: readonly string[], surroundings: Surroundings): Promise<Ran> => {
  const { folder, environment, stdin = '' } = surroundings
  const [stdout, stderr] = [new Sink(), new Sink()]
  const { env } = process
  const cwd = process.cwd()
  const listeners = new Map(SIGNALS.map((name) => [name, process.listeners(name)]))
  const streams = { stdin: new PassThrough().end(stdin), stdout, stderr }
  const own = Object.getOwnPropertyDescriptors(process)
  process.chdir(folder)
  // The log of a server goes to the descriptor, past any stream.
  process.env = { PATH: env.PATH, TMPDIR: env.TMPDIR, ROLLCALL_LOG_LEVEL: 'silent', ...environment }
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value })
  try {
    return { code: await runCli(argv), stdout: stdout.text, stderr: stderr.text }
  } finally {
    for (const name of ['stdin', 'stdout', 'stderr'] as const) Object.defineProperty(process, name, own[name])
    process.env = env
    process.chdir(cwd)
    for (const [name, before] of listeners)
      for (const listener of process.listeners(name)) if (!before.includes(listener)) process.off(name, listener)
  }
}

class Sink extends Writable {
  readonly #chunks: Buffer[] = []

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }
}
