import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../shared/finding.ts'
import { Fixture } from '../shared/fixture.ts'
import { Random } from '../shared/random.ts'
import type { Figures } from '../shared/scenario.ts'
import { firstAnswer, Scenario } from '../shared/scenario.ts'
import type { Program, Service } from '../shared/service.ts'
import type { Fault, Step } from '../shared/session.ts'

interface RandomKillsOrder {
  /** Of a PostgreSQL server; on SQLite without one. */
  readonly server?: string | undefined
  readonly kills: number
  /** The same seed repeats the run, as far as a machine can. */
  readonly seed: number
  /** What is run instead of the source. */
  readonly program?: Program | undefined
  /** Requests a second. */
  readonly rate?: number | undefined
  /** Whether mails that may have been delivered are waited for, which takes ten minutes. */
  readonly awaitsCopies?: boolean | undefined
  readonly progress?: ((kills: number, findings: readonly Finding[]) => void) | undefined
}

interface RunResult {
  readonly findings: readonly Finding[]
  readonly figures: Figures
}

const RATE = 300
const LOAD_FOR = [100, 500] as const
/** Some processes live longer: else little would happen of what takes several mails, such as a change of address. */
const LONG_LOAD_FOR = [1_500, 3_500] as const
const LONG = 0.15
const THOROUGH_EVERY = 50
const ENOUGH = 20
/** The share of kills that do not wait for the first answer. */
const EARLY = 0.2
/** Milliseconds that the relay takes for each answer, at random. */
const RELAYS = [0, 0, 1, 8] as const
/** Kills during the very first starts, at any moment of the migration. */
const FIRST_KILLS = 4
const LONGEST_MIGRATION = 700
/** Milliseconds in which a step of the relay must be reached. */
const PATIENCE = 20_000

interface Death {
  readonly fixture: Fixture
  readonly service: Service
  readonly random: Random
  readonly stop: AbortController
}

/** Most are plain; the others kill in the middle of something that seldom happens. */
const DEATHS: readonly ((death: Death) => Promise<void>)[] = [
  async () => undefined,
  async () => undefined,
  async () => undefined,
  // After the last request, while its mails are being sent.
  async ({ stop, random }) => {
    stop.abort()
    await sleep(random.between(0, 60))
  },
  // While SIGTERM drains.
  async ({ service, random }) => {
    service.signal('SIGTERM')
    await sleep(random.between(0, 40))
  },
  // By the relay, in the middle of the n-th dialogue; it keeps a whole mail.
  async ({ fixture: { relay }, service, random }) => {
    const steps: readonly Step[] = ['connect', 'RCPT', 'body', 'dot']
    const [wanted, passage] = [random.pick(steps), random.whole(1, 6)]
    let passages = 0
    relay.decide = (step): Fault | undefined => {
      if (step !== wanted || ++passages < passage) return undefined
      service.signal('SIGKILL')
      return { act: step === 'dot' ? 'keep' : 'drop' }
    }
    await Promise.race([service.ended, sleep(PATIENCE, undefined, { ref: false })])
  },
  // In the middle of a backup, which dies with the service.
  async ({ fixture, random }) => {
    if (!fixture.target.store.url.startsWith('sqlite:')) return
    const backup = fixture.target.begin('backup', '--replace', backupOf(fixture))
    await sleep(random.between(150, 900))
    await backup.kill()
  },
]

const backupOf = ({ target }: Fixture): string => path.join(target.home.folder, 'backup.db')

/** Puts the service under load, kills it, starts it again, and checks that it kept its promises. */
export const runRandomKills = async (order: RandomKillsOrder): Promise<RunResult> => {
  const { kills, awaitsCopies = true, progress = () => undefined } = order
  await using fixture = await Fixture.create(order)
  const random = new Random(order.seed)
  const scenario = new Scenario(fixture, random, order.rate ?? RATE, { awaitsCopies })
  await killFirstStarts(fixture, random)
  let service = await scenario.begin()
  for (let kill = 1; kill <= kills && service && scenario.findings.length < ENOUGH; kill++) {
    fixture.relay.delay = random.pick(RELAYS)
    await killAtRandom(scenario, fixture, service, random)
    service = await fixture.start()
    if (service) await scenario.examine(kill % THOROUGH_EVERY === 0)
    progress(kill, scenario.findings)
  }
  if (service && scenario.findings.length < ENOUGH) {
    if (order.server === undefined) await backUp(fixture)
    await scenario.end(service)
  }
  return { findings: scenario.findings, figures: scenario.figures }
}

const killFirstStarts = async (fixture: Fixture, random: Random): Promise<void> => {
  for (let n = 0; n < FIRST_KILLS; n++) {
    const service = fixture.target.launch()
    await sleep(random.between(0, LONGEST_MIGRATION))
    await service.kill()
    await fixture.target.store.settled()
  }
}

const killAtRandom = async (scenario: Scenario, fixture: Fixture, service: Service, random: Random): Promise<void> => {
  const { ledger, relay } = fixture
  const [least, most] = random.fraction() < LONG ? LONG_LOAD_FOR : LOAD_FOR
  const early = random.fraction() < EARLY
  const death = random.pick(DEATHS)
  await scenario.untilDead(service, async (stop) => {
    if (!early) await firstAnswer(ledger, service)
    await Promise.race([sleep(random.between(least, most)), service.ended])
    if (!service.isRunning) ledger.report('I7', `the service ended by itself. ${service.stderr}`)
    await death({ fixture, service, random, stop })
    service.signal('SIGKILL')
    const { code } = await service.ended
    // Drained within the moment that it was given.
    if (code !== null && code !== 0) ledger.report('I7', `the service ended by itself with ${code}. ${service.stderr}`)
    relay.decide = () => undefined
    stop.abort()
  })
}

/** After backups that were killed: none of them is there in part, and another one is whole. */
const backUp = async (fixture: Fixture): Promise<void> => {
  const file = backupOf(fixture)
  if (existsSync(file)) await fixture.command('backup', '--verify', file)
  rmSync(file, { force: true })
  await fixture.command('backup', file)
  await fixture.command('backup', '--verify', file)
}
