import { InvalidInput, SignatureNotValid } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { type FeedbackItem, MOST_ITEMS, PROVIDER_KINDS, parseFeedback } from './feedback-item.ts'
import { type FeedbackReading, FeedbackRecorder } from './feedback-recorder.ts'
import { PROVIDER } from './provider-caller.ts'

export interface ReceiveFeedbackCommand {
  /** The provider, as its verifier is called: `ses`. */
  readonly provider: string
  readonly body: Uint8Array
  /** What came with it, by its name in lower case. */
  readonly header?: ((name: string) => string | undefined) | undefined
  readonly requestId?: string | undefined
}

/** Takes what a mail provider reports by itself. */
export class ReceiveFeedbackUseCase extends UseCase<
  'clock' | 'digests' | 'domainNames' | 'feedbackVerifiers' | 'randomness' | 'unitOfWork',
  FeedbackReading
> {
  /** @throws {SignatureNotValid} it is not signed by the provider, or not meant for this service */
  async execute({ provider, body, header = () => undefined, requestId }: ReceiveFeedbackCommand): Promise<void> {
    const { feedbackVerifiers: known = {} } = this.ports
    const verifier = Object.hasOwn(known, provider) ? known[provider] : undefined
    if (verifier === undefined) throw new SignatureNotValid()
    const items = (await verifier.verify(body, header)).filter((item) => this.#isGood(item))
    const recorder = new FeedbackRecorder(this.ports)
    for (let first = 0; first < items.length; first += MOST_ITEMS)
      await recorder.record(this.#parse(items.slice(first, first + MOST_ITEMS)), { ...PROVIDER, requestId })
  }

  /** A provider reports what it likes, and would send all of it again for one item that cannot be read. */
  #isGood(item: FeedbackItem): boolean {
    try {
      this.#parse([item])
      return true
    } catch (error) {
      if (error instanceof InvalidInput) return false
      throw error
    }
  }

  #parse(items: readonly FeedbackItem[]) {
    const { clock, domainNames } = this.ports
    return parseFeedback(items, { now: clock.now(), domainNames, kinds: PROVIDER_KINDS, byAddress: true })
  }
}
