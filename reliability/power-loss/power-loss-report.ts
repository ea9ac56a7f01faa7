import type { PowerLossFigures } from './check-power-loss.ts'

const MOST_SHOWN = 10

/** What came of it, for a person to read. */
export const powerLossReport = (all: readonly PowerLossFigures[]): string => all.flatMap(linesOf).join('\n')

const linesOf = (figures: PowerLossFigures): string[] => {
  const { mail, seed, operations, syncs, promises, examined, lost, survivals, seconds, kept } = figures
  return [
    `mail as ${mail}: ${operations} disk operations, ${syncs} syncs, ${promises} promises recorded`,
    `  ${examined} states of the disk in ${seconds.toFixed(0)} s, ${lost.length} of them broken`,
    ...Object.entries(survivals).map(([survival, count]) => `  ${count} with what survived: ${survival}`),
    ...lost
      .slice(0, MOST_SHOWN)
      .flatMap(({ number, after, survival, problems }) => [
        `  state ${number}, power lost after ${after} happenings, survived ${survival}:`,
        ...problems.slice(0, MOST_SHOWN).map(({ invariant, message }) => `    ${invariant}: ${message}`),
        `    again: npm run check:crash -- --power-loss --recording ${kept} --seed ${seed} --states ${examined} --state ${number}`,
      ]),
  ]
}
