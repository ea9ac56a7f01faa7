import { parseArgs } from 'node:util'
import type { DiskFault } from './disk-fault.ts'
import { type Outcome, surviveDiskFault } from './survive-disk-fault.ts'

const USAGE = `Usage: npm run check:disk -- [--writes <n>] [--syncs <n>] [--lanes <n>] [--from <n>]

Has the n-th write, and the n-th sync, of each thread of the service fail with EIO, for every n up to these numbers
(default: 360 and 40, more than a run of 15 sign-ups has), on a new data folder each time; then has the service start on
a good disk, and holds what is there against what was acknowledged. Ends with 3 where something was lost or went wrong.
`

const { values } = parseArgs({
  options: {
    writes: { type: 'string', default: '360' },
    syncs: { type: 'string', default: '40' },
    from: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})

const upTo = (calls: string, last: number): DiskFault[] =>
  Array.from({ length: Math.max(0, last - Number(values.from) + 1) }, (_, n) => ({
    calls,
    effect: 'error=EIO',
    when: `${n + Number(values.from)}`,
  }))

const run = async (faults: readonly DiskFault[]): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let fault = faults[next++]; fault !== undefined; fault = faults[next++]) {
      const outcome = await surviveDiskFault(fault)
      outcomes.push(outcome)
      for (const problem of outcome.problems) process.stdout.write(`FOUND ${fault.calls} ${fault.when}: ${problem}\n`)
      if (outcomes.length % 20 === 0) process.stderr.write(`${outcomes.length} of ${faults.length}\n`)
    }
  }
  await Promise.all(Array.from({ length: Number(values.lanes) }, work))
  return outcomes
}

const report = (outcomes: readonly Outcome[]): string => {
  const refused = outcomes.filter(({ statuses }) => statuses.includes(503)).length
  const notStarted = outcomes.filter(({ statuses }) => statuses.length === 0).length
  const bad = outcomes.filter(({ problems }) => problems.length > 0).length
  return `${outcomes.length} runs: ${notStarted} ended at the start with 4, ${refused} answered 503 in between, ${bad} with findings`
}

if (values.help) process.stdout.write(USAGE)
else {
  const faults = [...upTo('pwrite64', Number(values.writes)), ...upTo('fsync,fdatasync', Number(values.syncs))]
  const outcomes = await run(faults)
  process.stdout.write(`${report(outcomes)}\n`)
  process.exitCode = outcomes.some(({ problems }) => problems.length > 0) ? 3 : 0
}
