import type { AddressHash } from '../subscriptions/email-address.ts'
import type { MailCapStore, MailSlot } from './mail-cap.ts'

/** The mails that count against the caps of some mailboxes: read at once, changed mail by mail, and written at once. */
export class MailSlots {
  readonly #store: MailCapStore
  readonly #slots: Map<AddressHash, readonly MailSlot[]>
  readonly #changed = new Map<AddressHash, readonly MailSlot[]>()

  static async of(store: MailCapStore, mailboxes: readonly AddressHash[]): Promise<MailSlots> {
    return new MailSlots(store, mailboxes.length === 0 ? [] : await store.slotsOf([...new Set(mailboxes)]))
  }

  private constructor(store: MailCapStore, slots: Iterable<[AddressHash, readonly MailSlot[]]>) {
    this.#store = store
    this.#slots = new Map(slots)
  }

  of(mailbox: AddressHash): readonly MailSlot[] {
    return this.#slots.get(mailbox) ?? []
  }

  change(mailbox: AddressHash, after: readonly MailSlot[]): void {
    if (this.of(mailbox).length + after.length === 0) return
    this.#slots.set(mailbox, after)
    this.#changed.set(mailbox, after)
  }

  async write(): Promise<void> {
    if (this.#changed.size > 0) await this.#store.put(this.#changed)
  }
}
