import type { RotatedKeys } from '@rollcall/core'
import { instantText, shortInstantText } from '../instant-text.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly revoke?: boolean
}

export const keyRotate: Verb = {
  name: 'rotate',
  summary: 'Sign access tokens with a new key',
  details:
    'Tokens issued so far stay good until they expire, unless --revoke is given: then every one of them is refused. ' +
    'A running server uses it within two seconds, without a restart.',
  onlyHere: 'Rotating keys',
  examples: ['rollcall key rotate', 'rollcall key rotate --revoke'],
  define: (command, session) => {
    command.option('--revoke', 'refuse every token issued so far').action(async ({ revoke = false }: Options) => {
      const rotated = await session.withUseCases(({ rotateKeys }, caller) => rotateKeys.execute({ revoke }, caller))
      const document = {
        key_id: rotated.keyId,
        revoked: revoke,
        earlier_keys_verify_until: instantText(rotated.verifyUntil),
      }
      await session.answer(document, sentence(rotated))
    })
  },
}

const sentence = ({ keyId, verifyUntil }: RotatedKeys): string =>
  verifyUntil === undefined
    ? `New tokens are signed with the key ${keyId}. All others are refused, by a running server within two seconds.`
    : `New tokens are signed with the key ${keyId}. Those issued before stay good until they expire; the keys before it are kept until ${shortInstantText(verifyUntil)}.`
