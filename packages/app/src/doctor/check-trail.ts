import { isGenuine, MINUTE } from '@rollcall/core'
import { createNodeDigests } from '../platform/node-digests.ts'
import { existingSecret } from '../secret.ts'
import type { Check, Patient } from './check.ts'
import { failed, ok, warning } from './finding.ts'

/** Seals are made every minute while a server runs. */
const LATE = 3 * MINUTE
const VERIFY = 'Run `rollcall audit verify`: it finds the first record that does not hold.'

/** The end of the audit trail, and the newest seal on it. The whole trail is for `rollcall audit verify`. */
export const checkTrail: Check = {
  name: 'audit trail',
  run: async (patient) => {
    const { storage, clock } = patient
    if (storage === undefined || storage.missing.length > 0) return []
    const { last, seal, sealed } = await storage.trailEnd()
    if (seal !== undefined && sealed?.hash !== seal.hash)
      return [failed(`What the seal at record ${seal.sequence} was made for is changed or gone.`, VERIFY)]
    if (seal !== undefined && !isOurs(patient, seal))
      return [failed(`The seal at record ${seal.sequence} was not made with this secret.`, VERIFY)]
    if (last === undefined) return [ok('There is nothing on record yet.')]
    const sealedUntil = seal?.sequence ?? 0
    const unsealed = last.sequence - sealedUntil
    if (unsealed > 0 && clock.now() - last.at > LATE)
      return [
        warning(`${unsealed} of ${last.sequence} records are not sealed.`, 'A running server seals them: start it.'),
      ]
    return [ok(`It ends with record ${last.sequence}, and is sealed up to ${sealedUntil}.`)]
  },
}

/** Where there is no secret, that is told elsewhere. */
const isOurs = ({ config: { DATA_DIR, SECRET } }: Patient, seal: Parameters<typeof isGenuine>[1]): boolean => {
  const secret = SECRET ?? existingSecret(DATA_DIR)
  return secret === undefined || isGenuine(createNodeDigests(secret), seal)
}
