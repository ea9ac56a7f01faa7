import type { Dependencies } from './dependencies.ts'
import type { Readers } from './readers.ts'

export type Needs<Port extends keyof Dependencies, Reader extends keyof Readers = never> = Pick<Dependencies, Port> &
  ([Reader] extends [never] ? unknown : { readonly readers: Pick<Readers, Reader> })

/** A use case names the ports and the readers that it needs. Callers use its method `execute`. */
export abstract class UseCase<Port extends keyof Dependencies, Reader extends keyof Readers = never> {
  protected readonly ports: Needs<Port, Reader>

  constructor(ports: Needs<Port, Reader>) {
    this.ports = ports
  }
}
