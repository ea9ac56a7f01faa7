import type { Caller } from '@rollcall/core'
import { ExitCode, interrupted, usageError } from './cli-error.ts'
import type { CliHost, CliIo, CliUseCases, CommandOf, OpenUseCases, ResultOf, UseCaseName } from './cli-host.ts'
import { Output } from './output.ts'
import type { RemoteOptions } from './remote/remote-options.ts'
import { visible, visibleJson } from './texts.ts'

/** One run of the command line: where its answers go, and what it may ask of its host. */
export class Session {
  readonly host: CliHost
  readonly io: CliIo
  readonly stdout: Output
  readonly stderr: Output
  /** Machines read the output. */
  json: boolean
  /** Where the command is carried out, if not here. */
  remote: RemoteOptions = {}
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
    return this.stdout.width !== undefined && !this.io.noColor
  }

  /** For a person: a line on standard output. */
  async say(sentence: string): Promise<void> {
    await this.stdout.write(`${visible(sentence)}\n`)
  }

  /** For a person, beside the answer itself: a line on standard error. */
  async note(sentence: string): Promise<void> {
    await this.stderr.write(`${visible(sentence)}\n`)
  }

  /** The same about what goes on meanwhile; left out where it could be taken for a part of the answer. */
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

  async withUseCases<T>(work: (useCases: CliUseCases, caller: Caller) => Promise<T>): Promise<T> {
    const { useCases, close, caller = this.host.operator() } = await this.#open()
    try {
      return await work(useCases, caller)
    } finally {
      await close()
    }
  }

  /** Opens the use cases for this one alone. */
  async execute<Name extends UseCaseName>(name: Name, command: CommandOf<Name>): Promise<ResultOf<Name>> {
    return await this.withUseCases((useCases, caller) => useCases[name].execute(command, caller))
  }

  async #open(): Promise<OpenUseCases & { readonly caller?: Caller }> {
    const { host, io, remote } = this
    const { server } = remote
    if (server === undefined) return await host.useCases()
    const note = (sentence: string): Promise<void> => this.remark(sentence)
    // Loaded for this alone: start-up time is felt.
    const { openRemote } = await import('./remote/open-remote.ts')
    return await openRemote({ ...remote, server }, io, { note, version: host.version })
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
