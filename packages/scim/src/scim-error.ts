import { EmailTaken, InvalidInput, UserDeleted, UserNameTaken } from '@rollcall/core'

/** The detail of a status 400 or 409 (RFC 7644 table 9). */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

/** An error that only SCIM has; `message` is for a person and says what to do. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, scimType?: ScimType, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

export const badRequest = (scimType: ScimType, message: string): ScimError => new ScimError(400, message, scimType)

/** @see RFC 7644 section 3.12 */
export const errorBody = (status: number, detail: string, scimType?: ScimType): string =>
  JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail,
  })

interface Terms {
  readonly status: number
  readonly scimType?: ScimType
  readonly detail: string
}

/** An error of the core, or of HTTP, in the terms of SCIM. */
export const inTermsOfScim = (
  error: unknown,
  { status, message }: { readonly status: number; readonly message: string },
): Terms => {
  if (error instanceof InvalidInput) {
    const detail = error.details.map(({ field, message }) => `${field}: ${message}`).join(' ')
    return { status: 400, scimType: 'invalidValue', detail }
  }
  if (error instanceof EmailTaken || error instanceof UserNameTaken)
    return { status: 409, scimType: 'uniqueness', detail: message }
  // RFC 7644 section 3.6: what was deleted is not found.
  if (error instanceof UserDeleted) return { status: 404, detail: message }
  return status === 400 ? { status, scimType: 'invalidSyntax', detail: message } : { status, detail: message }
}
