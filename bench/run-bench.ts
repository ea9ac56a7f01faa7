import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { UsageError } from '../proving/shared/command.ts'
import { attackTargets, measureAttacks } from './attacks/measure-attacks.ts'
import type { BenchCase } from './cases/bench-case.ts'
import { floors } from './cases/floors.ts'
import { postgresSignUp } from './cases/postgres-sign-up.ts'
import { rollcallCases } from './cases/rollcall-cases.ts'
import type { Cores } from './command.ts'
import { measureConsole } from './console/measure-console.ts'
import { consoleTargets } from './console/report-console.ts'
import { measureDeletions } from './deletion/measure-deletions.ts'
import { describeEnvironment, isInMemory } from './environment.ts'
import { Growth } from './growth/growth.ts'
import { userGrowthCases } from './growth/user-growth-cases.ts'
import { measureMails } from './mails/measure-mails.ts'
import { measureStarts } from './measure-starts.ts'
import type { Options } from './options.ts'
import { measureChanges } from './postgres/measure-changes.ts'
import { measurePostgres } from './postgres/measure-postgres.ts'
import { changeTargets } from './postgres/report-changes.ts'
import { measureRecipients } from './recipients/measure-recipients.ts'
import { recipientTargets } from './recipients/report-recipients.ts'
import type { Report } from './report.ts'
import { type CaseResult, summarise } from './results.ts'
import { type RunResult, runCase } from './run-case.ts'
import { judge } from './targets.ts'
import { measureTracing } from './tracing/measure-tracing.ts'
import { tracingTargets } from './tracing/report-tracing.ts'
import { measureTransfers } from './transfer/measure-transfers.ts'
import { measureTurns, turnsTargets } from './turns/measure-turns.ts'

type Log = (line: string) => void

/** Measures the requested cases in turn, again and again, so that disturbances of the machine affect all alike. */
export const runBench = async (options: Options, scratch: string, cores: Cores, log: Log): Promise<Report> => {
  if (isInMemory(scratch)) log('warning: this folder is in memory, so durable writes cost nothing')
  const wanted = (name: string): boolean =>
    options.only.length === 0 || options.only.some((start) => name.startsWith(start))
  const growth = new Growth({ options, scratch, cores })
  const order = { options, scratch, cores }
  const known = [
    ...floors(options, scratch),
    ...rollcallCases(options, scratch, cores),
    postgresSignUp(scratch),
    ...growth.cases,
    ...userGrowthCases(order),
  ]
  const cases = inTurn(known.filter(({ name }) => wanted(name)))
  const wantsLists = wanted('growth-list')
  const wantsStarts = wanted('start')
  const wantsTransfers = wanted('transfer')
  const wantsDeletions = wanted('user-delete')
  const wantsMails = wanted('mail')
  const wantsPostgres = wanted('postgres')
  const wantsChanges = wanted('postgres-changes')
  const wantsAttacks = wanted('token-attacks')
  const wantsRecipients = wanted('recipients')
  const wantsConsole = wanted('console')
  const wantsAllTracing = wanted('tracing')
  const wantsTracing = wantsAllTracing || wanted('tracing-default')
  const wantsTurns = wanted('turns')
  const others = [wantsStarts, wantsLists, wantsTransfers, wantsDeletions, wantsMails, wantsPostgres, wantsChanges]
  const more = [wantsAttacks, wantsRecipients, wantsConsole, wantsTracing, wantsTurns]
  if (cases.length === 0 && ![...others, ...more].includes(true))
    throw new UsageError(`There is no case ${options.only.join(' or ')}.`)
  if (wantsStarts) log('starting and stopping')
  const starts = wantsStarts ? await measureStarts(scratch, cores) : undefined
  for (const { name, prepare } of cases) {
    if (!prepare) continue
    log(`preparing ${name}`)
    await prepare()
  }
  if (wantsLists) log('growth-list: filling the store, then reading pages')
  const lists = wantsLists ? await growth.measureLists() : undefined
  if (wantsTransfers) log('transfer: importing and exporting')
  const transfers = wantsTransfers ? await measureTransfers({ options, scratch }) : undefined
  if (wantsDeletions) log('user-delete: seeding users, then deleting them by the command line')
  const deletions = wantsDeletions ? await measureDeletions({ options, scratch, cores }) : undefined
  if (wantsMails) log('mail: filling the outbox, then sending it')
  const mails = wantsMails ? await measureMails({ options, scratch, cores }) : undefined
  if (wantsPostgres) log('postgres: pg alone, one instance, two instances')
  const postgres = wantsPostgres ? await measurePostgres({ options, scratch, cores }) : undefined
  if (wantsChanges) log('postgres-changes: pg alone, one instance, two instances')
  const changes = wantsChanges ? await measureChanges(order) : undefined
  if (wantsAttacks) log('token-attacks: what hostile tokens cost')
  const attacks = wantsAttacks ? await measureAttacks(cores) : undefined
  if (wantsRecipients) log('recipients: filling databases, then streaming a feed')
  const recipients = wantsRecipients ? await measureRecipients(order) : undefined
  if (wantsConsole) log('console: filling databases, then asking for every screen')
  const console = wantsConsole ? await measureConsole(order) : undefined
  if (wantsTracing) log('tracing: sign-ups with and without spans, in turns')
  const tracing = wantsTracing ? await measureTracing(order, wantsAllTracing ? undefined : ['by default']) : undefined
  if (wantsTurns) log('turns: sign-ups beside the floor, in turns of half a second')
  const turns = wantsTurns ? await measureTurns(order) : undefined
  const results = await measureAll(cases, { options, scratch, cores, log }).finally(() => finish(cases))
  return {
    environment: describeEnvironment(options, cores),
    options,
    cases: results,
    starts,
    lists,
    transfers,
    deletions,
    mails,
    postgres,
    changes,
    attacks,
    recipients,
    console,
    tracing,
    turns,
    targets: [
      ...judge(results, starts, lists, transfers, deletions, mails, postgres),
      ...(changes === undefined ? [] : changeTargets(changes)),
      ...(attacks === undefined ? [] : attackTargets(attacks)),
      ...(recipients === undefined ? [] : recipientTargets(recipients)),
      ...(console === undefined ? [] : consoleTargets(console)),
      ...(tracing === undefined ? [] : tracingTargets(tracing)),
      ...(turns === undefined ? [] : turnsTargets(turns)),
    ],
    valid: results.every(({ faults }) => faults.length === 0),
  }
}

// Each case next to its floor, so that both are measured in the same minute.
const inTurn = (cases: readonly BenchCase[]): BenchCase[] => cases.toSorted((a, b) => kind(a) - kind(b))

const kind = ({ status }: BenchCase): number => [200, 403, 204].indexOf(status)

const finish = async (cases: readonly BenchCase[]): Promise<void> => {
  for (const benchCase of cases) await benchCase.finish?.()
}

interface Setting {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
  readonly log: Log
}

const measureAll = async (
  cases: readonly BenchCase[],
  { options, scratch, cores, log }: Setting,
): Promise<CaseResult[]> => {
  const runs = new Map<BenchCase, RunResult[]>(cases.map((benchCase) => [benchCase, []]))
  for (let repetition = 1; repetition <= options.reps; repetition++) {
    for (const [benchCase, done] of runs) {
      const folder = path.join(scratch, `${benchCase.name}-${repetition}`)
      await mkdir(folder)
      const delivery = options.delivery && repetition === options.reps
      const result = await runCase({ benchCase, folder, options, cores, delivery })
      await rm(folder, { recursive: true })
      log(
        `${benchCase.name} ${repetition}/${options.reps}: ${Math.round(result.rate)}/s ${result.faults.join('; ')}`.trimEnd(),
      )
      done.push(result)
    }
  }
  return [...runs].map(([benchCase, done]) => summarise(benchCase, done))
}
