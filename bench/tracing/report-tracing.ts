import { type Spread, spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import type { TracingFigures } from './measure-tracing.ts'

export const TRACING_COLUMNS = ['traced', 'CPU µs', 'of that without', 'answers/s', 'of those without']

export const tracingRows = (
  figures: readonly TracingFigures[],
  ranged: (found: Spread, digits: number) => string,
): string[][] =>
  figures.map(({ mode, cost, rate, dearer, slower }) => [
    ...[mode, ranged(cost, 0), ranged(dearer, 3)],
    ...[ranged(rate, 0), ranged(slower, 2)],
  ])

/** Of what the guide recommends. Throughput is what processor time leaves of it, and moves far more on a busy machine. */
export const tracingTargets = (figures: readonly TracingFigures[]): Target[] =>
  figures
    .filter(({ mode }) => mode === 'one in a hundred')
    .map(({ dearer }) => {
      const left = spread([dearer.median, dearer.least, dearer.most].map((times) => 1 / times))
      const wanted = { name: 'sign-ups, one trace in a hundred / untraced', unit: '', limit: 0.98 } as const
      return { ...wanted, value: left.median, spread: left, reached: left.median >= wanted.limit }
    })
