import { InvalidInput } from '../errors.ts'
import type { BlockCause } from '../suppressions/suppression-store.ts'
import type { FileRow } from '../transfer/record-formats.ts'
import { plainWords } from '../transfer/speaks-of-leaving.ts'
import { argument, foldedName, shown } from '../transfer/unused-columns.ts'

export type SuppressionMeaning = BlockCause | 'undeliverable'

/** What lists of suppressed addresses say, and what it means here. */
export const MEANING = {
  complaint: 'complaint',
  unsubscribed: 'blocked',
  blocked: 'blocked',
  bounce: 'undeliverable',
} as const satisfies Record<string, SuppressionMeaning>

/** What keeps more mails from an address is stronger. */
const STRENGTH: Readonly<Record<SuppressionMeaning, number>> = { undeliverable: 0, blocked: 1, complaint: 2 }

export type ImportedCause = keyof typeof MEANING

export const IMPORTED_CAUSES = Object.keys(MEANING) as readonly ImportedCause[]

/** Words of services that mean one thing alone; a soft bounce is none. */
const WORDS: ReadonlyMap<string, ImportedCause> = new Map(
  Object.entries({
    complaint: ['complained', 'spam complaint', 'spam report', 'spam', 'marked as spam', 'abuse'],
    unsubscribed: [
      'unsubscribe',
      'unsubscription',
      'global unsubscribe',
      'opt out',
      'opted out',
      'list unsubscribe',
      'unsubscribed via email',
    ],
    blocked: [
      'manual suppression',
      'user suppressed',
      'admin blocked',
      'manually added',
      'manual',
      'block list',
      'blocklisted',
      'black list',
      'blacklisted',
    ],
    bounce: [
      'bounced',
      'hard bounce',
      'hard bounced',
      'bounce rule',
      'permanent',
      'invalid',
      'invalid email',
      'bad email',
      'undeliverable',
    ],
  } satisfies Record<ImportedCause, readonly string[]>).flatMap(([cause, words]) =>
    words.map((word) => [word, cause as ImportedCause] as const),
  ),
)

/** What the words of a file mean for a cause; under '' what a row has that says none. */
export type CauseMeanings = Readonly<Record<string, string>>

/** Reads the cause of a row, in the words of services, and in others if it is said what they mean. */
export class CauseReading {
  readonly #meanings: ReadonlyMap<string, ImportedCause>

  /** @throws {InvalidInput} a word is said to mean what is no cause */
  constructor(meanings: CauseMeanings = {}) {
    this.#meanings = new Map(Object.entries(meanings).map(([word, cause]) => [foldedName(word), causeIn(cause)]))
  }

  /** Whether a file need not say it. */
  get hasDefault(): boolean {
    return this.#meanings.has('')
  }

  /**
   * @param others what the row has beside it, in fields that are not used
   * @throws {InvalidInput} it is not known what it means; or it says nothing, and another field says a stronger cause
   */
  read(text: string, others: FileRow['others'] = []): ImportedCause {
    const cause = this.#known(text)
    if (text.trim() === '') this.#requireNoOther(cause, others)
    if (cause !== undefined) return cause
    const say =
      text === ''
        ? 'There is none. Say what it is: --cause bounce'
        : `It is not known what ${shown(text)} means. Say it: --cause ${argument(text, 'VALUE')}=bounce`
    throw new InvalidInput([{ field: 'cause', message: `${say} (or complaint, unsubscribed, blocked).` }])
  }

  #known(text: string): ImportedCause | undefined {
    return this.#meanings.get(foldedName(text)) ?? asCause(text.toLowerCase()) ?? WORDS.get(plainWords(text))
  }

  /** Who complained must not come in as one whose mailbox is gone. */
  #requireNoOther(cause: ImportedCause | undefined, others: FileRow['others']): void {
    for (const [name, value] of others) {
      const said = typeof value === 'string' && value.trim() !== '' ? this.#known(value) : undefined
      if (said === undefined || cause === undefined || STRENGTH[MEANING[said]] <= STRENGTH[MEANING[cause]]) continue
      const message = `${shown(String(value))} in ${shown(name)} is a cause, and is not used. Say so: --map cause=${argument(name, 'COLUMN')}.`
      throw new InvalidInput([{ field: 'cause', message }])
    }
  }
}

const asCause = (text: string): ImportedCause | undefined => IMPORTED_CAUSES.find((one) => one === text)

const causeIn = (text: string): ImportedCause => {
  const cause = asCause(text)
  if (cause !== undefined) return cause
  throw new InvalidInput([{ field: 'cause', message: `Use one of ${IMPORTED_CAUSES.join(', ')}.` }])
}
