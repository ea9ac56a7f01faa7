import { type Config, readConfig } from '../src/config.ts'
import { type Log, silentLog } from '../src/log.ts'
import { serve } from '../src/serve.ts'

/** Names of files are as in the folder. */
const configIn = (folder: string, environment: Readonly<Record<string, string>>): Config => {
  const cwd = process.cwd()
  process.chdir(folder)
  try {
    return readConfig(environment)
  } finally {
    process.chdir(cwd)
  }
}

export interface Said {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: object
  readonly message: string
}

/** The whole service in the process of the test: everything but the process, the signals and the lines of the log. */
export class ServiceInProcess implements AsyncDisposable {
  readonly config: Config
  readonly said: Said[] = []
  readonly #stopping = new AbortController()
  readonly #served: Promise<void>

  private constructor(config: Config, onReady: () => void) {
    this.config = config
    this.#served = serve(config, this.#listener(), this.#stopping.signal, onReady)
  }

  /** Resolves when it is ready. Rejects with the operator's message where it cannot start. */
  static async start(folder: string, environment: Readonly<Record<string, string>>): Promise<ServiceInProcess> {
    const ready = Promise.withResolvers<void>()
    const service = new ServiceInProcess(configIn(folder, environment), ready.resolve)
    await Promise.race([ready.promise, service.#served])
    return service
  }

  /** All that it has said, as one text. */
  get log(): string {
    const whole = (_key: string, value: unknown) => (value instanceof Error ? { ...value, text: value.stack } : value)
    return this.said.map((line) => JSON.stringify(line, whole)).join('\n')
  }

  /** As SIGTERM has it. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#served
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #listener(): Log {
    const say =
      (level: Said['level']) =>
      (fields: object | string, message = ''): void => {
        this.said.push(typeof fields === 'string' ? { level, fields: {}, message: fields } : { level, fields, message })
      }
    return { ...silentLog, debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  }
}
