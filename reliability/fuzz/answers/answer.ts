/** An answer as it came, read by nobody's library: what the service sends is what is judged. */
export interface Answer {
  readonly version: string
  readonly status: number
  /** In order, as they were written. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Whether the body ended with the connection. */
  readonly untilClose: boolean
}

export const fieldOf = ({ fields }: Answer, name: string): string | undefined =>
  fields.find(([field]) => field.toLowerCase() === name)?.[1]

/** The bytes are no answer. */
export class NotAnAnswer extends Error {
  override readonly name = 'NotAnAnswer'
}
