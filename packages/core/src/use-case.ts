import type { Dependencies } from './dependencies.ts'
import type { Readers } from './readers.ts'

export type Needs<Port extends keyof Dependencies, Reader extends keyof Readers = never> = Pick<Dependencies, Port> &
  ([Reader] extends [never] ? unknown : { readonly readers: Pick<Readers, Reader> })

/** A use case has one method, `execute`, and names the ports and the readers that it needs. */
export abstract class UseCase<Port extends keyof Dependencies, Reader extends keyof Readers = never> {
  protected readonly ports: Needs<Port, Reader>

  constructor(ports: Needs<Port, Reader>) {
    this.ports = ports
  }
}
