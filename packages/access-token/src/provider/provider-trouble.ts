/** The identity provider does not answer as it should; `message` is for whoever runs the service. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
  /** The HTTP status, where there was an answer with one that is no use. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}
