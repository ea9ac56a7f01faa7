import type { Dependencies } from '../dependencies.ts'
import type { Readers } from '../storage/readers.ts'
import type { Preferences } from './preferences.ts'

export interface PreferencesCommand {
  /** From a link that was mailed to the address. */
  readonly token: string
}

type Needs = Pick<Dependencies, 'links'> & {
  readonly readers: Pick<Readers, 'feeds' | 'subscriptions' | 'suppressions'>
}

/** Shows the owner of an address its subscriptions. Changes nothing: mail scanners follow links. */
export class ShowPreferencesUseCase {
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is gone */
  async execute({ token }: PreferencesCommand): Promise<Preferences> {
    return await this.#ports.links.open(this.#ports.readers, token)
  }
}
