import { UseCase } from '../use-case.ts'
import { openPreferences, type Preferences } from './preferences.ts'

export interface PreferencesCommand {
  /** From a link that was mailed to the address. */
  readonly token: string
}

/** Shows the owner of an address its subscriptions. Changes nothing: mail scanners follow links. */
export class ShowPreferencesUseCase extends UseCase<
  'signedLinks' | 'clock' | 'digests',
  'feeds' | 'subscriptions' | 'suppressions'
> {
  /** @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is gone */
  async execute({ token }: PreferencesCommand): Promise<Preferences> {
    return await openPreferences(this.ports.readers, token, this.ports)
  }
}
