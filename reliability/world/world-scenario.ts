import type { CheckReport } from '../../proving/shared/report.ts'
import type { Program } from '../../proving/shared/service.ts'
import type { Tool } from './pieces/tools.ts'

/** What a scenario is run with. */
export interface WorldContext {
  readonly seed: number
  /** Under load, where nothing else says how long. */
  readonly seconds: number
  readonly switchovers: number
  readonly kills: number
  /** The built product, or the source. */
  readonly program: () => Program | undefined
  readonly log: (line: string) => void
}

/** One way in which Rollcall is run beside what others made. */
export interface WorldScenario {
  readonly name: string
  /** For the help text. */
  readonly about: string
  readonly tools: readonly Tool[]
  /** A sentence, where it cannot run for want of something that Debian does not have. */
  readonly whyNot?: () => string | undefined
  readonly run: (context: WorldContext) => Promise<readonly CheckReport[]>
}

/** The options that repeat a scenario. */
export const replayOf = (name: string, { seed }: WorldContext, ...more: readonly string[]): string =>
  ['--only', name, ...more, '--seed', seed].join(' ')
