import { UsageError } from '../command.ts'
import type { Finding } from '../finding.ts'
import type { Options } from '../options.ts'
import { checkPowerLoss, type PowerLossFigures } from '../power-loss/check-power-loss.ts'
import { whyNotTraced } from '../power-loss/recording/recorder.ts'
import type { CheckReport } from '../report.ts'

/**
 * Power losses: the writes of the service are recorded, and what a disk may keep of them is examined. SQLite and the
 * files beside it; what a PostgreSQL server keeps is that server's promise.
 * @throws {UsageError} nothing can be recorded here
 */
export const powerLoss = async (options: Options, log: (line: string) => void): Promise<readonly CheckReport[]> => {
  const { states, state, recording, seed } = options
  const trouble = recording === undefined ? whyNotTraced() : undefined
  if (trouble !== undefined) throw new UsageError(trouble)
  const figures = await checkPowerLoss({ states, seed, recording, state, log })
  const about = { store: 'sqlite', replay: `--power-loss --states ${states} --seed ${seed}` } as const
  return [
    { ...about, name: 'power losses', rows: figures.map(rowOf), findings: figures.flatMap(findingsOf) },
    { ...about, name: 'what survived of the unsynced writes', rows: survivalRows(figures), findings: [] },
  ]
}

const rowOf = ({ mail, operations, syncs, promises, examined, lost, seconds }: PowerLossFigures) => ({
  'mails as': mail,
  operations,
  syncs,
  promises,
  states: examined,
  broken: lost.length,
  seconds: Math.round(seconds),
})

const survivalRows = (figures: readonly PowerLossFigures[]): Record<string, string | number>[] => {
  const states = new Map<string, number>()
  for (const { survivals } of figures)
    for (const [survived, count] of Object.entries(survivals)) states.set(survived, (states.get(survived) ?? 0) + count)
  return [...states].map(([survived, count]) => ({ survived, states: count }))
}

// A recording cannot be repeated, so it is kept, and its states can be.
const findingsOf = ({ lost, kept, seed, wanted }: PowerLossFigures): Finding[] =>
  lost.flatMap(({ number, survival, problems }, index) => {
    const again = `--power-loss --recording ${kept} --states ${wanted} --seed ${seed} --state ${number}`
    return problems.map(({ invariant, message }) => ({
      invariant,
      message: `${message} (survived: ${survival}; ${again})`,
      kill: index + 1,
    }))
  })
