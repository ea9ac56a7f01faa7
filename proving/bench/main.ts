import os from 'node:os'
import { describeCores } from './cores.ts'
import { readOptions, USAGE, UsageError } from './options.ts'
import { countFaults, printed } from './report.ts'
import { runBench } from './run-bench.ts'

const [USAGE_ERROR, LOST, INTERRUPTED] = [2, 3, 130]

const describeMachine = (): string => {
  const processor = `${os.availableParallelism()} x ${os.cpus()[0]?.model.trim() ?? 'an unknown processor'}`
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${os.type()} ${os.arch()}, ${processor}, Node.js ${process.versions.node}; ${describeCores()}`
}

const run = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) {
    process.stdout.write(USAGE)
    return 0
  }
  let faults = 0
  process.stdout.write(`${describeMachine()}\n\n`)
  const log = (line: string): void => void process.stderr.write(`${line}\n`)
  await runBench(options, log, (report) => {
    faults += countFaults(report)
    process.stdout.write(`${printed(report)}\n`)
  })
  return faults > 0 ? LOST : 0
}

// Servers are ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
try {
  process.exitCode = await run()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`error: ${error.message} See npm run bench -- --help.\n`)
  process.exitCode = USAGE_ERROR
}
