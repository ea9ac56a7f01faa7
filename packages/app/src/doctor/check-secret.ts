import { fingerprintOf } from '../platform/node-digests.ts'
import { OTHER_SECRET, SECRET_FINGERPRINT } from '../same-secret.ts'
import { existingSecret } from '../secret.ts'
import type { Check } from './check.ts'
import { failed, ok, warning } from './finding.ts'

/** The secret: there, and the one that the database was begun with. */
export const checkSecret: Check = {
  name: 'secret',
  run: async ({ config: { DATA_DIR, SECRET }, storage }) => {
    const secret = SECRET ?? existingSecret(DATA_DIR)
    const known = storage?.missing.length === 0 ? await storage.recall(SECRET_FINGERPRINT) : undefined
    const where = SECRET === undefined ? 'in the data folder' : 'in ROLLCALL_SECRET'
    if (secret === undefined)
      return known === undefined
        ? [warning('There is no secret yet.', 'The first start makes one: keep it, links and ids are made with it.')]
        : [failed('The secret of this database is missing.', OTHER_SECRET)]
    if (known === undefined) return [ok(`There is one ${where}.`)]
    if (known === fingerprintOf(secret)) return [ok(`The one ${where} is that of this database.`)]
    return [failed(`The one ${where} is not that of this database.`, OTHER_SECRET)]
  },
}
