import { agree, requireTerminal } from '../question.ts'
import { instantText, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const NOTHING_ROTATED = 'Nothing was changed, because it was not confirmed.'

const rotate: Verb = {
  name: 'rotate',
  summary: 'Sign links with a new key',
  details:
    'Links of mails sent so far stay good until they expire; those to unsubscribe, and to manage subscriptions, for ever. With --revoke every link sent so far is dead, those to unsubscribe included; only for keys that somebody else has got hold of. The secret itself stays as it is. A running server uses the new key within two seconds. Keep a copy of link-keys.json afterwards: backups do not hold it unless asked.',
  onlyHere: 'Rotating keys',
  examples: ['rollcall secret rotate', 'rollcall secret rotate --revoke', 'rollcall secret rotate --revoke --yes'],
  define: (command, session) =>
    command
      .option('--revoke', 'make every link sent so far good for nothing, those to unsubscribe included')
      .option('--yes', 'with --revoke: do not ask')
      .action(async ({ revoke = false, yes = false }: { readonly revoke?: boolean; readonly yes?: boolean }) => {
        if (revoke && !yes) {
          requireTerminal(session, 'revoke every link')
          await session.note(
            'No link in any mail sent so far will work any more. Who wants to unsubscribe by one has to ask you.',
          )
          await agree(session, 'Revoke every link, those to unsubscribe included?', NOTHING_ROTATED)
        }
        const { keyId, verifyUntil } = await session.here(({ rotateSecret }, caller) =>
          rotateSecret.execute({ revoke }, caller),
        )
        const document = { key_id: keyId, revoked: revoke, earlier_links_until: instantText(verifyUntil) }
        const rest =
          verifyUntil === undefined
            ? 'No link sent before is good any more, also not to unsubscribe; a running server refuses them within two seconds.'
            : `Those sent before stay good until they expire, ${shortInstantText(verifyUntil)} at the latest; those to unsubscribe or to manage subscriptions for ever.`
        await session.answer(document, `New links are signed with the key ${keyId}. ${rest}`)
      }),
}

export const verbs: readonly Verb[] = [rotate]
