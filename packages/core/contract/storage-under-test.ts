import { afterEach, beforeEach } from 'vitest'
import type { Readers, Stores, UnitOfWork } from '../src/index.ts'

/** One storage, as an adapter's tests hand it to the suites: empty but for what is always there. */
export interface StorageUnderTest {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  /**
   * Another handle on the same data, as another process would have one; its `dispose` closes the handle only.
   * Left out where the data cannot be reached twice.
   */
  openAnother?(): Promise<StorageUnderTest>
  /** Closes it and removes what it left behind. Doing so twice is doing it once. */
  dispose(): Promise<void>
}

/** Its clock must be the real one: leases are tried with short waits. */
export type OpenStorage = () => Promise<StorageUnderTest>

export interface FreshStorage {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  run<T>(work: (stores: Stores) => Promise<T>): Promise<T>
  /** A second handle on the same data; the same one again where a second is impossible. */
  another(): Promise<StorageUnderTest>
  dispose(): Promise<void>
}

/** A storage of its own for each test of the suite around it. */
export const freshStorage = (open: OpenStorage): FreshStorage => {
  let handles: StorageUnderTest[] = []
  const first = (): StorageUnderTest => {
    const [storage] = handles
    if (!storage) throw new Error('A storage is there only while a test runs.')
    return storage
  }
  beforeEach(async () => {
    handles = [await open()]
  })
  afterEach(async () => {
    for (const handle of handles.reverse()) await handle.dispose()
    handles = []
  })
  return {
    get unitOfWork() {
      return first().unitOfWork
    },
    get readers() {
      return first().readers
    },
    run: (work) => first().unitOfWork.run(work),
    another: async () => {
      const other = await first().openAnother?.()
      if (!other) return first()
      handles.push(other)
      return other
    },
    dispose: () => first().dispose(),
  }
}
