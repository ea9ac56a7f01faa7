import path from 'node:path'
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'

const FILES = Symbol.for('rollcall: the files of this run')
const PROGRESS = 5_000
const ENDED = new Set(['passed', 'failed', 'skipped'])

/** Each failure at once and whole, a line every few seconds of how far it is, and the count at the end. */
export class TestReporter implements Reporter {
  readonly #workers: number
  readonly #running = new Map<TestModule, number>()
  readonly #failed: string[] = []
  #vitest: Vitest | undefined
  #begun = 0
  #files = 0
  #filesDone = 0
  #passed = 0
  #skipped: string[] = []
  #progress: NodeJS.Timeout | undefined

  constructor(workers: number) {
    this.#workers = workers
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#begun = performance.now()
    // For what is set up for some of them only.
    Object.assign(globalThis, { [FILES]: specifications.map(({ moduleId }) => moduleId) })
    this.#files = specifications.length
    this.#say(`${counted(this.#files, 'file')} of tests, ${this.#workers} at a time`)
    this.#progress = setInterval(() => this.#sayProgress(), PROGRESS).unref()
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.set(module, performance.now())
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (!ENDED.has(state)) return
    if (state === 'passed') this.#passed++
    else if (state === 'skipped') this.#skipped.push(nameOf(test))
    else this.#fail(nameOf(test), test.module, errors ?? [])
  }

  onTestSuiteResult(suite: Parameters<NonNullable<Reporter['onTestSuiteResult']>>[0]): void {
    if (suite.errors().length > 0) this.#fail(nameOf(suite), suite.module, suite.errors())
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module)
    this.#filesDone++
    if (module.errors().length > 0) this.#fail(fileOf(module), module, module.errors())
  }

  onUserConsoleLog({ content, type }: { readonly content: string; readonly type: 'stdout' | 'stderr' }): void {
    process[type].write(content)
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly unknown[]): void {
    clearInterval(this.#progress)
    for (const error of unhandled) {
      this.#failed.push('an error outside of every test')
      this.#vitest?.logger.printError(error, { type: 'an error outside of every test' })
    }
    // Where some tests were asked for by name, the others were left out on purpose.
    if (this.#vitest?.config.testNamePattern === undefined)
      for (const name of this.#skipped) this.#say(`skipped: ${name}`)
    for (const name of this.#failed) this.#say(`failed: ${name}`)
    const seconds = Math.round((performance.now() - this.#begun) / 1_000)
    const skipped = this.#skipped.length > 0 ? `, ${this.#skipped.length} skipped` : ''
    this.#say(`${this.#passed} passed, ${this.#failed.length} failed${skipped} (${seconds} s)`)
  }

  #fail(name: string, { project }: TestModule, errors: readonly unknown[]): void {
    this.#failed.push(name)
    this.#say(`\nFAILED ${name}`)
    for (const error of errors) this.#vitest?.logger.printError(error, { project })
  }

  #sayProgress(): void {
    const seconds = Math.round((performance.now() - this.#begun) / 1_000)
    const files = [...this.#running].map(([module, since]) => {
      const slow = performance.now() - since
      return slow < PROGRESS ? fileOf(module) : `${fileOf(module)} (${Math.round(slow / 1_000)} s)`
    })
    const failed = this.#failed.length > 0 ? `, ${this.#failed.length} failed` : ''
    const counts = `${this.#filesDone} of ${this.#files} files, ${this.#passed} tests passed${failed}`
    this.#say(`${seconds} s: ${counts}; now ${files.join(', ') || 'between files'}`)
  }

  #say(line: string): void {
    process.stdout.write(`${line}\n`)
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const fileOf = ({ moduleId }: TestModule): string => path.relative(process.cwd(), moduleId)

const nameOf = ({ module, fullName }: { readonly module: TestModule; readonly fullName: string }): string =>
  `${fileOf(module)} > ${fullName}`
