import { createHash } from 'node:crypto'
import { type User, userRecord } from '@rollcall/core'

/** A fingerprint of everything that is published of a user: another one as soon as anything has changed. */
export const stateOf = (user: User): string =>
  createHash('sha256')
    .update(JSON.stringify(userRecord(user)))
    .digest('base64url')
