import { type ParseArgsConfig, parseArgs } from 'node:util'
import { runCommand, understood, whole } from '../command.ts'
import { type DiskFault, type DiskFaultResult, surviveDiskFault } from './survive-disk-fault.ts'

const USAGE = `Usage: npm run check:disk -- [--writes <n>] [--syncs <n>] [--lanes <n>] [--from <n>]

Makes the n-th write, and the n-th sync, of each thread of the service fail with EIO, for every n up to these numbers
(default: 360 and 40, more than a run of 15 sign-ups has), on a new data folder each time. Then starts the service on a
good disk, and compares its data with what was acknowledged. Exits with 3 if something was lost or failed.
`

const OPTIONS = {
  writes: { type: 'string', default: '360' },
  syncs: { type: 'string', default: '40' },
  from: { type: 'string', default: '1' },
  lanes: { type: 'string', default: '2' },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']
const FOUND = 3

const upTo = (calls: string, last: number, from: number): DiskFault[] =>
  Array.from({ length: Math.max(0, last - from + 1) }, (_, n) => ({ calls, effect: 'error=EIO', when: `${n + from}` }))

const run = async (faults: readonly DiskFault[], lanes: number): Promise<DiskFaultResult[]> => {
  const outcomes: DiskFaultResult[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let fault = faults[next++]; fault !== undefined; fault = faults[next++]) {
      const outcome = await surviveDiskFault(fault)
      outcomes.push(outcome)
      for (const problem of outcome.problems) process.stdout.write(`FOUND ${fault.calls} ${fault.when}: ${problem}\n`)
      if (outcomes.length % 20 === 0) process.stderr.write(`${outcomes.length} of ${faults.length}\n`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return outcomes
}

const report = (outcomes: readonly DiskFaultResult[]): string => {
  const refused = outcomes.filter(({ statuses }) => statuses.includes(503)).length
  const ended = outcomes.filter(({ statuses }) => statuses.includes(undefined)).length
  const notStarted = outcomes.filter(({ statuses }) => statuses.length === 0).length
  const bad = outcomes.filter(({ problems }) => problems.length > 0).length
  return `${outcomes.length} runs: ${notStarted} exited at the start with 4, ${refused} answered 503, ${ended} ended with 4, ${bad} have findings`
}

await runCommand('check:disk', async (args) => {
  const { help, ...values } = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (help) {
    process.stdout.write(USAGE)
    return 0
  }
  const from = whole('from', values.from)
  const writes = upTo('pwrite64', whole('writes', values.writes), from)
  const syncs = upTo('fsync,fdatasync', whole('syncs', values.syncs), from)
  const outcomes = await run([...writes, ...syncs], whole('lanes', values.lanes))
  process.stdout.write(`${report(outcomes)}\n`)
  return outcomes.some(({ problems }) => problems.length > 0) ? FOUND : 0
})
