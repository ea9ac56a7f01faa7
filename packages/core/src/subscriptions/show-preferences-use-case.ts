import type { Readers } from '../ports/readers.ts'
import type { Preferences } from './preferences.ts'
import type { PreferencesLinks } from './preferences-links.ts'

export interface PreferencesCommand {
  /** From a link that was mailed to the address. */
  readonly token: string
}

/** Shows the owner of an address what is subscribed with it. Changes nothing, ever: mail scanners follow links. */
export class ShowPreferencesUseCase {
  readonly #links: PreferencesLinks
  readonly #readers: Pick<Readers, 'feeds' | 'subscriptions' | 'suppressions'>

  constructor(links: PreferencesLinks, readers: Pick<Readers, 'feeds' | 'subscriptions' | 'suppressions'>) {
    this.#links = links
    this.#readers = readers
  }

  /** @throws {LinkNotValid} nobody signed it, its hour is over, or the subscription that it was mailed for is gone */
  async execute({ token }: PreferencesCommand): Promise<Preferences> {
    return await this.#links.open(this.#readers, token)
  }
}
