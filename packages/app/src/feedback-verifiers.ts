import type { Clock, FeedbackVerifier } from '@rollcall/core'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { StartupError } from './startup-error.ts'

/** Those of the providers that are configured; undefined if there are none. */
export const feedbackVerifiers = async (
  { FEEDBACK_SES_TOPICS: topics, FEEDBACK_POSTMARK_SECRET: secret, FEEDBACK_SENDGRID_KEY: key }: Config,
  clock: Clock,
  log: Log,
): Promise<Readonly<Record<string, FeedbackVerifier>> | undefined> => {
  const verifiers: Record<string, FeedbackVerifier> = {}
  const warn = (message: string) => log.warn({}, message)
  if (topics.length > 0) {
    const { createSesVerifier } = await import('@rollcall/feedback-ses')
    verifiers.ses = createSesVerifier({ topics, clock, log: (level, message) => log[level]({}, message) })
  }
  if (secret !== undefined || key !== undefined) {
    const { createPostmarkVerifier, createSendgridVerifier, sendgridKey } = await import('@rollcall/feedback-webhooks')
    if (secret !== undefined) verifiers.postmark = createPostmarkVerifier(secret, warn)
    if (key !== undefined) {
      const publicKey = sendgridKey(key)
      if (publicKey === undefined)
        throw new StartupError(
          'ROLLCALL_FEEDBACK_SENDGRID_KEY: use the verification key that SendGrid shows for its event webhook.',
        )
      verifiers.sendgrid = createSendgridVerifier(publicKey, warn)
    }
  }
  return Object.keys(verifiers).length === 0 ? undefined : verifiers
}
