import type { Product, Setting, Store, Turn } from '../setting.ts'

export interface Peer {
  /** Its command. */
  readonly name: string
  /** The figure that is compared, and how many times the peer's it is to be. */
  readonly figure: string
  readonly atLeast: Readonly<Record<Store, number>>
  prepare(setting: Setting): Promise<Turn>
}

export interface BenchCase {
  readonly name: string
  readonly about: string
  /** Both if there are none. */
  readonly stores?: readonly Store[]
  /** What is promised of its figures, such as `p99 ms <= 250`. */
  readonly bars: readonly string[]
  readonly peer?: Peer
  /** What is needed is made once, and copied for each turn. */
  prepare(product: Product, setting: Setting): Promise<Turn>
}
