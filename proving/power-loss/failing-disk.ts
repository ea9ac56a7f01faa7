import { Client } from '../shared/client.ts'
import type { Finding } from '../shared/finding.ts'
import { Ledger } from '../shared/ledger.ts'
import { fromSource, Home, type Program, Service } from '../shared/service.ts'
import { examineState } from './examine-state.ts'

const PATIENCE = 180_000

/** A fault of the disk, injected by strace: https://man7.org/linux/man-pages/man1/strace.1.html */
export interface DiskFault {
  /** System calls, separated by commas. */
  readonly calls: string
  /** Such as `error=EIO` or `delay_enter=100000` (microseconds). */
  readonly effect: string
  /** Which of these calls, counted for each thread: `7`, `7+` (that one and all later), `7..90`. All unless given. */
  readonly when?: string
}

/** The program on a disk with this fault. */
export const onDisk = ({ calls, effect, when }: DiskFault, program = fromSource()): Program => {
  const inject = `inject=${calls}:${effect}${when === undefined ? '' : `:when=${when}`}`
  // Faults are not injected into operations through io_uring.
  const options = ['-f', '-qq', '-o', '/dev/null', '-E', 'UV_USE_IO_URING=0', '-e', `trace=${calls}`, '-e', inject]
  return { command: ['strace', ...options, ...program.command], isTraced: true }
}

/** Whether the service comes to be ready, however slow it is under strace. */
export const isReady = (service: Service): Promise<boolean> => service.comesTo(200, PATIENCE)

/** Persons who sign up one after the other, until the service does not answer: the statuses. */
export const signUp = async ({ port }: Service, ledger: Ledger, most = PEOPLE): Promise<(number | undefined)[]> => {
  const client = new Client(port)
  const statuses: (number | undefined)[] = []
  while (statuses.length < most && !statuses.includes(undefined)) {
    const [person, action] = [ledger.newPerson(), { kind: 'subscribe', name: 'Ada' } as const]
    const answer = await client.ask(action, person, '')
    ledger.answered(person, action, answer)
    statuses.push(answer?.status)
  }
  client.hangUp()
  return statuses
}

/** The exit code after SIGTERM. */
export const stopped = async (service: Service): Promise<number | null> => {
  service.signal('SIGTERM')
  return (await service.ended).code
}

export const outputOf = ({ stdout, stderr }: Service): string => stdout + stderr

const PEOPLE = 15
const NOT_USABLE = 4
/** What the service says when it ends because of a sync that failed. */
export const NOT_TAKEN = 'The disk did not take what was written'

interface FailingDiskResult {
  /** The status of each sign-up, in order, undefined if the service ended; empty if it did not start. */
  readonly statuses: readonly (number | undefined)[]
  readonly findings: readonly Finding[]
}

/** Each write and each sync of a run fails once, on a disk of its own each. */
export const disksThatFail = (writes: number, syncs: number): readonly DiskFault[] => {
  const upTo = (calls: string, last: number): DiskFault[] =>
    Array.from({ length: last }, (_, n) => ({ calls, effect: 'error=EIO', when: `${n + 1}` }))
  return [...upTo('pwrite64', writes), ...upTo('fsync,fdatasync', syncs)]
}

/** Runs the service on a disk with this fault, then on a good one, where everything must be that was answered. */
export const surviveFailingDisk = async (program: Program, fault: DiskFault): Promise<FailingDiskResult> => {
  await using home = await Home.make({ LOG_LEVEL: 'info' })
  const ledger = new Ledger()
  let statuses: (number | undefined)[] = []
  {
    await using service = new Service(onDisk(fault, program), home, ['serve'])
    if (await isReady(service)) statuses = await signUp(service, ledger)
    const isWell = statuses.length > 0 && !statuses.includes(undefined)
    const code = isWell ? await stopped(service) : (await service.ended).code
    const hasGivenUp = code === NOT_USABLE && (statuses.length === 0 || outputOf(service).includes(NOT_TAKEN))
    if (!hasGivenUp && !(isWell && code === 0)) ledger.report('I7', `it ended with ${code}`)
    if (/Unhandled|Uncaught|\n\s+at .*\nNode\.js v/.test(outputOf(service)))
      ledger.report('I7', `a crash: ${outputOf(service).slice(-800)}`)
  }
  return { statuses, findings: await examine(home, ledger, program) }
}

/** Starts the service on a good disk, and compares what it shows with what was answered. */
export const examine = (home: Home, ledger: Ledger, program = fromSource()): Promise<readonly Finding[]> =>
  examineState(home.folder, {
    promised: { ledger, recorded: [], token: false, revoked: false, mailed: new Set() },
    ...{ recording: { mail: 'files', token: '', revoked: '' }, program, thoroughly: true },
  })

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
      for (const one of result.findings)
        findings.push({ ...one, message: `${fault.calls} ${fault.when}: ${one.message}` })
      if (all.length % 20 === 0) log(`${all.length} of ${faults.length} failing disks, ${findings.length} findings`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const figures = {
    runs: all.length,
    'exited at the start with 4': all.filter(({ statuses }) => statuses.length === 0).length,
    'answered 503': all.filter(({ statuses }) => statuses.includes(503)).length,
    'ended with 4': all.filter(({ statuses }) => statuses.includes(undefined)).length,
  }
  return { findings, figures }
}
