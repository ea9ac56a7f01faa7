import { usageError } from '../../cli-error.ts'

/** As many as a person reads. */
const MOST_NAMED = 20

/** Takes those alone that are on one list of another service, or have one label or tag. */
export class ListFilter {
  readonly #name: string
  readonly #wanted: string
  readonly #names = new Set<string>()
  #rows = 0
  #taken = 0

  constructor(name: string) {
    this.#name = name
    this.#wanted = plain(name)
  }

  /** Mailchimp puts each tag in quotes. Ghost does not: there a label that has a comma may be several. */
  takes(lists: string): boolean {
    const isQuoted = lists.includes('"')
    const names = isQuoted ? (lists.match(/"[^"]*"|[^,"]+/g) ?? []) : lists.split(',')
    const isOn = isQuoted
      ? names.some((name) => plain(name) === this.#wanted)
      : `,${plain(lists)},`.includes(`,${this.#wanted},`)
    this.#rows++
    if (isOn) this.#taken++
    else if (this.#taken === 0) this.#note(names)
    return isOn
  }

  /** @throws {CliError} it has seen people, and none is on the list: its name is hardly the right one */
  requireTaken(): void {
    if (this.#rows === 0 || this.#taken > 0) return
    const known =
      this.#names.size === 0
        ? 'Nobody there has any. Leave --list out.'
        : `Give --list one of ${[...this.#names].join(', ')}.`
    throw usageError(`Nobody in the file has '${this.#name}'. ${known}`)
  }

  #note(names: readonly string[]): void {
    for (const name of names) {
      const shown = name.replaceAll('"', '').trim()
      if (shown !== '' && this.#names.size < MOST_NAMED) this.#names.add(`'${shown}'`)
    }
  }
}

/** Without quotes, and the same whatever blanks are around its commas. */
const plain = (names: string): string =>
  names
    .replaceAll('"', '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .join(',')
