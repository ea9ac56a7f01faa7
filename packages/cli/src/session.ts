import type { OperationId } from '@rollcall/client'
import type { Caller } from '@rollcall/core'
import { ExitCode, interrupted, usageError } from './cli-error.ts'
import type { CliHost, CliIo, OpenService } from './cli-host.ts'
import { Output } from './output.ts'
import type { ServerOptions } from './service/server-options.ts'
import { type AskOptions, type DataOf, type GivenParams, Service } from './service/service.ts'
import { visible, visibleJson } from './texts.ts'

/** What a command has beside the service. */
export interface Here extends Pick<OpenService, 'useCases'> {
  /** Who asks the use cases that do not go over HTTP. */
  readonly caller: Caller
  /** Who asks the service, as far as it is known. */
  readonly who: string
}

interface Opened extends Here {
  readonly service: Service
  close(): Promise<void>
}

/** One run of the command line: where its answers go, and what it may ask of its host. */
export class Session {
  readonly host: CliHost
  readonly io: CliIo
  readonly stdout: Output
  readonly stderr: Output
  /** Machines read the output. */
  json: boolean
  /** Where the command is carried out, if not here. */
  remote: ServerOptions = {}
  exitCode: number = ExitCode.done

  constructor(host: CliHost, io: CliIo, json: boolean) {
    this.host = host
    this.io = io
    this.stdout = new Output(io.stdout)
    this.stderr = new Output(io.stderr)
    this.json = json
  }

  /** Standard output leads to a person who likes colours. */
  get colour(): boolean {
    return this.stdout.width !== undefined && !this.io.noColor && !this.io.dumb
  }

  /** For a person: a line on standard output. */
  async say(sentence: string): Promise<void> {
    await this.stdout.write(`${visible(sentence)}\n`)
  }

  /** For a person, beside the answer itself: a line on standard error. */
  async note(sentence: string): Promise<void> {
    await this.stderr.write(`${visible(sentence)}\n`)
  }

  /** The same about what goes on meanwhile; left out if it could be taken for a part of the answer. */
  async remark(sentence: string): Promise<void> {
    if (!this.json || this.stderr.width !== undefined) await this.note(sentence)
  }

  async printJson(value: unknown): Promise<void> {
    await this.stdout.write(`${visibleJson(value)}\n`)
  }

  /** The answer: a document for machines, a sentence for people. */
  async answer(document: unknown, sentence: string): Promise<void> {
    await (this.json ? this.printJson(document) : this.say(sentence))
  }

  async withService<T>(work: (service: Service, here: Here) => Promise<T>): Promise<T> {
    const { service, close, ...here } = await this.#open()
    try {
      return await work(service, here)
    } finally {
      await close()
    }
  }

  /** Asks the service this one thing. @throws {RollcallError} it refuses */
  async ask<Id extends OperationId>(id: Id, params: GivenParams<Id>, options?: AskOptions): Promise<DataOf<Id>> {
    return (await this.withService((service) => service.ask(id, params, options))) as DataOf<Id>
  }

  /** What does not go over HTTP: only commands ask for it that run nowhere else. */
  async here<T>(work: (useCases: OpenService['useCases'], caller: Caller) => Promise<T>): Promise<T> {
    return await this.withService((_, { useCases, caller }) => work(useCases, caller))
  }

  async #open(): Promise<Opened> {
    const { host, io, remote } = this
    const { server } = remote
    const caller = host.operator()
    if (server === undefined) {
      const { fetch, ...opened } = await host.open()
      return {
        ...opened,
        caller,
        who: caller.id,
        service: new Service({ url: IN_PROCESS, fetch, version: host.version }),
      }
    }
    const note = (sentence: string): Promise<void> => this.remark(sentence)
    // Loaded for this alone: start-up time is felt.
    const { openServer } = await import('./service/open-server.ts')
    const opened = await openServer({ ...remote, server }, io, { note, version: host.version })
    const useCases = nothingOver(server)
    return { ...opened, caller, useCases, close: async () => undefined }
  }

  /**
   * To be asked of every file that a command is about to write, before it does anything.
   * @throws {CliError} the service itself keeps a file there; or there is no name, as of a variable that is not set
   */
  async requireForeign(...files: readonly (string | undefined)[]): Promise<void> {
    if (files.includes('')) throw usageError('The name of the file to write is empty. Give one.')
    for (const file of files)
      if (file !== undefined && (await this.host.keeps(file)))
        throw usageError(
          `'${file}' is where the service keeps its own data. Give another name, outside of its data folder.`,
        )
  }

  /** @throws {CliError} Ctrl-C was pressed */
  throwIfInterrupted(): void {
    if (this.io.signal.aborted) throw interrupted('Interrupted.')
  }
}

/** Is looked up nowhere. */
const IN_PROCESS = 'http://in-process.invalid'

const nothingOver = (server: string): OpenService['useCases'] =>
  new Proxy({} as OpenService['useCases'], {
    get: (_, name) => {
      throw new Error(`The use case ${String(name)} was asked for on ${server}.`)
    },
  })
