import { InvalidInput } from '../errors.ts'
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../subscriptions/subscription.ts'
import { argument, foldedName, shown } from './unused-columns.ts'

/** What the statuses of a file mean here. */
export type StatusMeanings = Readonly<Record<string, string>>

/** Reads the status of a row, in its own words if it is said what they mean. */
export class StatusReading {
  readonly #meanings: ReadonlyMap<string, SubscriptionStatus>
  readonly #column: string

  /** @throws {InvalidInput} a word is said to mean what is no status, or is given twice, but for case and blanks */
  constructor(meanings: StatusMeanings = {}, column = 'status') {
    this.#column = column
    const folded = new Map<string, SubscriptionStatus>()
    for (const [word, status] of Object.entries(meanings)) {
      if (folded.has(foldedName(word))) throw givenTwice(word)
      folded.set(foldedName(word), meaningIn(status))
    }
    this.#meanings = folded
  }

  /**
   * Undefined if there is none.
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

const givenTwice = (word: string): InvalidInput => {
  const message = `The meaning of ${shown(word)} is given twice: case and blanks around a word make no difference. Give each word once.`
  return new InvalidInput([{ field: 'status', message }])
}

const meaningIn = (status: string): SubscriptionStatus => {
  const known = SUBSCRIPTION_STATUSES.find((one) => one === status)
  if (known !== undefined) return known
  throw new InvalidInput([
    { field: 'status', message: `A status means one of these: ${SUBSCRIPTION_STATUSES.join(', ')}.` },
  ])
}
