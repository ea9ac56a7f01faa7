import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../shared/child.ts'
import type { Finding } from '../shared/finding.ts'
import { fromSource, Home, type Program } from '../shared/service.ts'
import { damageOf } from '../shared/store.ts'

const PATIENCE = 180_000

/** The service on a disk with this fault; on a good disk if none is given. */
export class FaultyService extends Child implements AsyncDisposable {
  readonly #fault: DiskFault | undefined
  readonly #printed: string[]

  constructor(home: Home, fault?: DiskFault, { args }: Program = fromSource()) {
    const printed: string[] = []
    const program = [...args, 'serve']
    super({
      command: fault
        ? ['strace', ...straceOptions(fault), process.execPath, ...program]
        : [process.execPath, ...program],
      cwd: home.folder,
      // Faults are not injected into operations through io_uring.
      env: { ...home.environment, UV_USE_IO_URING: '0' },
      url: `http://127.0.0.1:${home.port}`,
      onOutput: (text) => void printed.push(text),
    })
    this.#fault = fault
    this.#printed = printed
  }

  /** Everything that it printed. */
  get output(): string {
    return this.#printed.join('')
  }

  override async comesTo(status: number, within = PATIENCE): Promise<boolean> {
    return await super.comesTo(status, within)
  }

  /** The status; undefined without an answer. */
  async subscribe(email: string): Promise<number | undefined> {
    const body = new URLSearchParams({ email })
    const answer = await fetch(`${this.url}/subscribe`, { method: 'POST', body }).catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status
  }

  /** The exit code. */
  async stop(): Promise<number | null> {
    this.#signalService('SIGTERM')
    return (await this.ended).code
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signalService('SIGKILL')
    await this.kill()
  }

  /** To the service, not to strace. */
  #signalService(signal: NodeJS.Signals): void {
    if (!this.isRunning) return
    if (this.#fault === undefined) this.signal(signal)
    else {
      const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8')
      const [service] = children.split(' ').map(Number)
      if (service) process.kill(service, signal)
    }
  }
}

/** A fault of the disk, injected by strace: https://man7.org/linux/man-pages/man1/strace.1.html */
export interface DiskFault {
  /** System calls, separated by commas. */
  readonly calls: string
  /** Such as `error=EIO` or `delay_enter=100000` (microseconds). */
  readonly effect: string
  /** Which of these calls, counted for each thread: `7`, `7+` (that one and all later), `7..90`. All unless given. */
  readonly when?: string
}

const straceOptions = ({ calls, effect, when }: DiskFault): string[] => {
  const inject = `inject=${calls}:${effect}${when === undefined ? '' : `:when=${when}`}`
  return ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', inject]
}

/** How a command ends that is run in this home on a disk with this fault. */
export const commandOn = async (home: Home, fault: DiskFault, ...args: readonly string[]) => {
  const [program = '', ...rest] = ['strace', ...straceOptions(fault), process.execPath, ...fromSource().args, ...args]
  return await run(home, program, rest)
}

const run = async (home: Home, program: string, args: readonly string[]) => {
  const env = { ...home.environment, UV_USE_IO_URING: '0' }
  type Ran = Readonly<Record<'stdout' | 'stderr', string>> & { readonly code: unknown }
  const { promise, resolve } = Promise.withResolvers<Ran>()
  execFile(program, args, { cwd: home.folder, env }, (error, stdout, stderr) =>
    resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
  )
  return await promise
}

const PEOPLE = 15
const NOT_USABLE = 4
/** What the service says when it ends because of a sync that failed. */
export const NOT_TAKEN = 'The disk did not take what was written'

export interface FailingDiskResult {
  readonly fault: DiskFault
  /** The status of each sign-up, in order, undefined if the service ended; empty if it did not start. */
  readonly statuses: readonly (number | undefined)[]
  /** Broken promises. */
  readonly problems: readonly string[]
}

/** Each write and each sync of a run fails once, on a disk of its own each. */
export const disksThatFail = (writes: number, syncs: number): readonly DiskFault[] => {
  const upTo = (calls: string, last: number): DiskFault[] =>
    Array.from({ length: last }, (_, n) => ({ calls, effect: 'error=EIO', when: `${n + 1}` }))
  return [...upTo('pwrite64', writes), ...upTo('fsync,fdatasync', syncs)]
}

/** Runs the service on a disk with this fault, then on a good one, and compares its data with the acknowledged data. */
export const surviveFailingDisk = async (program: Program, fault: DiskFault): Promise<FailingDiskResult> => {
  await using home = await Home.make({ LOG_LEVEL: 'info' })
  const problems: string[] = []
  const acknowledged: string[] = []
  const statuses: (number | undefined)[] = []
  {
    await using service = new FaultyService(home, fault, program)
    if (await service.comesTo(200)) {
      for (let n = 0; n < PEOPLE; n++) {
        const email = `person-${n}@example.com`
        const status = await service.subscribe(email)
        statuses.push(status)
        if (status === undefined) break
        if (status === 200) acknowledged.push(email)
        else if (status !== 503) problems.push(`a sign-up was answered ${status}`)
      }
      const code = await service.stop()
      const hasGivenUp = code === NOT_USABLE && service.output.includes(NOT_TAKEN)
      if (!hasGivenUp && (code !== 0 || statuses.includes(undefined))) problems.push(`it ended with ${code}`)
    } else {
      const { code } = await service.ended
      if (code !== NOT_USABLE) problems.push(`the start ended with ${code}`)
    }
    if (/Unhandled|Uncaught|\n\s+at .*\nNode\.js v/.test(service.output))
      problems.push(`a crash: ${service.output.slice(-800)}`)
  }
  problems.push(...(await examine(home, acknowledged, program)))
  return { fault, statuses, problems }
}

/** Starts the service on a good disk, and compares its data with the acknowledged data. */
export const examine = async (
  home: Home,
  acknowledged: readonly string[],
  program = fromSource(),
): Promise<string[]> => {
  const problems: string[] = []
  await using service = new FaultyService(home, undefined, program)
  if (!(await service.comesTo(200))) return [`it does not start again: ${service.output.slice(-500)}`]
  if ((await service.subscribe('afterwards@example.com')) !== 200) problems.push('it accepts no sign-up afterwards')
  const unmailed = await withoutMail(path.join(home.data, 'mail'), acknowledged)
  if (unmailed.length > 0) problems.push(`no mail to ${unmailed.join(', ')}`)
  if ((await service.stop()) !== 0) problems.push('it does not exit with 0 afterwards')
  const { stdout } = await run(home, process.execPath, [...program.args, 'subscription', 'list', '--json'])
  const listed: { readonly items: readonly { readonly email: string }[] } = JSON.parse(stdout)
  for (const address of acknowledged) {
    const times = listed.items.filter(({ email }) => email === address).length
    if (times !== 1) problems.push(`${address} was acknowledged and is there ${times} times`)
  }
  problems.push(...damageOf(path.join(home.data, 'rollcall.db')))
  return problems
}

/** The addresses that got no mail within half a minute. */
const withoutMail = async (folder: string, addresses: readonly string[]): Promise<string[]> => {
  let missing = [...addresses]
  for (const end = Date.now() + 30_000; Date.now() < end && missing.length > 0; await sleep(50)) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
    missing = addresses.filter((address) => !mails.some((mail) => mail.includes(`To: ${address}`)))
  }
  return missing
}

const LANES = 2

/** The same for many disks, two at a time. */
export const surviveFailingDisks = async (
  program: Program,
  faults: readonly DiskFault[],
  log: (line: string) => void,
) => {
  const findings: Finding[] = []
  const all: FailingDiskResult[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let fault = faults[next++]; fault !== undefined; fault = faults[next++]) {
      const result = await surviveFailingDisk(program, fault)
      all.push(result)
      for (const problem of result.problems)
        findings.push({ invariant: 'I1', message: `${fault.calls} ${fault.when}: ${problem}`, kill: 0 })
      if (all.length % 20 === 0) log(`${all.length} of ${faults.length} failing disks, ${findings.length} findings`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const row = {
    runs: all.length,
    'exited at the start with 4': all.filter(({ statuses }) => statuses.length === 0).length,
    'answered 503': all.filter(({ statuses }) => statuses.includes(503)).length,
    'ended with 4': all.filter(({ statuses }) => statuses.includes(undefined)).length,
  }
  return { findings, row }
}
