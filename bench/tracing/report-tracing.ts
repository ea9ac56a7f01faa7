import type { Spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import type { TracingFigures } from './measure-tracing.ts'

export const TRACING_COLUMNS = ['traced', 'of', 'CPU µs', 'of that without', 'answers/s', 'of those without']

export const tracingRows = (
  figures: readonly TracingFigures[],
  ranged: (found: Spread, digits: number) => string,
): string[][] =>
  figures.map(({ of, mode, cost, rate, dearer, slower }) => [
    ...[mode, of, ranged(cost, 0), ranged(dearer, 3)],
    ...[ranged(rate, 0), ranged(slower, 3)],
  ])

/** Of a service that has an SDK and no setting for it. */
export const tracingTargets = (figures: readonly TracingFigures[]): Target[] =>
  figures
    .filter(({ mode }) => mode === 'by default')
    .map(({ of, slower }) => {
      const wanted = { name: `${of}, traced by default / untraced`, unit: '', limit: 0.98 } as const
      return { ...wanted, value: slower.median, spread: slower, reached: slower.median >= wanted.limit }
    })
