import type { Dependencies } from './dependencies.ts'
import type { Readers } from './readers.ts'

export type Needs<Port extends keyof Dependencies, Reader extends keyof Readers = never> = Pick<Dependencies, Port> &
  ([Reader] extends [never] ? unknown : { readonly readers: Pick<Readers, Reader> })

/** What came of one bounded batch. */
export interface BatchReport {
  readonly count: number
  /** There may be more: call again. */
  readonly more: boolean
}

/** A use case names the ports and the readers that it needs. Callers use its method `execute`. */
export abstract class UseCase<Port extends keyof Dependencies, Reader extends keyof Readers = never> {
  protected readonly ports: Needs<Port, Reader>

  constructor(ports: Needs<Port, Reader>) {
    this.ports = ports
  }
}
