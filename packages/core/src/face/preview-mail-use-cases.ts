import type { Caller } from '../access/caller.ts'
import { InvalidInput, Unavailable } from '../errors.ts'
import { logoOf, requireNamedFeed } from '../feeds/feed.ts'
import { DAY } from '../instant.ts'
import { type Mail, MailRefusedPermanently, type ShownMail } from '../outbox/mail-transport.ts'
import { describeFailure } from '../outbox/outcomes.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { parseEmailAddress } from '../subscriptions/email-address.ts'
import { parseLocale } from '../subscriptions/locale.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import { parseOneOf } from '../text.ts'
import { type Needs, UseCase } from '../use-case.ts'
import { PREVIEWED_MAILS, previewMail } from './preview-mail.ts'

export interface PreviewMailCommand {
  readonly name: string
  /** One of `PREVIEWED_MAILS`. */
  readonly mail: string
  /** Of its reader; by default that of the feed. */
  readonly language?: string | undefined
}

type Composing = Needs<'clock' | 'publicUrl' | 'randomness' | 'transport', 'feeds'>

/** The mail as the feed is now, to this address. */
const mailOf = async (
  ports: Composing,
  command: Omit<SendPreviewCommand, 'to'>,
  reads: () => string,
): Promise<Mail> => {
  const { readers, publicUrl, randomness, transport, clock } = ports
  const { name, mail, language, precondition } = command
  const feed = await requireNamedFeed(readers.feeds, name)
  requireCondition(precondition, feed)
  const to = reads()
  const kind = parseOneOf('mail', mail, PREVIEWED_MAILS)
  const reader = parseLocale(language, 'language')
  const logo = await logoOf(readers.feeds, feed)
  const expiresAt = clock.now() + 7 * DAY
  // Of no subscription: if mails are files, it says nothing about whose they are, and is not swept up with theirs.
  const messageId = `0.${randomness.hex(12)}@${transport.domain}`
  return { ...previewMail({ feed, logo, kind, language: reader, publicUrl, expiresAt }), messageId, to }
}

export class PreviewMailUseCase extends UseCase<
  'access' | 'clock' | 'publicUrl' | 'randomness' | 'transport',
  'feeds'
> {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'

  /**
   * A mail of a feed as its readers get it, with links that lead nowhere. Nothing is sent.
   * @throws {FeedNotFound}
   * @throws {InvalidInput} there is no such mail or language; or the transport of the host shows no mails
   */
  async execute(command: PreviewMailCommand, caller: Caller): Promise<ShownMail> {
    await this.ports.access.require(caller, PreviewMailUseCase, command.name)
    const mail = await mailOf(this.ports, command, () => 'reader@example.com')
    const shown = await this.ports.transport.show?.(mail)
    if (shown !== undefined) return shown
    throw new InvalidInput([
      { field: 'mail', message: 'The mail transport of this service cannot show mails. Have one sent.' },
    ])
  }
}

const SUPPRESSED =
  'This address is suppressed: no mail goes to it. Give another one, or lift that first (`rollcall suppression lift`).'

export interface SendPreviewCommand extends PreviewMailCommand {
  /** Who gets it. */
  readonly to: string
  readonly precondition?: Precondition<unknown> | undefined
}

export class SendPreviewUseCase extends UseCase<
  'access' | 'clock' | 'digests' | 'domainNames' | 'publicUrl' | 'randomness' | 'trail' | 'transport' | 'unitOfWork',
  'feeds'
> {
  static readonly permission = 'feeds:write'
  static readonly action = 'feed.preview'

  /**
   * Sends such a mail at once, past the outbox. It is in the trail before it is sent; the address is not.
   * @throws {FeedNotFound}
   * @throws {InvalidInput} there is no such mail or language, or the address cannot be one, is suppressed, or is refused
   * @throws {Unavailable} it could not be handed over; or it is not known whether it was
   */
  async execute(command: SendPreviewCommand, caller: Caller): Promise<void> {
    const attempt = await this.ports.access.require(caller, SendPreviewUseCase, command.name)
    const { digests, domainNames } = this.ports
    const to = () => parseEmailAddress(command.to, domainNames, 'to')
    const mail = await mailOf(this.ports, command, () => to().value)
    await this.ports.unitOfWork.run(async ({ audit, suppressions }) => {
      if (await findSuppression(suppressions, mailboxHashes(digests, to().key)))
        throw new InvalidInput([{ field: 'to', message: SUPPRESSED }])
      await this.ports.trail.done(audit, caller, attempt, mail.kind)
    })
    try {
      await this.ports.transport.send(mail)
    } catch (error) {
      const said = describeFailure(error)
      if (error instanceof MailRefusedPermanently)
        throw new InvalidInput([{ field: 'to', message: `The mail was refused: ${said}` }])
      throw new Unavailable({ message: `The mail could not be sent: ${said}`, cause: error })
    }
  }
}
