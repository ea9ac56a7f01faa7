import { spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import type { ConsoleFigures, ScreenFigures } from './measure-console.ts'

export const CONSOLE_COLUMNS = ['screen of the console', 'p50 ms', 'p95 ms', 'KB gzipped', 'painted ms', 'again ms']

export const consoleRows = (
  figures: readonly ConsoleFigures[],
  grouped: (value: number, digits: number) => string,
): string[][] =>
  figures.flatMap(({ store, rows, screens }) =>
    screens.map(({ name, p50, p95, gzipped, painted, paintedAgain }) => [
      `${name}, ${store}, ${rows.toLocaleString('en-US')}`,
      ...[grouped(p50, 1), grouped(p95, 1), grouped(gzipped / 1_000, 1)],
      ...[grouped(painted, 0), grouped(paintedAgain, 0)],
    ]),
  )

/** Of the worst screen. */
export const consoleTargets = (figures: readonly ConsoleFigures[]): Target[] =>
  figures.flatMap(({ store, screens }) => [
    worst(`console p95, ${store}`, screens, ({ p95 }) => p95, 'ms', 100),
    worst(`console page, ${store}`, screens, ({ gzipped }) => gzipped / 1_000, 'KB', 30),
    worst(`console painted on a phone, ${store}`, screens, ({ painted }) => painted, 'ms', 1_000),
  ])

const worst = (
  name: string,
  screens: readonly ScreenFigures[],
  figure: (screen: ScreenFigures) => number,
  unit: Target['unit'],
  limit: number,
): Target => {
  const found = spread(screens.map(figure).filter((one) => !Number.isNaN(one)))
  return { name, value: found.most, spread: found, unit, limit, reached: found.most <= limit }
}
