import { instantText, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const rotate: Verb = {
  name: 'rotate',
  summary: 'Sign access tokens with a new key',
  details:
    'Tokens issued so far stay good until they expire, unless --revoke is given: then every one of them is refused. ' +
    'A running server uses it within two seconds, without a restart.',
  onlyHere: 'Rotating keys',
  examples: ['rollcall key rotate', 'rollcall key rotate --revoke'],
  define: (command, session) =>
    command
      .option('--revoke', 'refuse every token issued so far')
      .action(async ({ revoke = false }: { readonly revoke?: boolean }) => {
        const { keyId, verifyUntil } = await session.here(({ rotateKeys }, caller) =>
          rotateKeys.execute({ revoke }, caller),
        )
        const document = { key_id: keyId, revoked: revoke, earlier_keys_verify_until: instantText(verifyUntil) }
        const rest =
          verifyUntil === undefined
            ? 'All others are refused, by a running server within two seconds.'
            : `Those issued before stay good until they expire; the keys before it are kept until ${shortInstantText(verifyUntil)}.`
        await session.answer(document, `New tokens are signed with the key ${keyId}. ${rest}`)
      }),
}

export const verbs: readonly Verb[] = [rotate]
