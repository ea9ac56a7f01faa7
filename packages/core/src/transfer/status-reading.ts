import { InvalidInput } from '../errors.ts'
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../subscriptions/subscription.ts'
import { argument, foldedName, shown } from './unused-columns.ts'

/** What the statuses of a file mean here. */
export type StatusMeanings = Readonly<Record<string, string>>

/** Reads the status of a row, in its own words where it is said what they mean. */
export class StatusReading {
  readonly #meanings: ReadonlyMap<string, SubscriptionStatus>
  readonly #column: string

  /** @throws {InvalidInput} a word is said to mean what is no status */
  constructor(meanings: StatusMeanings = {}, column = 'status') {
    this.#column = column
    this.#meanings = new Map(Object.entries(meanings).map(([word, status]) => [foldedName(word), meaningIn(status)]))
  }

  /**
   * Undefined where there is none.
   * @throws {InvalidInput} it is not known what it means
   */
  read(text: string): SubscriptionStatus | undefined {
    const word = foldedName(text)
    const status = this.#meanings.get(word) ?? SUBSCRIPTION_STATUSES.find((one) => one === word)
    if (status !== undefined) return status
    // Who said what the words of a file mean has said nothing of a row without one.
    if (word === '' && this.#meanings.size === 0) return undefined
    const means = word === '' ? '=' : `${argument(text, 'VALUE')}=`
    const message = `It is not known what ${shown(text)} means. Say it: --status ${means}ended (or pending, or confirmed); or ignore the column: --ignore ${argument(this.#column, 'COLUMN')}.`
    throw new InvalidInput([{ field: 'status', message }])
  }
}

const meaningIn = (status: string): SubscriptionStatus => {
  const known = SUBSCRIPTION_STATUSES.find((one) => one === status)
  if (known !== undefined) return known
  throw new InvalidInput([
    { field: 'status', message: `A status means one of these: ${SUBSCRIPTION_STATUSES.join(', ')}.` },
  ])
}
