import { afterEach, beforeEach, describe, expect } from 'vitest'
import { memoryDigests } from '../memory/memory-digests.ts'
import { Sealer, sealedFirst } from '../src/audit/sealer.ts'
import type { Readers, RequestInbox, Stores, UnitOfWork, UserChanges } from '../src/index.ts'
import { outcomesOf, upTo } from './samples.ts'

/** One storage, as an adapter's tests hand it to the suites: empty but for what is always there. */
export interface StorageUnderTest {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  /** Where requests come in, if it has a shorter way than a unit of work each. */
  readonly inbox?: RequestInbox | undefined
  /** A shorter way for changes of users, if it has one. */
  readonly userChanges?: UserChanges | undefined
  /**
   * Another handle on the same data, as another process would have one; its `dispose` closes the handle only.
   * Left out if the data cannot be reached twice.
   */
  openAnother?(): Promise<StorageUnderTest>
  /** Closes it and removes what it left behind. Doing so twice is doing it once. */
  dispose(): Promise<void>
}

/** Its clock must be the real one: leases are tried with short waits. */
export type OpenStorage = () => Promise<StorageUnderTest>

type Work<Result> = (stores: Stores) => Promise<Result>
type NumberedWork<Result> = (stores: Stores, n: number) => Promise<Result>

/** A storage of its own for each test. */
export interface FreshStorage {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  readonly inbox: RequestInbox | undefined
  readonly userChanges: UserChanges | undefined
  /** The same, but what is read of the trail or the events is sealed first, as it is for use cases. */
  readonly sealed: Readers
  /** Each call is a unit of work of its own. */
  readonly stores: Stores
  run<T>(work: Work<T>): Promise<T>
  /** What a reader and a unit of work find, which is the same. */
  alike<T>(look: (readers: Readers) => Promise<T>): Promise<T>
  /** One unit that works through them, one after another. */
  runEach<Item>(items: Iterable<Item>, work: (stores: Stores, item: Item) => Promise<unknown>): Promise<void>
  /** A unit that throws when the work is done. */
  undone(work: Work<unknown>): Promise<void>
  /** As many units at the same time, every other one on a second handle. */
  atOnce<T>(count: number, work: NumberedWork<T>): Promise<T[]>
  /** The same, if some of them fail. */
  outcomesAtOnce<T>(count: number, work: NumberedWork<T>): ReturnType<typeof outcomesOf<T>>
  /** A second handle on the same data; the same one again if a second is impossible. */
  another(): Promise<StorageUnderTest>
  dispose(): Promise<void>
}

/** A suite that can be run over any storage. */
export const storageSuite =
  (title: string, suite: (storage: FreshStorage) => void) =>
  (open: OpenStorage): void => {
    describe(title, () => suite(freshStorage(open)))
  }

/** A suite that can be run over any adapter of a port: each test has one of its own. */
export const portSuite =
  <Port extends { dispose(): Promise<void> }>(title: string, suite: (port: () => Port) => void) =>
  (open: () => Promise<Port>): void => {
    describe(title, () => suite(fresh(open)))
  }

const freshStorage = (open: OpenStorage): FreshStorage => {
  const first = fresh(open)
  let second: StorageUnderTest | undefined
  const run: FreshStorage['run'] = (work) => first().unitOfWork.run(work)
  // The last to be opened is the first to be closed.
  afterEach(async () => {
    await second?.dispose()
    second = undefined
  })
  const another = async () => {
    second ??= await first().openAnother?.()
    return second ?? first()
  }
  const begin = async <T>(count: number, work: NumberedWork<T>) => {
    const handles = [first(), await another()] as const
    return { units: upTo(count).map((n) => handles[n % 2 ? 0 : 1].unitOfWork.run((stores) => work(stores, n))) }
  }
  return {
    unitOfWork: { run },
    readers: inPlaceOf(() => first().readers),
    get inbox() {
      return first().inbox
    },
    get userChanges() {
      return first().userChanges
    },
    sealed: inPlaceOf(() => sealedOn(first())),
    stores: byName((name) =>
      byName((method) => (...parameters: unknown[]) => {
        const call = async (store: object) => Reflect.get(store, method).apply(store, parameters)
        return run((stores) => call(Reflect.get(stores, name)))
      }),
    ),
    run,
    alike: async (look) => {
      const found = await look(first().readers)
      expect(await run(look)).toEqual(found)
      return found
    },
    runEach: (items, work) =>
      run(async (stores) => {
        for (const item of items) await work(stores, item)
      }),
    undone: async (work) => {
      const unit = run(async (stores) => {
        await work(stores)
        throw new Error('on purpose')
      })
      await expect(unit).rejects.toThrow('on purpose')
    },
    atOnce: async (count, work) => await Promise.all((await begin(count, work)).units),
    outcomesAtOnce: async (count, work) => await outcomesOf((await begin(count, work)).units),
    another,
    dispose: () => first().dispose(),
  }
}

/** One of its own for each test of the suite around it. */
export const fresh = <Thing extends { dispose(): Promise<void> }>(open: () => Promise<Thing>): (() => Thing) => {
  let thing: Thing | undefined
  beforeEach(async () => {
    thing = await open()
  })
  afterEach(async () => {
    await thing?.dispose()
    thing = undefined
  })
  return () => {
    if (thing === undefined) throw new Error('It is there only while a test runs.')
    return thing
  }
}

const clock = { now: () => Date.now() }
/** Of the services that suites put over a storage. */
const digests = memoryDigests('a secret for tests')

const sealedOn = ({ unitOfWork, readers }: StorageUnderTest): Readers =>
  sealedFirst(readers, new Sealer({ unitOfWork, readers, clock, digests }))

/** What is not there before the test is, and can be copied as it can. */
const inPlaceOf = <Things extends object>(find: () => Things): Things =>
  new Proxy({} as Things, {
    get: (_, name) => Reflect.get(find(), name),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_, name) => ({ value: Reflect.get(find(), name), enumerable: true, configurable: true }),
  })

const byName = <Things extends object>(find: (name: string) => unknown): Things =>
  new Proxy({} as Things, { get: (_, name) => find(String(name)) })
