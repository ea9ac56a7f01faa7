import { DomainError } from '../errors.ts'

/** What is in the way can be erased as part of the same command: each driving adapter says by which option. */
abstract class InUse extends DomainError {
  readonly erasable: boolean

  constructor(message: string, { erasable = false }: { readonly erasable?: boolean } = {}) {
    super(message)
    this.erasable = erasable
  }
}

/** The feed cannot go: it is `default`, or it has subscriptions. */
export class FeedInUse extends InUse {
  override readonly name = 'FeedInUse'
}

/** A field of a feed cannot go or change its type: subscriptions have values of it. */
export class FieldInUse extends InUse {
  override readonly name = 'FieldInUse'
}
